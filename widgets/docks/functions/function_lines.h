#pragma once

#include "core/profiling/calls/function_lengths.h"
#include "core/profiling/samples/function_groups.h"
#include "widgets/profiling/sample_model.h"

#include <memory>
#include <vector>

namespace helio {

/// What a person chose to see of the functions.
struct FunctionChoices {
    FunctionGroup group = FunctionGroup::Function;
    bool byThread = false; ///< Thread or CPU part the lines further.
    bool byCpu = false;
    std::vector<std::string> events; ///< Shown beside the one that all views are about.
    bool operator==(const FunctionChoices&) const = default;
};

/// The lines of the Functions dock. A value.
struct FunctionLines {
    struct Beside {
        SampleKind kind;
        std::vector<LineCost> costs; ///< By line of the table. Empty: not known while functions are without their names.
    };
    FunctionTable table;
    FunctionChoices choices;
    WeightBy by = WeightBy::Samples;
    SampleKind kind;
    std::vector<Beside> events;
    bool weighsLengths = true; ///< Of calls: their weights are of the time that their lengths are of, wall time.
    /// Of calls, by line of the table; none where no call lies in the range as a whole. Empty: lines are of no functions' calls, or these
    /// are still without their names.
    std::vector<std::optional<FunctionLengths>> lengths;
};

/// Makes lines, and keeps the samples of the events beside: sorting and filtering do not collect again. One thread at a time, never the
/// UI's.
class FunctionLister {
public:
    FunctionLines list(const ShownSamples& samples, const FunctionChoices& choices, WeightBy by, bool expandsInlined, std::stop_token stop);

private:
    struct Collected {
        StackProfile profile;
        StackNames names;
    };
    const Collected& collected(const ShownSamples& samples, const std::string& kind, bool expandsInlined, const std::stop_token& stop);

    std::weak_ptr<const StackProfile> m_of;
    bool m_expandsInlined = true;
    std::vector<std::pair<std::string, Collected>> m_events;
};

} // namespace helio
