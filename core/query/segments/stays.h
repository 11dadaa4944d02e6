#pragma once

#include "core/query/rows/priorities.h"
#include "core/query/rows/rows.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

namespace helio {

/// The row's state of that name. Nothing: its states have none of that name.
std::optional<State> findState(const Timeline& timeline, TrackRef track, std::string_view name);

/// A row and the state whose intervals are asked for.
struct RowState {
    Row row;
    State state{};
};

/// Hands over the intervals that the rows were in their state and that lie in the window as a whole, by begin, those of one moment in the
/// order of the rows. Ends early once `stop` is requested. Cost: as reading every interval of the rows in the window, and 40 bytes for each
/// of some 65,536 (more where very many begin at once).
void eachStay(const Timeline& timeline, std::span<const RowState> rows, TimeRange window,
              const std::function<void(const Row&, const Interval&)>& take, std::stop_token stop = {});

/// What the stores call wake-ups. Empty: none of them has any.
std::string_view wakeupKind(const Timeline& timeline);

/// What they are called where they are summed up by the threads' priorities. Empty: none was recorded.
std::string wakeupPriorityKind(const Timeline& timeline);
/// "priority 120", as when the thread ran.
std::string wakeupPriorityText(KnownPriorities& priorities, const Row& thread, TimeRange wakeup);

/// Hands over how long threads that were woken waited for a CPU: from the wake-up that ended a wait (of a thread that could not run, or of
/// which nothing was known) to when the thread ran. Those that lie in the window as a whole, in the order of eachStay().
void eachWakeup(const Timeline& timeline, std::span<const Row> threads, TimeRange window,
                const std::function<void(const Row&, TimeRange)>& take, std::stop_token stop = {});

} // namespace helio
