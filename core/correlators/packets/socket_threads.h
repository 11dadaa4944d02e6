#pragma once

#include "core/correlation/transmissions.h"

namespace helio::packets {

/// Says of both ends of every message whose socket was there, as far as that is known. Who was woken while a packet came in may be anybody:
/// it counts where that thread also sends from the socket or accepted the connection, or is woken by half of all that comes in there. Ends
/// of which no event says which thread it was are of the one that the connection's other packets have there; all others stay unknown.
/// Requires: messages and packets have their connections. Cost: some 500 ns a message.
void findSocketThreads(Transmissions& messages);

} // namespace helio::packets
