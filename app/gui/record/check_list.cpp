#include "app/gui/record/check_list.h"

#include "widgets/controls/command_field.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {
namespace {

using Outcome = RecordingCheck::Outcome;

constexpr int CardEdge = 3; ///< Width in pixels of the coloured edge of a card.

/// Icon of the outcome of a check, in the colour of its severity.
class OutcomeIcon : public QWidget {
public:
    explicit OutcomeIcon(Outcome outcome)
        : m_outcome(outcome)
    {
        setFixedSize(16, 16);
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        const bool isPassed = m_outcome == Outcome::Passed;
        const char* const role = isPassed ? "severity.good" : m_outcome == Outcome::Warning ? "severity.warning" : "severity.error";
        const QString name = isPassed       ? QStringLiteral("check")
            : m_outcome == Outcome::Warning ? QStringLiteral("warning")
                                            : QStringLiteral("close");
        QPainter(this).drawPixmap(0, 0, iconPixmap(name, theme().color(role), 16, devicePixelRatioF()));
    }

    const Outcome m_outcome;
};

/// Frame with the background of the timeline and an edge in the colour of errors.
class ErrorCard : public QWidget {
public:
    using QWidget::QWidget;

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), theme().color("surface.timeline"));
        painter.setPen(theme().color("line.subtle"));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.fillRect(0, 0, CardEdge, height(), theme().color("severity.error"));
    }
};

QLabel* plainLabel(const QString& text, qreal size, int weight, const char* role)
{
    QLabel* const label = makeLabel(text, size, weight, role);
    label->setTextFormat(Qt::PlainText);
    return label;
}

} // namespace

CheckList::CheckList(QWidget* parent)
    : QWidget(parent)
    , m_summary(makeLabel({}, 12, 600, "text.secondary"))
    , m_rows(new QVBoxLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Checks"), 12, 600, "text.primary"));
    head->addStretch(1);
    head->addWidget(m_summary);
    layout->addLayout(head);
    m_rows->setSpacing(0);
    layout->addLayout(m_rows);
}

void CheckList::clear()
{
    while (QLayoutItem* const item = m_rows->takeAt(0)) {
        if (QWidget* const widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // A button of the row may be the sender of the current signal.
        }
        delete item;
    }
}

void CheckList::setChecks(const std::vector<RecordingCheck>& checks)
{
    clear();
    for (const RecordingCheck& check : checks)
        check.outcome == Outcome::Failed ? addCard(check) : addRow(check);
    const auto passed = std::ranges::count(checks, Outcome::Passed, &RecordingCheck::outcome);
    m_summary->setText(tr("%1 of %2 passed").arg(passed).arg(checks.size()));
    styleLabel(m_summary, 12, 600, std::size_t(passed) == checks.size() ? "text.secondary" : "severity.warning");
}

void CheckList::setProblem(const QString& problem)
{
    setChecks({{"machine", Outcome::Failed, problem.toStdString(), {}}});
    m_summary->clear();
}

void CheckList::setBusy() { m_summary->setText(tr("Checking \u2026")); }

void CheckList::addRow(const RecordingCheck& check)
{
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 4, 0, 4);
    line->setSpacing(8);
    line->addWidget(new OutcomeIcon(check.outcome));
    line->addWidget(plainLabel(text(check.title), 12, 400, "text.primary"));
    QLabel* const detail = plainLabel(text(check.detail), 11.5, 400, "text.secondary");
    detail->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    detail->setWordWrap(true);
    line->addWidget(detail, 1);
    if (!check.remedy.empty())
        row->setToolTip(tr("Mend it with: %1").arg(text(check.remedy)));
    m_rows->addWidget(row);
}

void CheckList::addCard(const RecordingCheck& check)
{
    auto* card = new ErrorCard;
    auto* lines = new QVBoxLayout(card);
    lines->setContentsMargins(CardEdge + 13, 10, 14, 12);
    lines->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(new OutcomeIcon(check.outcome), 0, Qt::AlignTop);
    QLabel* const title = plainLabel(text(check.title), 12, 600, "text.primary");
    title->setWordWrap(true);
    head->addWidget(title, 1);
    lines->addLayout(head);
    if (!check.detail.empty()) {
        QLabel* const detail = plainLabel(text(check.detail), 11.5, 400, "text.secondary");
        detail->setWordWrap(true);
        lines->addWidget(detail);
    }
    if (!check.remedy.empty())
        lines->addWidget(new CommandField(text(check.remedy), tr("Command")));
    auto* buttons = new QHBoxLayout;
    if (check.needsRoot) {
        auto* authorize = new QPushButton(tr("Authorize for this recording\u2026"));
        authorize->setToolTip(tr("Ask for a password and run only this recording as root"));
        authorize->setAutoDefault(false);
        connect(authorize, &QPushButton::clicked, this, &CheckList::elevationRequested);
        buttons->addWidget(authorize);
    }
    auto* again = new QPushButton(tr("Check again"));
    again->setAutoDefault(false);
    connect(again, &QPushButton::clicked, this, &CheckList::checkRequested);
    buttons->addWidget(again);
    buttons->addStretch(1);
    lines->addLayout(buttons);
    m_rows->addSpacing(4);
    m_rows->addWidget(card);
    m_rows->addSpacing(4);
}

} // namespace helio
