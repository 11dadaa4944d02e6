#include "widgets/docks/durations/steal_view.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <utility>

namespace helio {

namespace {

NavigableTable::Cell named(const std::string& name, const LongestLoss& place) { return {text(name), -1, place}; }
NavigableTable::Cell counted(std::uint64_t count, const LongestLoss& place) { return {countText(qint64(count)), qint64(count), place}; }
NavigableTable::Cell lasted(Duration length, const LongestLoss& place) { return {durationText(length), length.count(), place}; }

std::vector<std::vector<NavigableTable::Cell>> linesOf(const StealMatrix& matrix)
{
    std::vector<std::vector<NavigableTable::Cell>> lines;
    for (std::size_t loser = 0; loser < matrix.losers.size(); ++loser) {
        StealMatrix::Cell sum;
        std::vector<NavigableTable::Cell> line;
        for (const StealMatrix::Cell& it : matrix.cells[loser]) {
            sum.total += it.total;
            if (it.longest.length > sum.longest.length)
                sum.longest = it.longest;
            line.push_back(it.count > 0 ? lasted(it.total, it.longest) : NavigableTable::Cell{QStringLiteral("\u2013"), 0, {}});
        }
        line.insert(line.begin(), named(matrix.losers[loser], sum.longest));
        line.push_back(lasted(sum.total, sum.longest));
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

StealView::StealView(ViewContext& context, QWidget* parent)
    : NavigablePanel(context, {tr("By culprit"), tr("VM by VM"), tr("By victim")}, tr("Steal time of VMs"), parent)
{
    scopeLabel().setWordWrap(true);
    scopeLabel().setTextInteractionFlags(Qt::TextSelectableByMouse); // The text can be selected, because it may contain a command.
    connect(&context.time(), &TimeWindow::visibleChanged, &answer(), &DebouncedQuery::soon);
}

ShownCommand StealView::shownCommand() const
{
    if (Shown(chosen()) == Shown::Matrix)
        return ShownCommand::none(tr("No command prints this matrix; the lists beside it have commands."));
    return {QStringList{"vm", Shown(chosen()) == Shown::Culprits ? "--culprits" : "--steal"}
                + rangeOptions(context().time(), context().time().focus()),
            {},
            {}};
}

void StealView::fetch()
{
    if (!isVisible()) // Do not fetch while hidden: showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = context().timeline();
    const TimeRange range = context().time().focus();
    if (!timeline) {
        answer().cancel();
        m_losses = {};
        return fill();
    }
    answer().post([this, timeline, range](std::stop_token stop) -> LatestTask::Delivery {
        auto losses = std::make_shared<StealTables>(computeStealTables(*timeline, range, stop));
        if (stop.stop_requested())
            return {};
        return [this, losses, range] {
            m_losses = std::move(*losses);
            m_range = range;
            fill();
        };
    });
}

void StealView::fill()
{
    using Column = NavigableTable::Column;
    std::vector<std::vector<NavigableTable::Cell>> lines;
    std::vector<Column> columns;
    switch (Shown(chosen())) {
    case Shown::Culprits:
        columns = {{tr("Victim"), false}, {tr("Culprit"), false}, {tr("Kind"), false},
                   {tr("Count"), true},   {tr("Total"), true},    {tr("Longest"), true}};
        for (const CulpritLine& it : m_losses.culprits)
            lines.push_back({named(it.from, it.longest), named(it.by, it.longest), named(it.kind, it.longest),
                             counted(it.count, it.longest), lasted(it.total, it.longest), lasted(it.longest.length, it.longest)});
        break;
    case Shown::Matrix:
        columns = {{tr("Victim"), false}};
        for (const std::string& culprit : m_losses.matrix.culprits)
            columns.push_back({text(culprit), true});
        columns.push_back({tr("All"), true});
        lines = linesOf(m_losses.matrix);
        break;
    case Shown::Threads:
        columns = {{tr("Thread"), false}, {tr("VM"), false},    {tr("During"), false},
                   {tr("Count"), true},   {tr("Stolen"), true}, {tr("Longest"), true}};
        for (const ThreadLossLine& it : m_losses.threads)
            lines.push_back({named(it.thread, it.longest), named(it.machine, it.longest), named(it.during, it.longest),
                             counted(it.count, it.longest), lasted(it.total, it.longest), lasted(it.longest.length, it.longest)});
        break;
    }
    setLines(columns, std::move(lines));
    const bool isSelected = !context().time().selection().isEmpty();
    const QString nothing = m_losses.missing.empty() ? tr("No vCPU was preempted here.") : text(m_losses.missing);
    scopeLabel().setText(
        m_losses.isEmpty()
            ? nothing
            : (isSelected ? tr("In the selected range, %1") : tr("In the visible range, %1")).arg(durationText(m_range.duration())));
}

} // namespace helio
