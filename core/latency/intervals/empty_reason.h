#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Texts that explain why there are no results for a kind of intervals. Commands and docks use the same texts.
namespace helio {

/// Returns a text that says why there are no intervals of this kind (IntervalKind::id). If every trace lacks events that the kind
/// needs, the text names the events and says how to record them: "syscall_entry_* was not recorded; record it with: lttng
/// enable-event -k --syscall --all". Otherwise, returns the explanation CompositeState::nothing. Empty if no reason is known.
/// Threads: any.
/// Cost: examines the missing events of each trace, and the rows.
std::string missingEvents(const Timeline& timeline, std::string_view kind);

/// Returns a text that says why `count` intervals are too few to search for periods: "only 3 intervals: too few to find a period".
/// Empty if `count` is large enough.
std::string whyTooFewToRepeat(std::uint64_t count);

} // namespace helio
