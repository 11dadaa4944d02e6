#include "widgets/docks/inspector/inspector_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind inspectorDock;
const ViewKind inspectorDock{
    "inspector",
    "Analysis inspector",
    ViewKind::Place::Bottom,
    9,
    12,
    "",
    "What each rule of an analysis did: how often it was tried and fired, when, and what is under way at the cursor",
    [](ViewContext& context, QWidget* parent) -> QWidget* { return new InspectorView(context, parent); }};

} // namespace helio
