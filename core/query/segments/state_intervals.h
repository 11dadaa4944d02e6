#pragma once

#include "core/query/rows/priorities.h"
#include "core/query/rows/rows.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

namespace helio {

/// Returns the state with that name of a track; nullopt if its states have no such name.
std::optional<State> findState(const Timeline& timeline, TrackRef track, std::string_view name);

/// A row, and the state whose intervals are wanted.
struct RowState {
    Row row;
    State state{};
};

/// Calls `take` for each interval of a row in its wanted state that lies wholly in the window, by begin, then in the order of the rows.
/// Ends early once `stop` is requested.
/// Cost: reads every interval of the rows in the window. Memory: 40 bytes for each of about 65,536 intervals, more if very many begin at
/// once.
void forEachStateInterval(const Timeline& timeline, std::span<const RowState> rows, TimeRange window,
                          const std::function<void(const Row&, const Interval&)>& take, std::stop_token stop = {});

/// Returns the id of wake-up links in the stores; empty if no store has any.
std::string_view wakeupKind(const Timeline& timeline);

/// Returns the id of wake-ups grouped by the threads' priorities; empty if no priority was recorded.
std::string wakeupPriorityKind(const Timeline& timeline);
/// Returns "priority 120": the thread's priority when it ran after the wake-up.
std::string wakeupPriorityText(PriorityCache& priorities, const Row& thread, TimeRange wakeup);

/// Calls `take` with the waits of woken threads for a CPU: from the wake-up that ended a wait (of a blocked thread, or of one whose state
/// was unknown) until the thread ran. Only waits that lie wholly in the window, in the order of forEachStateInterval().
void forEachWakeup(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
                   const std::function<void(const Row&, TimeRange)>& take, std::stop_token stop = {});

} // namespace helio
