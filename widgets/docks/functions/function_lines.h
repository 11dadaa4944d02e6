#pragma once

#include "core/profiling/calls/call_durations.h"
#include "core/profiling/samples/function_groups.h"
#include "widgets/profiling/sample_model.h"

#include <memory>
#include <vector>

namespace helio {

/// The user's choices for the Functions dock.
struct FunctionChoices {
    FunctionGroup group = FunctionGroup::Function;
    bool byCommand = false; ///< True to split each line by command, i.e. by the name of the thread.
    bool byThread = false; ///< True to split each line by thread.
    bool byCpu = false; ///< True to split each line by CPU.
    std::vector<std::string> events; ///< Events shown beside the event that all views show.
    bool operator==(const FunctionChoices&) const = default;
};

/// The lines of the Functions dock. A value type.
struct FunctionLines {
    struct ComparedEvent {
        SampleKind kind;
        std::vector<LineCost> costs; ///< Indexed by line of the table; empty while functions have no names yet.
    };
    FunctionTable table;
    FunctionChoices choices;
    WeightBy by = WeightBy::Samples;
    SampleKind kind;
    std::vector<ComparedEvent> events;
    bool weighsWallTime = true; ///< True if the weights of calls are wall time, like their durations.
    /// Durations of calls, indexed by line of the table; an entry is empty if no call lies entirely in the range. The vector is empty if
    /// the lines are not functions with calls, or have no names yet.
    std::vector<std::optional<CallDurations>> lengths;
};

/// Makes lines, and caches the samples of the events shown beside: sorting and filtering do not collect them again.
/// Threads: to be used by one thread at a time, never the UI thread.
class FunctionLinesCache {
public:
    FunctionLines list(const CollectedSamples& samples, const FunctionChoices& choices, WeightBy by, bool expandsInlined,
                       std::stop_token stop);

private:
    struct Collected {
        StackProfile profile;
        StackNames names;
    };
    const Collected& collected(const CollectedSamples& samples, const std::string& kind, bool expandsInlined, const std::stop_token& stop);

    std::weak_ptr<const StackProfile> m_of;
    bool m_expandsInlined = true;
    std::vector<std::pair<std::string, Collected>> m_events;
};

} // namespace helio
