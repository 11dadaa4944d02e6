#include "widgets/views/details/details_view.h"
#include "widgets/views/view_kind.h"

namespace helio {

extern const ViewKind detailsDock;
const ViewKind detailsDock{"details", "Details", ViewKind::Place::RightTop, 1,
                           [](ViewContext& context, QWidget* parent) -> QWidget* { return new DetailsView(context, parent); }};

} // namespace helio
