#include "widgets/docks/clocks/clocks_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind clocksDock;
const ViewKind clocksDock{"clocks",
                          "Clocks",
                          ViewKind::Place::Bottom,
                          5,
                          13,
                          "",
                          "The hosts' clocks: how they are related, how sure that is, and what can be changed about it",
                          [](ViewContext& context, QWidget* parent) -> QWidget* { return new ClocksView(context, parent); }};

} // namespace helio
