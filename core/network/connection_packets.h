#pragma once

#include "core/network/connections.h"
#include "core/store/track_ref.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace helio {

/// What is known of a packet's way.
enum class PacketFate : std::uint8_t {
    Arrived, ///< It was seen to leave and to come in.
    Lost, ///< It left, and did not come in at the other end's host, which recorded then what did.
    Ambiguous, ///< Several alike left or came in: nobody knows which is which.
    NotRecorded, ///< The other end's host is not among the traces, or did not record then what comes in.
    NotSeenToLeave, ///< It is only known to have come in.
};

std::string_view wordOf(PacketFate fate); ///< "arrived", "lost", "ambiguous", "not recorded", "not seen to leave"

/// One packet of a connection, on the experiment's clock.
struct ConnectionPacket {
    std::optional<Timestamp> sent; ///< Nothing: it was not seen to leave.
    std::optional<Timestamp> received; ///< When the last of it came in; nothing: nobody saw that.
    TrackRef from; ///< The row of the thread that sent it, and of the one that it woke; not valid: not known.
    TrackRef to;
    std::optional<std::uint32_t> message; ///< Its way's place in Transmissions::all; nothing: an end is not known.
    PacketFate fate = PacketFate::Arrived;
    bool isBack = false; ///< From ConnectionFacts::to.
    bool isAgain = false; ///< Sent once more: no byte of it is new.
    bool hasSequence = false; ///< It is TCP's: sequence, acknowledgement and flags are known.
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint16_t flags = 0;
    std::uint32_t length = 0; ///< Bytes, headers included; 0: not recorded.
    std::uint32_t payload = 0; ///< Bytes of it.
    Duration error{}; ///< What the length of its way is right within. Duration::max(): not known.
    std::string text; ///< "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100 again"

    /// The end that was seen first.
    Timestamp at() const { return sent ? *sent : *received; }
    TrackRef row() const { return sent && from.isValid() ? from : to; }
    /// How long it was under way, as the clocks have it: it may be below 0. Nothing: an end is not known.
    std::optional<Duration> latency() const { return sent && received ? std::optional(*received - *sent) : std::nullopt; }
};

/// Those of one connection, by at(); none where the timeline does not have it. Cost: some 20 ns a packet of the experiment, and 1 us each
/// of its own.
std::vector<ConnectionPacket> packetsOf(const Timeline& timeline, const ConnectionFacts& connection, std::stop_token stop = {});

} // namespace helio
