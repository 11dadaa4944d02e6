#pragma once

#include "core/profiling/samples/early_ends.h"
#include "core/profiling/samples/missing_symbols.h"
#include "core/query/rows/messages.h"

#include <vector>

namespace helio {

/// What a person has to know of samples before believing what is shown of them: that their stacks end early, that their code has no names.
/// Warnings where that is a notable share, else notes.
std::vector<Message> sampleMessages(const EarlyEnds& ends, const MissingSymbols& nameless, std::uint64_t samples);

} // namespace helio
