#include "core/query/segments/state_intervals.h"

#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

struct Stay {
    const Row* row;
    Interval interval;
};

/// Calls `take` for the intervals that `add` appends for each element of `all` and each part of the window, sorted by start time; those
/// with equal start times are in the order of `all`. `rowOf` returns the row of an element.
template <typename Element, typename RowOf, typename Add, typename Take>
void forEachByBegin(std::span<const Element> all, TimeRange window, const RowOf& rowOf, const Add& add, const Take& take,
                    const std::stop_token& stop)
{
    constexpr std::uint64_t IntervalsAtATime = 65'536;
    TimeRange lives{Timestamp::max(), Timestamp::min()};
    std::uint64_t count = 0;
    for (const Element& it : all) {
        lives = {std::min(lives.begin, rowOf(it).life.begin), std::max(lives.end, rowOf(it).life.end)};
        count += rowOf(it).intervals;
    }
    const TimeRange range = lives.clippedTo(window);
    const Duration step = std::max(Duration(1), lengthOf(range) / static_cast<std::int64_t>(count / IntervalsAtATime + 1));
    for (Timestamp begin = range.begin; begin < range.end && !stop.stop_requested();) {
        const Timestamp end = lengthOf({begin, range.end}) / 2 > step ? begin + step : range.end;
        std::vector<Stay> stays;
        for (const Element& it : all)
            if (rowOf(it).life.overlaps({begin, end}))
                add(it, {begin, end}, stays);
        std::ranges::stable_sort(stays, {}, [](const Stay& stay) { return stay.interval.range.begin; });
        for (const Stay& stay : stays)
            take(*stay.row, stay.interval);
        begin = end;
    }
}

/// Finds the waits of woken threads for a CPU in consecutive intervals of a thread's row.
class WakeupFinder {
public:
    WakeupFinder(const Timeline& timeline, const Row& row, std::span<const Interval> intervals)
        : m_timeline(timeline)
        , m_row(row)
        , m_intervals(intervals)
        , m_states(statesOf(timeline, row.ref).states)
    {
    }

    /// True if the interval with this index is the beginning of a wait for a CPU, i.e. the thread was woken then.
    bool isWoken(std::size_t index) const
    {
        const Interval& it = m_intervals[index];
        if (const StateCategory meaning = meaningOf(it); meaning != StateCategory::WaitsForCpu && meaning != StateCategory::Throttled)
            return false;
        const auto asked = index > 0 ? std::vector<Interval>() : previousInterval(m_timeline, m_row.ref, it.range.begin);
        const Interval* const before = index > 0 ? &m_intervals[index - 1] : asked.empty() ? nullptr : &asked.front();
        if (before && before->range.end == it.range.begin && meaningOf(*before) != StateCategory::Unknown)
            return isOffCpu(meaningOf(*before));
        const auto waking = findWakeup(m_timeline, m_row.ref, it);
        return waking && waking->toTime == it.range.begin;
    }

    /// Returns the time at which the thread got a CPU after the interval with this index; nullopt if it did not.
    std::optional<Timestamp> runsFrom(std::size_t index) const
    {
        Timestamp end = m_intervals[index].range.end;
        for (++index; index < m_intervals.size() && m_intervals[index].range.begin == end; ++index) {
            if (!isRunnable(meaningOf(m_intervals[index])))
                return isOnCpu(meaningOf(m_intervals[index])) ? std::optional(end) : std::nullopt;
            end = m_intervals[index].range.end;
        }
        if (index < m_intervals.size())
            return {};
        end = runnableUntil(m_timeline, m_row.ref, end);
        const auto next = intervalAt(m_timeline, m_row.ref, end);
        return !next.empty() && isOnCpu(meaningOf(next.front())) ? std::optional(end) : std::nullopt;
    }

private:
    StateCategory meaningOf(const Interval& it) const
    {
        const auto state = static_cast<std::size_t>(it.state);
        return state < m_states.size() ? m_states[state].meaning : StateCategory::Unknown;
    }

    const Timeline& m_timeline;
    const Row& m_row;
    std::span<const Interval> m_intervals;
    const std::vector<StateKind>& m_states;
};

/// Appends the waits for a CPU that begin in `part` and end at `end` at the latest.
void addWakeups(const Timeline& timeline, const Row& row, TimeRange part, Timestamp end, std::vector<Stay>& all,
                const std::stop_token& stop)
{
    const std::vector<Interval> found = intervals(timeline, row.ref, part, stop);
    const WakeupFinder wakeups(timeline, row, found);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].range.begin < part.begin || !wakeups.isWoken(i))
            continue;
        if (const auto until = wakeups.runsFrom(i); until && *until <= end)
            all.push_back({&row, {{found[i].range.begin, *until}, found[i].state, found[i].value}});
    }
}

} // namespace

std::optional<State> findState(const Timeline& timeline, TrackRef track, std::string_view name)
{
    const auto& states = statesOf(timeline, track).states;
    const auto found = std::ranges::find(states, name, &StateKind::name);
    return found != states.end() ? std::optional(State(static_cast<std::uint8_t>(found - states.begin()))) : std::nullopt;
}

void forEachStateInterval(const Timeline& timeline, std::span<const RowState> rows, TimeRange window,
                          const std::function<void(const Row&, const Interval&)>& take, std::stop_token stop)
{
    const auto add = [&](const RowState& it, TimeRange part, std::vector<Stay>& all) {
        for (const Interval& interval : intervals(timeline, it.row.ref, part, stop))
            if (interval.state == it.state && interval.range.begin >= part.begin && interval.range.end <= window.end)
                all.push_back({&it.row, interval});
    };
    forEachByBegin(
        rows, window, [](const RowState& it) -> const Row& { return it.row; }, add, take, stop);
}

std::string_view wakeupKind(const Timeline& timeline)
{
    std::string_view id;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        const auto kinds = store.linkKinds();
        if (const auto wakeups = static_cast<std::size_t>(LinkKind::Wakeup); id.empty() && wakeups < kinds.size())
            id = kinds[wakeups].id;
    });
    return id;
}

std::string wakeupPriorityKind(const Timeline& timeline)
{
    const std::string_view wakeups = wakeupKind(timeline);
    return wakeups.empty() || !hasPriorities(timeline) ? std::string() : std::string(wakeups) + "-priority";
}

std::string wakeupPriorityText(PriorityCache& priorities, const Row& thread, TimeRange wakeup)
{
    const auto priority = priorities.at(thread.ref, wakeup.end);
    return priority ? "priority " + std::to_string(*priority) : "unknown priority";
}

void forEachWakeup(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
                   const std::function<void(const Row&, TimeRange)>& take, std::stop_token stop)
{
    const auto takeOne = [&](const Row& row, const Interval& wait) { take(row, wait.range); };
    forEachByBegin(
        threads, window, [](const Row& row) -> const Row& { return row; },
        [&](const Row& row, TimeRange part, std::vector<Stay>& all) { addWakeups(timeline, row, part, window.end, all, stop); }, takeOne,
        stop);
}

} // namespace helio
