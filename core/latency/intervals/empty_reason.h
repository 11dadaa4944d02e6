#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Texts that explain why there are no results for a kind of intervals. Commands and docks use the same texts.
namespace helio {

/// Returns a text that names the events which the kind of intervals (IntervalKind::id) needs and no trace recorded, and how to record them:
/// "syscall_entry_* was not recorded; record it with: lttng enable-event -k --syscall --all". If the events were recorded, returns
/// CompositeState::nothing, which explains other reasons for having no intervals. Empty if no reason is known.
/// Threads: any.
/// Cost: examines the missing events of each trace, and the rows.
std::string missingEvents(const Timeline& timeline, std::string_view kind);

/// Returns a text that says why `count` intervals are too few to search for periods: "there are only 3 of these: too few to look for what
/// repeats". Empty if `count` is large enough.
std::string whyTooFewToRepeat(std::uint64_t count);

} // namespace helio
