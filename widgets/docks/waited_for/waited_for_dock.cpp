#include "widgets/docks/waited_for/critical_path_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind waitedForDock;
const ViewKind waitedForDock{
    "waited_for",
    "What it waited for",
    ViewKind::Place::Bottom,
    9,
    12,
    "",
    "The critical path as a flame graph: whom it waited for, what those did or waited for, and what would have to be quicker",
    [](ViewContext& context, QWidget* parent) -> QWidget* { return new CriticalPathView(context, parent); }};

} // namespace helio
