#pragma once

#include "core/profiling/samples/missing_symbols.h"
#include "core/profiling/samples/truncated_stacks.h"
#include "core/query/rows/messages.h"

#include <vector>

namespace helio {

/// Returns messages about the limits of samples: their stacks end early, or their code has no names. They are warnings if a notable
/// share of the samples is concerned, else notes.
std::vector<Message> sampleMessages(const TruncatedStacks& ends, const MissingSymbols& nameless, std::uint64_t samples);

} // namespace helio
