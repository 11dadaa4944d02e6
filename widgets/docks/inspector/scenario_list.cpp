#include "widgets/docks/inspector/scenario_list.h"

#include "core/query/rows/facts.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/table_style.h"
#include "widgets/time/time_format.h"

#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace helio {

namespace {

constexpr int Delay = 40; ///< Delay in ms between a change and the query.
constexpr std::size_t Most = 300;
constexpr int LineHeight = 20;
constexpr int Least = 48; ///< Minimum width in pixels of each column; the last column gets the remaining width.
constexpr int Widest[] = {132, 96, 84}; ///< Maximum widths in pixels of all columns except the last.

/// Returns the name of a scenario, e.g. "books 0"; with several hosts "books 0 on db", because hosts use the same numbers.
QString nameOf(const Timeline& timeline, const Scenario& it)
{
    const QString name = QStringLiteral("%1 %2").arg(QString::fromStdString(it.stateMachine), QString::fromStdString(it.number));
    const std::string host = it.trace < timeline.traces.size() ? hostName(timeline, timeline.traces[it.trace].host) : std::string();
    return host.empty() ? name : ScenarioList::tr("%1 on %2").arg(name, QString::fromStdString(host));
}

QString keptText(const Scenario& scenario)
{
    QStringList parts;
    for (const auto& [name, value] : scenario.fields)
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(name), QString::fromStdString(value));
    return parts.join(QStringLiteral(", "));
}

} // namespace

ScenarioList::ScenarioList(ViewContext& context, QWidget* parent)
    : QWidget(parent)
    , m_context(context)
    , m_heading(makeLabel({}, 12, 600, "text.primary"))
    , m_hint(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_table(new QTreeWidget)
    , m_answer(DebouncedQuery::Pace::Live, Delay, [this] { ask(); })
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(m_heading);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_hint, 1);
    m_table->setHeaderLabels({tr("Scenario"), tr("State"), tr("Duration"), tr("Attributes")});
    styleTable(*m_table);
    m_table->setAccessibleName(tr("Active scenarios at the cursor"));
    m_table->header()->setStretchLastSection(true);
    m_table->headerItem()->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    forgetWidths();
    connect(m_table, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        const int line = m_table->indexOfTopLevelItem(item);
        if (line < 0 || std::size_t(line) >= m_shown.size())
            return;
        m_context.time().jump({.cursor = m_shown[std::size_t(line)].since});
    });
    connect(&context.time(), &TimeWindow::cursorChanged, this, [this] { m_answer.soon(); });
    connect(&context, &ViewContext::timelineChanged, this, [this] { m_answer.queueQuery(); });
    connect(&context, &ViewContext::timeFormatChanged, this, [this] { m_answer.soon(); });
    setView({}, {});
}

void ScenarioList::setView(const QString& view, const QString& why)
{
    if (m_view != view)
        forgetWidths();
    m_view = view;
    if (view.isEmpty()) {
        m_answer.cancel();
        return say({}, why);
    }
    m_answer.now();
}

void ScenarioList::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_answer.soon();
}

void ScenarioList::ask()
{
    const auto timeline = m_context.timeline();
    if (!timeline || m_view.isEmpty() || !isVisible())
        return;
    m_answer.post(
        [this, timeline, view = m_view.toStdString(), at = m_context.time().cursor()](std::stop_token stop) -> LatestTask::Delivery {
            auto active = std::make_shared<const ActiveScenarios>(scenariosAt(*timeline, view, at, Most, stop));
            return [this, timeline, active, at] { show(*timeline, *active, at); };
        });
}

void ScenarioList::say(const QString& heading, const QString& hint)
{
    m_heading->setText(heading);
    m_heading->setVisible(!heading.isEmpty());
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
    m_table->setVisible(hint.isEmpty());
}

void ScenarioList::show(const Timeline& timeline, const ActiveScenarios& active, Timestamp at)
{
    const QString time = timeText(at, m_context.timeFormat());
    m_shown = active.some;
    m_table->clear();
    if (active.all == 0)
        return say(tr("At %1").arg(time),
                   tr("No scenario is active at the cursor. Click another time, or a matched transition and then an arrow "
                      "beside its count."));
    const QString count = active.all == 1 ? tr("1 scenario") : tr("%1 scenarios").arg(countText(qint64(active.all)));
    say(active.all > m_shown.size() ? tr("At %1: %2, of which %3 are listed").arg(time, count).arg(m_shown.size())
                                    : tr("At %1: %2").arg(time, count),
        {});
    for (const Scenario& it : m_shown) {
        auto* line = new QTreeWidgetItem(
            m_table, {nameOf(timeline, it), QString::fromStdString(it.state), durationText(at - it.since), keptText(it)});
        line->setSizeHint(0, {0, LineHeight});
        line->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        line->setToolTip(1,
                         tr("Since %1; started at %2. Double-click or press Enter to go to where it entered the state")
                             .arg(timeText(it.since, m_context.timeFormat()), timeText(it.started, m_context.timeFormat())));
        line->setToolTip(0, nameOf(timeline, it));
        line->setToolTip(3, keptText(it));
    }
    widen();
}

void ScenarioList::forgetWidths()
{
    for (int column = 0; column < int(std::size(Widest)); ++column)
        m_table->header()->resizeSection(column, Least);
}

/// Widens columns to their contents. Never narrows them, because they would jump while the cursor moves.
void ScenarioList::widen()
{
    for (int column = 0; column < int(std::size(Widest)); ++column) {
        const int before = m_table->header()->sectionSize(column);
        m_table->resizeColumnToContents(column);
        m_table->header()->resizeSection(column, std::max(before, std::min(m_table->header()->sectionSize(column), Widest[column])));
    }
}

} // namespace helio
