#include "widgets/docks/durations/ipc_view.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

constexpr const char* GroupingWords[] = {"method", "rpc", "thread",
                                         "cpu"}; ///< Values of the option --by of `heliograph ipc`, indexed by IpcGrouping.

} // namespace

IpcView::IpcView(ViewContext& context, QWidget* parent)
    : NavigablePanel(context, {tr("Methods"), tr("RPCs"), tr("Threads"), tr("CPUs")}, tr("Instructions per cycle"), parent)
{
    connect(&context.time(), &TimeWindow::visibleChanged, &answer(), &DebouncedQuery::soon);
}

ShownCommand IpcView::shownCommand() const
{
    const QStringList command{"ipc", "--by", GroupingWords[chosen()]};
    return {command + (m_scope == Scope::All ? QStringList() : rangeOptions(context().time(), context().time().focus())), {}, {}};
}

void IpcView::fetch()
{
    if (!isVisible()) // A hidden view does not fetch; showEvent() fetches when the view becomes visible.
        return;
    const auto timeline = context().timeline();
    const TimeWindow& time = context().time();
    const TimeRange range = time.focus();
    const bool isAll = range.begin <= time.full().begin && range.end >= time.full().end;
    const Scope scope = !time.selection().isEmpty() ? Scope::Selection : isAll ? Scope::All : Scope::Visible;
    if (!timeline) {
        answer().cancel();
        m_tables = {};
        return fill();
    }
    answer().post([this, timeline, range, scope](std::stop_token stop) -> LatestTask::Delivery {
        const TimeRange window = scope == Scope::All ? TimeRange{Timestamp::min(), Timestamp::max()} : range;
        auto tables = std::make_shared<Tables>();
        for (std::size_t i = 0; i < tables->size(); ++i) {
            (*tables)[i] = ipcSums(*timeline, IpcGrouping(i), window, {}, stop);
            std::ranges::stable_sort((*tables)[i], std::ranges::greater(), &IpcSum::time);
        }
        if (stop.stop_requested())
            return {};
        return [this, tables, scope] {
            m_tables = std::move(*tables);
            m_scope = scope;
            fill();
        };
    });
}

void IpcView::fill()
{
    using Cell = NavigableTable::Cell;
    const auto grouping = IpcGrouping(chosen());
    const QString first = grouping == IpcGrouping::Thread ? tr("Thread") : grouping == IpcGrouping::Cpu ? tr("CPU") : tr("Method");
    const std::vector<NavigableTable::Column> columns{
        {first, false}, {tr("Time"), true}, {tr("IPC"), true}, {tr("IPC at least"), true}, {tr("Time below IPC 0.5"), true}};
    std::vector<std::vector<Cell>> lines;
    Duration all{};
    for (const IpcSum& it : m_tables[std::size_t(chosen())]) {
        const bool isMeasured = it.time > Duration::zero();
        const auto ratio = [&](double value) {
            constexpr double Steps = 10000; // Factor that converts an IPC value to the integer sort key: lines are sorted by four decimals.
            return isMeasured ? Cell{QString::number(value, 'f', 2), qint64(value * Steps)} : Cell{QStringLiteral("\u2013"), 0};
        };
        const QString name = it.tid >= 0 ? QStringLiteral("%1 (%2)").arg(text(it.name)).arg(it.tid) : text(it.name);
        const Duration time = isMeasured ? it.time : it.unmeasured;
        lines.push_back({Cell{name}, Cell{durationText(time), time.count()}, ratio(isMeasured ? it.ipc() : 0),
                         ratio(isMeasured ? it.lowestIpc() : 0), Cell{durationText(it.low), it.low.count()}});
        all += time;
    }
    const bool isEmpty = lines.empty();
    setLines(columns, std::move(lines));
    const QString scope = m_scope == Scope::Selection ? tr("in the selected range")
        : m_scope == Scope::Visible                   ? tr("in the visible range")
                                                      : tr("in the whole trace");
    scopeLabel().setText(isEmpty ? tr("No instructions per cycle were recorded %1.").arg(scope)
                                 : tr("%1 of execution %2; averages are weighted by time").arg(durationText(all), scope));
}

} // namespace helio
