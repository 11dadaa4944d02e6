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

/// The sample kinds, modules, functions and threads that a plug-in's analysis has declared.
struct PluginSampleState {
    struct Kind {
        std::string name;
        SampleKindId id{};
        HostTimestamp last = HostTimestamp::min(); ///< Latest time of a sample of this kind so far.
    };
    std::vector<Kind> kinds{};
    /// Modules by path and by whether the plug-in names the module's functions (true) or gives their addresses (false).
    std::map<std::pair<bool, std::string>, ModuleId> modules{};
    std::map<std::pair<ModuleId, std::string>, std::uint64_t> places{}; ///< Addresses of named functions, by module and name.
    std::unordered_map<std::int32_t, TrackId> threads{}; ///< Tracks of the threads, keyed by TID.
    std::optional<StateSetId> threadStates{};
    StackId lastStack = NoStack; ///< Highest stack number returned to the plug-in so far.

    /// Returns the stack with this number; NoStack if no such number was returned to the plug-in.
    StackId stackOf(std::uint32_t number) const { return number <= static_cast<std::uint32_t>(lastStack) ? StackId{number} : NoStack; }
};

} // namespace helio

/// The structures that the C interface declares as opaque.

struct heliograph_trace {
    const helio::Trace& trace;
    struct Field {
        std::uint32_t type = 0;
        helio::FieldRef ref;
    };
    std::vector<Field> fields{}; ///< Fields that the plug-in looked up; a field's index is the number that the plug-in received.
};

struct heliograph_event {
    const heliograph_trace& trace;
    helio::EventView event{};
};

struct heliograph_output {
    helio::StateSink& sink;
    std::string title{}; ///< Title of the analysis.
    std::uint64_t event = 0; ///< Sequence number of the current event in the merged order of the trace's events.
    std::vector<helio::StateSetId> sets{};
    std::vector<std::uint32_t> statesOfSet{}; ///< Number of states of each state set, indexed like `sets`.
    struct Row {
        helio::TrackId track{};
        std::uint32_t states = 0;
    };
    std::vector<Row> rows{};
    std::vector<helio::LinkKind> linkKinds{};
    std::uint32_t segmentKinds = 0; ///< Number of segment kinds that the plug-in has declared.
    std::uint32_t series = 0; ///< Number of series that the plug-in has declared.
    helio::PluginSampleState samples{};
    std::vector<helio::Diagnostic> diagnostics{};
};

namespace helio {

/// Returns the functions that plug-ins call. The functions check all numbers and pointers that a plug-in passes.
const heliograph_host_v1& pluginHost();

} // namespace helio
