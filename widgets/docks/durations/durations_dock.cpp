#include "widgets/docks/durations/durations_dock_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind durationsDock;
const ViewKind durationsDock{
    .id = "durations",
    .title = "Latency",
    .area = ViewKind::Area::Bottom,
    .order = 2,
    .menuOrder = 11,
    .shortcut = "",
    .tip = "Latencies and durations, also of throttled processes, with percentiles and histograms",
    .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new DurationsDockView(context, parent); }};

} // namespace helio
