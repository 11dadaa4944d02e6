#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/recording_kind.h"
#include "widgets/docks/requests/requests_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind requestsDock;
const ViewKind requestsDock{
    .id = "requests",
    .title = "Requests",
    .area = ViewKind::Area::Bottom,
    .order = 3,
    .menuOrder = 11,
    .shortcut = "",
    .tip = "System calls, calls and segments, each with its time by cause",
    .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new RequestsView(context, parent); },
    .hasContent =
        [](const Timeline& timeline) { return recordingKind(timeline) == RecordingKind::States || !sampleKinds(timeline).empty(); }};

} // namespace helio
