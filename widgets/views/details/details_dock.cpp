#include "widgets/view/view_kind.h"
#include "widgets/views/details/details_view.h"

namespace helio {

extern const ViewKind detailsDock;
const ViewKind detailsDock{"details", "Details", ViewKind::Place::RightTop, 1,
                           [](ViewContext& context, QWidget* parent) -> QWidget* { return new DetailsView(context, parent); }};

} // namespace helio
