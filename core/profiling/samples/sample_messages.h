#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/profiling/samples/truncated_stacks.h"
#include "core/query/rows/messages.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Samples in functions that have no name, but would have one if symbols were found.
struct MissingSymbols {
    SampleSum sum;
    std::vector<std::string> modules; ///< Modules that contain the functions without names, in descending order of samples.
    bool operator==(const MissingSymbols&) const = default;
};

/// Sums up the samples with an innermost frame that has no name. Code outside of all modules, and code with names in the recording itself,
/// is not counted, because symbols would not give it a name. Requires: names and profile belong to the timeline.
/// Threads: any.
/// Cost: a few ns for each collected stack.
MissingSymbols missingSymbols(const StackProfile& profile, const StackNames& names, const Timeline& timeline);

/// Returns messages about truncated stacks and missing names. They are warnings if a notable share of the samples is affected, else notes.
std::vector<Message> sampleMessages(const TruncatedStacks& ends, const MissingSymbols& nameless, std::uint64_t samples);

/// Returns sentences that say why the results may be incomplete or wrong, e.g. because functions have no names. Each sentence begins with
/// `side`.
std::vector<std::string> describeLimits(const StackProfile& profile, const StackNames& names, const Timeline& timeline,
                                        std::string_view side = {});

/// Returns a note that lists the files with symbols that were found beside the recordings so far (Symbolizer::filesBesideRecordings());
/// nullopt if there are none.
/// Threads: any, also the UI thread.
std::optional<Message> symbolFilesMessage(const Timeline& timeline);

} // namespace helio
