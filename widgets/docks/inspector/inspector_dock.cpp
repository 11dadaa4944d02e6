#include "widgets/docks/inspector/inspector_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind inspectorDock;
const ViewKind inspectorDock{.id = "inspector",
                             .title = "Analysis inspector",
                             .area = ViewKind::Area::Bottom,
                             .order = 11,
                             .menuOrder = 12,
                             .shortcut = "",
                             .tip = "Rules of an analysis: how often and when they matched, and their state at the cursor",
                             .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new InspectorView(context, parent); },
                             .hasContent = isNeverShownUnasked};

} // namespace helio
