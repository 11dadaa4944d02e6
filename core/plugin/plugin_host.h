#pragma once

#include "core/analysis/analysis.h"
#include "core/plugin/heliograph_plugin.h"
#include "core/trace/fields/field_ref.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio {

/// What of samples was declared and is known by numbers.
struct PluginSamples {
    struct Kind {
        std::string name;
        SampleKindId id{};
        HostTimestamp last = HostTimestamp::min(); ///< Of its samples.
    };
    std::vector<Kind> kinds{};
    std::map<std::pair<bool, std::string>, ModuleId> modules{}; ///< By whether its functions are named, and its path.
    std::map<std::pair<ModuleId, std::string>, std::uint64_t> places{}; ///< Of named functions.
    std::unordered_map<std::int32_t, TrackId> threads{}; ///< By tid.
    std::optional<StateSetId> threadStates{};
    StackId lastStack = NoStack; ///< All up to it were handed out.

    /// NoStack for a number that was not.
    StackId stackOf(std::uint32_t number) const { return number <= static_cast<std::uint32_t>(lastStack) ? StackId{number} : NoStack; }
};

} // namespace helio

/// What the opaque names of the C interface stand for.

struct heliograph_trace {
    const helio::Trace& trace;
    struct Field {
        std::uint32_t type = 0;
        helio::FieldRef ref;
    };
    std::vector<Field> fields{}; ///< By the numbers that were handed out.
};

struct heliograph_event {
    const heliograph_trace& trace;
    helio::EventView event{};
};

struct heliograph_output {
    helio::StateSink& sink;
    std::string title{}; ///< Of the analysis.
    std::uint64_t event = 0; ///< The number of the one that is being looked at, in merged order.
    std::vector<helio::StateSetId> sets{};
    std::vector<std::uint32_t> statesOfSet{}; ///< How many, of each in `sets`.
    struct Row {
        helio::TrackId track{};
        std::uint32_t states = 0;
    };
    std::vector<Row> rows{};
    std::vector<helio::LinkKind> linkKinds{};
    std::uint32_t segmentKinds = 0; ///< So many were handed out.
    std::uint32_t series = 0; ///< The same.
    helio::PluginSamples samples{};
    std::vector<helio::Diagnostic> diagnostics{};
};

namespace helio {

/// The functions that plug-ins call. Every number and pointer that a plug-in hands over is checked.
const heliograph_host_v1& pluginHost();

} // namespace helio
