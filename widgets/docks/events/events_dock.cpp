#include "widgets/docks/events/events_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind eventsDock;
const ViewKind eventsDock{"events",
                          "Events",
                          ViewKind::Place::Bottom,
                          1,
                          6,
                          "Ctrl+6",
                          "The raw event table",
                          [](ViewContext& context, QWidget* parent) -> QWidget* { return new EventsView(context, parent); }};

} // namespace helio
