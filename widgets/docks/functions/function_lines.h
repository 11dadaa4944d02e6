#pragma once

#include "core/profiling/calls/call_durations.h"
#include "core/profiling/samples/function_groups.h"
#include "widgets/profiling/sample_model.h"

#include <memory>
#include <vector>

namespace helio {

/// Options of the Functions dock that the user chose.
struct FunctionChoices {
    FunctionGroup group = FunctionGroup::Function;
    bool byCommand = false; ///< True to split each row of the table by command, i.e. by the name of the thread.
    bool byThread = false; ///< True to split each row of the table by thread.
    bool byCpu = false; ///< True to split each row of the table by CPU.
    std::vector<std::string> events; ///< Events that have columns in addition to the event that all views show.
    bool operator==(const FunctionChoices&) const = default;

    /// True if each row belongs to one command. False only for functions, modules and source lines that are summed over all threads.
    bool hasCommands() const { return byCommand || byThread || byCpu || !hasModules(group); }
};

/// Contents of the table in the Functions dock, with the choices for which they were computed.
struct FunctionLines {
    struct ComparedEvent {
        SampleKind kind;
        std::vector<LineCost> costs; ///< Amounts of the event, indexed by row of `table`; empty until functions have names.
    };
    FunctionTable table;
    FunctionChoices choices;
    WeightBy by = WeightBy::Samples;
    SampleKind kind;
    std::vector<ComparedEvent> events;
    bool weighsWallTime = true; ///< True if the weights of calls are wall time, as their durations are.
    /// Durations of calls, indexed by row of `table`; an entry is nullopt if no call is entirely in the range. Empty if the rows are not
    /// functions with calls, or have no names yet.
    std::vector<std::optional<CallDurations>> lengths;
};

/// Computes the rows of the table, and caches the samples of other events, so that sorting and filtering do not collect the samples again.
/// Threads: one thread at a time, not the UI thread.
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
