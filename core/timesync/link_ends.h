#pragma once

#include "core/query/rows/arrows.h"
#include "core/query/rows/state_text.h"

#include <array>
#include <cstdint>
#include <stop_token>

namespace helio {

/// What is known of a message's end that is at a CPU's row, or nowhere: what the CPU did then, and whose message it was. Nothing of it is
/// guessed: what the traces do not say is left out.
struct LinkEnd {
    StateText context; ///< What the CPU did: a system call, an interrupt's handler. Empty: not known.
    TrackRef occupant{}; ///< The thread that had the CPU, also while an interrupt ran there. Not valid: none, or not known.
    bool wasIdle = false; ///< No thread had it.
    std::int32_t tid = -1; ///< Of who sent it, or was woken by it, or has its socket; -1: not known.
    TrackRef thread{}; ///< Its row; not valid: it has none.
    TrackRef process{}; ///< The row of the first thread of its process, where that is another one.
    bool isOfSocket = false; ///< The thread has the socket: it did not send it itself.
};

/// Of an arrow's ends, where it left first; empty ones where the row is a thread's, or no message made the arrow. Ends early once `stop` is
/// requested. Cost: where no event says whose the message is, as connectionsIn(); else little.
std::array<LinkEnd, 2> linkEnds(const Timeline& timeline, const Arrow& arrow, std::stop_token stop = {});

} // namespace helio
