#include "widgets/docks/details/details_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind detailsDock;
const ViewKind detailsDock{"details",
                           "Details",
                           ViewKind::Place::RightTop,
                           1,
                           1,
                           "Ctrl+1",
                           "What is under the selection",
                           [](ViewContext& context, QWidget* parent) -> QWidget* { return new DetailsView(context, parent); }};

} // namespace helio
