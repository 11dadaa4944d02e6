#include "widgets/docks/packets/packets_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind packetsDock;
const ViewKind packetsDock{"packets",
                           "Packets",
                           ViewKind::Place::Bottom,
                           6,
                           14,
                           "",
                           "Who talked to whom, and how long their packets took",
                           [](ViewContext& context, QWidget* parent) -> QWidget* { return new PacketsView(context, parent); }};

} // namespace helio
