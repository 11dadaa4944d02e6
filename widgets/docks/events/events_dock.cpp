#include "widgets/docks/events/events_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind eventsDock;
const ViewKind eventsDock{.id = "events",
                          .title = "Events",
                          .area = ViewKind::Area::Bottom,
                          .order = 1,
                          .menuOrder = 6,
                          .shortcut = "Ctrl+6",
                          .tip = "All events of the traces",
                          .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new EventsView(context, parent); }};

} // namespace helio
