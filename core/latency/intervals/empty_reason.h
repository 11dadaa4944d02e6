#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>
#include <string_view>

/// Why there is nothing to say of a kind of pieces, in words that commands and docks share.
namespace helio {

/// What was not recorded of what the kind (IntervalKind::id) is made of, and what records it: "syscall_entry_* was not recorded; record it
/// with: lttng enable-event -k --syscall --all"; else why events of the kind do not show it (CompositeState::nothing). Empty: nothing is
/// known to lack. Threads: any. Cost: a look at what the traces lack and at the rows.
std::string missingEvents(const Timeline& timeline, std::string_view kind);

/// That there are too few to look for what repeats in them: "there are only 3 of these: too few to look for what repeats". Empty: they are
/// enough.
std::string whyTooFewToRepeat(std::uint64_t count);

} // namespace helio
