#include "app/gui/common/remote_dialog.h"

#include "core/remote/remote_address.h"
#include "widgets/controls/field_grid.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace helio {

RemoteDialog::RemoteDialog(const QStringList& known, QWidget* parent)
    : QDialog(parent)
    , m_address(new QComboBox)
    , m_problem(makeLabel({}, 11.5, 400, "severity.warning"))
{
    setWindowTitle(tr("Open remote trace"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(6);
    layout->addWidget(makeLabel(tr("Address of the trace, ssh://HOST/PATH or ssh://USER@HOST:PORT/PATH:"), 11.5, 400, "text.secondary"));
    m_address->setEditable(true);
    m_address->setInsertPolicy(QComboBox::NoInsert);
    m_address->addItems(known);
    m_address->setAccessibleName(tr("Address"));
    m_address->setToolTip(tr("A path that begins with /~/ is in your home folder there"));
    m_address->lineEdit()->setPlaceholderText(QStringLiteral("ssh://db1/var/traces/kernel"));
    layout->addWidget(m_address);
    layout->addWidget(m_problem);
    QLabel* const help = makeLabel(tr("Heliograph runs there, too, and must be installed in the same version. ssh logs in with a key or an "
                                      "agent, and reads your ~/.ssh/config. What you look at is transferred first."),
                                   11.5, 400, "text.secondary");
    help->setWordWrap(true);
    layout->addWidget(help);
    layout->addStretch(1);
    auto* const box = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    m_open = box->button(QDialogButtonBox::Open);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(box);
    connect(m_address, &QComboBox::editTextChanged, this, &RemoteDialog::check);
    check();
    m_address->lineEdit()->selectAll();
    constexpr int Width = 560;
    resize(Width, layout->totalHeightForWidth(Width));
}

QString RemoteDialog::address() const
{
    const QString text = m_address->currentText().trimmed();
    return text.isEmpty() || isRemote(text.toStdString()) ? text : QStringLiteral("ssh://") + text;
}

void RemoteDialog::check()
{
    const auto parsed = parseRemoteAddress(address().toStdString());
    m_open->setEnabled(bool(parsed));
    m_problem->setText(parsed || address().isEmpty() ? QString() : QString::fromStdString(parsed.error().what));
}

QString RemoteDialog::ask(const QStringList& known, QWidget& window)
{
    RemoteDialog dialog(known, &window);
    return dialog.exec() == Accepted ? dialog.address() : QString();
}

} // namespace helio
