#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Reasons why there are no results for a kind of intervals, in the words that commands and docks share.
namespace helio {

/// Returns which events the kind (IntervalKind::id) needs that no trace recorded, and how to record them: "syscall_entry_* was not
/// recorded; record it with: lttng enable-event -k --syscall --all". If the events were recorded, returns why they show no such interval
/// (CompositeState::nothing). Empty if nothing is known to be missing.
/// Threads: any.
/// Cost: looks at the missing events of each trace and at the rows.
std::string missingEvents(const Timeline& timeline, std::string_view kind);

/// Returns the reason why `count` intervals are too few to search for periods: "there are only 3 of these: too few to look for what
/// repeats". Empty if they are enough.
std::string whyTooFewToRepeat(std::uint64_t count);

} // namespace helio
