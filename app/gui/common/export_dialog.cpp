#include "app/gui/common/export_dialog.h"

#include "widgets/controls/field_grid.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace helio {
namespace {

constexpr const char* FormatSetting = "export/format"; ///< Name of the format that the user chose last.

enum class RangeChoice : int { All, Visible, Selected };

} // namespace

ExportDialog::ExportDialog(const Ranges& ranges, const QStringList& hosts, QWidget* parent)
    : QDialog(parent)
    , m_summary(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_ranges(ranges)
{
    setWindowTitle(tr("Export recording"));
    resize(460, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(6);
    m_format = addChoice(tr("Format"));
    for (const ExportFormat* format : exportFormats())
        m_format->addItem(QString::fromUtf8(format->title), QString::fromUtf8(format->name));
    m_format->setCurrentIndex(std::max(0, m_format->findData(QSettings().value(FormatSetting))));
    m_summary->setWordWrap(true);
    layout->addWidget(m_summary);
    layout->addSpacing(6);
    m_range = addChoice(tr("Time range"));
    m_range->addItem(tr("Whole recording"), int(RangeChoice::All));
    if (!ranges.visible.isEmpty())
        m_range->addItem(tr("Visible range"), int(RangeChoice::Visible));
    if (!ranges.selected.isEmpty())
        m_range->addItem(tr("Selected range"), int(RangeChoice::Selected));
    if (hosts.size() > 1) {
        layout->addSpacing(6);
        m_host = addChoice(tr("Host"));
        m_host->addItem(tr("All hosts"), QString());
        for (const QString& host : hosts)
            m_host->addItem(host, host);
    }
    layout->addSpacing(6);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton* const start = box->addButton(tr("Export\u2026"), QDialogButtonBox::AcceptRole);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(box);
    start->setDefault(true);
    box->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    m_format->setFocus();
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::showSummary);
    showSummary();
}

QComboBox* ExportDialog::addChoice(const QString& name)
{
    auto* lines = static_cast<QVBoxLayout*>(layout());
    lines->addWidget(makeLabel(name + ':', 11.5, 400, "text.secondary"));
    auto* choice = new QComboBox;
    choice->setAccessibleName(name);
    lines->addWidget(choice);
    return choice;
}

void ExportDialog::showSummary() { m_summary->setText(QString::fromUtf8(choice().format->summary) + '.'); }

ExportChoice ExportDialog::choice() const
{
    ExportChoice choice;
    choice.format = findExportFormat(m_format->currentData().toString().toStdString());
    switch (RangeChoice(m_range ? m_range->currentData().toInt() : 0)) {
    case RangeChoice::All: break;
    case RangeChoice::Visible: choice.range = m_ranges.visible; break;
    case RangeChoice::Selected: choice.range = m_ranges.selected; break;
    }
    if (m_host)
        choice.host = m_host->currentData().toString();
    return choice;
}

std::optional<ExportChoice> ExportDialog::ask(const Ranges& ranges, const QStringList& hosts, QWidget& window)
{
    ExportDialog dialog(ranges, hosts, &window);
    if (dialog.exec() != QDialog::Accepted)
        return {};
    const ExportChoice choice = dialog.choice();
    QSettings().setValue(FormatSetting, QString::fromUtf8(choice.format->name));
    return choice;
}

} // namespace helio
