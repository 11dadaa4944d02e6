#include "core/network/connections.h"
#include "widgets/docks/packets/packets_view.h"
#include "widgets/workspace/view_kind.h"

namespace helio {

extern const ViewKind packetsDock;
const ViewKind packetsDock{.id = "packets",
                           .title = "Packets",
                           .area = ViewKind::Area::Bottom,
                           .order = 9,
                           .menuOrder = 14,
                           .shortcut = "",
                           .tip = "Network connections and the latencies of their packets",
                           .make = [](ViewContext& context, QWidget* parent) -> QWidget* { return new PacketsView(context, parent); },
                           .hasContent = hasConnections};

} // namespace helio
