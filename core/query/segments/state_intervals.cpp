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

/// Returns the part of `window` in which rows exist: from the earliest begin to the latest end of their lifetimes.
TimeRange livesIn(std::span<const RowState> rows, TimeRange window)
{
    TimeRange all{Timestamp::max(), Timestamp::min()};
    for (const RowState& it : rows)
        all = {std::min(all.begin, it.row.life.begin), std::max(all.end, it.row.life.end)};
    return all.clippedTo(window);
}

/// Returns the intervals that begin in `part`, end at `end` at the latest, and are in the state that `rows` has for their row. `part`
/// is a part of the time range of a query; `end` is the end of the whole time range.
std::vector<Stay> begunIn(const Timeline& timeline, std::span<const RowState> rows, TimeRange part, Timestamp end,
                          const std::stop_token& stop)
{
    std::vector<Stay> all;
    for (const RowState& it : rows)
        if (it.row.life.overlaps(part))
            for (const Interval& interval : intervals(timeline, it.row.ref, part, stop))
                if (interval.state == it.state && interval.range.begin >= part.begin && interval.range.end <= end)
                    all.push_back({&it.row, interval});
    std::ranges::stable_sort(all, {}, [](const Stay& stay) { return stay.interval.range.begin; });
    return all;
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
    constexpr std::uint64_t IntervalsAtATime = 65'536;
    const TimeRange all = livesIn(rows, window);
    std::uint64_t count = 0;
    for (const RowState& it : rows)
        count += it.row.intervals;
    const Duration step = std::max(Duration(1), lengthOf(all) / static_cast<std::int64_t>(count / IntervalsAtATime + 1));
    for (Timestamp begin = all.begin; begin < all.end && !stop.stop_requested();) {
        const Timestamp end = lengthOf({begin, all.end}) / 2 > step ? begin + step : all.end;
        for (const Stay& stay : begunIn(timeline, rows, {begin, end}, window.end, stop))
            take(*stay.row, stay.interval);
        begin = end;
    }
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
    const auto is = [&](const Row& row, const std::vector<Interval>& found, auto means) {
        return !found.empty() && means(meaningOf(timeline, row.ref, found.front().state));
    };
    std::vector<RowState> waiting;
    for (const Row& row : threads) {
        const auto& states = statesOf(timeline, row.ref).states;
        for (std::size_t i = 0; i < states.size(); ++i)
            if (states[i].meaning == StateCategory::WaitsForCpu || states[i].meaning == StateCategory::Throttled)
                waiting.push_back({row, State(static_cast<std::uint8_t>(i))});
    }
    const auto isKnown = [](StateCategory meaning) { return meaning != StateCategory::Unknown; };
    const auto isWoken = [&](const Row& row, const Interval& it) {
        const auto before = previousInterval(timeline, row.ref, it.range.begin);
        if (is(row, before, isKnown) && before.front().range.end == it.range.begin)
            return isOffCpu(meaningOf(timeline, row.ref, before.front().state));
        const auto waking = findWakeup(timeline, row.ref, it);
        return waking && waking->toTime == it.range.begin;
    };
    const auto takeWoken = [&](const Row& row, const Interval& it) {
        const Timestamp end = runnableUntil(timeline, row.ref, it.range.end);
        if (end <= window.end && is(row, intervalAt(timeline, row.ref, end), isOnCpu) && isWoken(row, it))
            take(row, {it.range.begin, end});
    };
    forEachStateInterval(timeline, waiting, window, takeWoken, stop);
}

} // namespace helio
