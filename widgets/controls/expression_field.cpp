#include "widgets/controls/expression_field.h"

#include "widgets/theme/themes.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace helio {

namespace {

constexpr int Rest = 300; ///< Delay in ms between the last key press and the submission.

} // namespace

ExpressionField::ExpressionField(const QString& name, const QString& hint, QWidget* parent)
    : PanelGround(parent)
    , m_edit(new QLineEdit)
    , m_problem(new QLabel)
    , m_remark(new QLabel)
    , m_line(new QHBoxLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 6, 8, 6);
    layout->setSpacing(4);
    layout->addLayout(m_line);
    layout->addWidget(m_problem);
    m_line->setSpacing(8);
    m_line->addWidget(m_edit, 1);
    m_line->addWidget(m_remark);
    m_edit->setPlaceholderText(hint);
    m_edit->setAccessibleName(name);
    m_edit->setToolTip(tr("== != < <= > >= =~ contains && || ! ( )   A bare word matches anywhere."));
    m_edit->setClearButtonEnabled(true);
    m_edit->installEventFilter(this);
    m_problem->setWordWrap(true);
    m_problem->hide();
    m_rest.setSingleShot(true);
    m_rest.setInterval(Rest);
    connect(&m_rest, &QTimer::timeout, this, &ExpressionField::submit);
    connect(m_edit, &QLineEdit::returnPressed, this, [this] {
        submit();
        goToProblem();
    });
    connect(m_edit, &QLineEdit::textChanged, this, [this](const QString& text) {
        setProblem({});
        if (text.isEmpty())
            submit();
        else
            m_rest.start();
    });
    connect(&Themes::instance(), &Themes::changed, this, &ExpressionField::updateLook);
    updateLook();
}

void ExpressionField::submit()
{
    m_rest.stop();
    emit submitted(m_edit->text());
}

void ExpressionField::setHint(const QString& hint) { m_edit->setPlaceholderText(hint); }

QString ExpressionField::text() const { return m_edit->text(); }

void ExpressionField::setText(const QString& text)
{
    m_rest.stop();
    const QSignalBlocker quiet(m_edit);
    m_edit->setText(text);
    m_edit->setAccessibleDescription(QString());
}

void ExpressionField::setProblem(const QString& problem)
{
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_edit->setAccessibleDescription(problem);
}

/// Moves the cursor to the position of the error. Called on Enter, never while the user types.
void ExpressionField::goToProblem()
{
    static const QRegularExpression place("^column (\\d+)");
    if (const auto match = place.match(m_problem->text()); match.hasMatch())
        m_edit->setCursorPosition(match.captured(1).toInt() - 1);
}

void ExpressionField::setRemark(const QString& remark) { m_remark->setText(remark); }

void ExpressionField::focus()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void ExpressionField::addWidget(QWidget* widget) { m_line->addWidget(widget); }

bool ExpressionField::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_edit && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        m_edit->clearFocus();
        return true;
    }
    return PanelGround::eventFilter(watched, event);
}

void ExpressionField::updateLook()
{
    m_edit->setFont(fonts().detail());
    m_problem->setFont(fonts().small());
    m_remark->setFont(fonts().small());
    QPalette problem = palette();
    problem.setColor(QPalette::WindowText, theme().color("severity.error"));
    m_problem->setPalette(problem);
    QPalette remark = palette();
    remark.setColor(QPalette::WindowText, theme().color("text.secondary"));
    m_remark->setPalette(remark);
}

} // namespace helio
