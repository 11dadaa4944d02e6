#include "widgets/docks/requests/requests_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind requestsDock;
const ViewKind requestsDock{
    "requests",
    "Requests",
    ViewKind::Place::Bottom,
    8,
    11,
    "",
    "Calls, or segments of an analysis, each with what its time went into on whichever thread, device or host it waited for",
    [](ViewContext& context, QWidget* parent) -> QWidget* { return new RequestsView(context, parent); }};

} // namespace helio
