#pragma once

#include "core/experiment/timeline.h"
#include "core/query/rows/arrows.h"
#include "core/query/rows/state_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>

namespace helio {

/// Context of one end of a message: the activity of the CPU on which the message was sent or received, and the thread to which the message
/// belongs. Filled only for an end whose row is a CPU or unknown, and only with facts that the traces record.
struct LinkEnd {
    StateText context; ///< System call or interrupt handler that ran on the CPU; empty if unknown.
    /// Row of the thread on the CPU, or of the thread that an interrupt handler interrupted; not valid if the CPU was idle or the thread is
    /// unknown.
    TrackRef occupant{};
    bool wasIdle = false; ///< True if the end's CPU ran no thread when the message was sent or received.
    std::int32_t tid = -1; ///< Thread that sent the message, was woken by the message, or owns its socket; -1 if unknown.
    TrackRef thread{}; ///< Row of the thread `tid`; not valid if the thread has no row.
    TrackRef process{}; ///< Row of the main thread of the process of `tid`, if the main thread is another thread.
    bool isSocketOwner = false; ///< True if the thread owns the socket, but is not known to have sent or received the message itself.
};

/// Returns the contexts of the two ends of an arrow, the sending end first. The context of an end is empty if the end's row is a thread,
/// because the thread is then known. Both are empty if the arrow shows no message. Returns early once `stop` is requested.
/// Cost: one collectConnections() if no event names the message's thread; else negligible.
std::array<LinkEnd, 2> linkEnds(const Timeline& timeline, const Arrow& arrow, std::stop_token stop = {});

/// Departure of a message from a host, or its arrival at a host.
struct MessageEnd {
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    Timestamp at{};
    TrackRef row{}; ///< Row of the thread that sent or received the message, else of the CPU; not valid if both are unknown.
};

struct MessageEnds {
    MessageEnd from;
    MessageEnd to;
    std::string text; ///< Description of the message, for example "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100", as far as recorded.
};

/// Returns the departure and the arrival of a message. Requires: `relation` indexes Timeline::relations, and `message` indexes
/// Transmissions::all of that correlation. Cost: negligible.
MessageEnds endsOf(const Timeline& timeline, std::size_t relation, std::uint32_t message);

} // namespace helio
