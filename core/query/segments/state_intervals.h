#pragma once

#include "core/query/rows/priorities.h"
#include "core/query/rows/rows.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

namespace helio {

/// Returns the number of a track's state with the given name; nullopt if the track has no state of that name.
std::optional<State> findState(const Timeline& timeline, TrackRef track, std::string_view name);

/// A row, and the state for which forEachStateInterval() finds intervals.
struct RowState {
    Row row;
    State state{};
};

/// Calls `take` for each interval of the rows that is in the state of its RowState and lies completely in `window`. The intervals are
/// sorted by start time; those with equal start times are in the order of `rows`. Returns early if `stop` is requested.
/// Cost: reads every interval of the rows in `window`. Memory: 40 bytes for each of about 65,536 intervals, more if very many intervals
/// start at the same time.
void forEachStateInterval(const Timeline& timeline, std::span<const RowState> rows, TimeRange window,
                          const std::function<void(const Row&, const Interval&)>& take, std::stop_token stop = {});

/// Returns the id of the link kind for wake-ups; empty if no store has wake-ups.
std::string_view wakeupKind(const Timeline& timeline);

/// Returns the id of the latency kind that groups wake-ups by the priority of the woken thread; empty if no priority was recorded.
std::string wakeupPriorityKind(const Timeline& timeline);
/// Returns the thread's priority when it ran after the wake-up, as text: "priority 120" or "unknown priority".
std::string wakeupPriorityText(PriorityCache& priorities, const Row& thread, TimeRange wakeup);

/// Calls `take` for each wait of a woken thread for a CPU. The wait begins with the wake-up of a thread that was blocked or in an unknown
/// state; it ends when the thread runs. Only waits that lie wholly in `window` are passed, in the order of their starts; waits with equal
/// starts are in the order of `threads`.
void forEachWakeup(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
                   const std::function<void(const Row&, TimeRange)>& take, std::stop_token stop = {});

} // namespace helio
