#include "widgets/docks/details/details_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind detailsDock;
const ViewKind detailsDock{.id = "details",
                           .title = "Details",
                           .area = ViewKind::Area::RightTop,
                           .order = 1,
                           .menuOrder = 1,
                           .shortcut = "Ctrl+1",
                           .tip = "Explanation and properties of the selection",
                           .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new DetailsView(context, parent); },
                           .icon = "info"};

} // namespace helio
