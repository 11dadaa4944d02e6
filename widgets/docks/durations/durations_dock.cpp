#include "widgets/docks/durations/durations_dock_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind durationsDock;
const ViewKind durationsDock{"durations",
                             "Durations",
                             ViewKind::Place::Bottom,
                             4,
                             11,
                             "",
                             "Latency and duration of states, segments, packets, throttled processes and calls: percentiles and histograms",
                             [](ViewContext& context, QWidget* parent) -> QWidget* { return new DurationsDockView(context, parent); }};

} // namespace helio
