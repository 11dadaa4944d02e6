#pragma once

#include "core/analysis/analysis.h"
#include "core/plugin/heliograph_plugin.h"
#include "core/trace/fields/field_ref.h"

#include <string>
#include <vector>

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
    std::vector<helio::StateSetId> sets{};
    std::vector<std::uint32_t> statesOfSet{}; ///< How many, of each in `sets`.
    struct Row {
        helio::TrackId track{};
        std::uint32_t states = 0;
    };
    std::vector<Row> rows{};
    std::vector<helio::LinkKind> linkKinds{};
    std::vector<helio::SegmentKindId> segmentKinds{};
    std::vector<helio::Diagnostic> diagnostics{};
};

namespace helio {

/// The functions that plug-ins call. Every number and pointer that a plug-in hands over is checked.
const heliograph_host_v1& pluginHost();

} // namespace helio
