#include "core/query/rows/recording_kind.h"
#include "widgets/docks/waited_for/critical_path_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind waitedForDock;
const ViewKind waitedForDock{
    .id = "waited_for",
    .title = "Critical path",
    .area = ViewKind::Area::Bottom,
    .order = 4,
    .menuOrder = 12,
    .shortcut = "",
    .tip = "Critical path of the selected thread as a flame graph, with what to speed up",
    .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new CriticalPathView(context, parent); },
    .hasContent = [](const Timeline& timeline) { return recordingKind(timeline) == RecordingKind::States; }};

} // namespace helio
