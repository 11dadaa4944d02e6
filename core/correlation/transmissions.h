#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

constexpr std::uint32_t NoFlow = 0xffffffff;

/// One direction of a connection. Texts are empty if not recorded.
struct Flow {
    std::string protocol; ///< Protocol, for example "tcp".
    /// Address and port, for example "10.0.0.1:1234"; only the address if there are no ports; "socket 0xffff88003b1a0000" if the address is
    /// not recorded.
    std::string from;
    std::string to;
    std::uint32_t back = NoFlow; ///< Index of the flow in the opposite direction; NoFlow if no messages went there.
    /// Index of this flow after its next address translation (NAT), seen from the opener; NoFlow if not translated.
    std::uint32_t translated = NoFlow;
};

/// Flags of a TCP header, with the values of RFC 9293.
enum class TcpFlag : std::uint16_t { Fin = 1, Syn = 2, Reset = 4, Push = 8, Acknowledge = 16 };

constexpr std::uint32_t NoPacket = 0xffffffff;

/// A message that left one trace and reached another one, or the same: a packet, or a part of one.
struct Transmission {
    std::uint32_t flow = 0;
    std::uint32_t fromTrace = 0; ///< Index in the timeline.
    std::uint32_t toTrace = 0;
    std::int32_t fromCpu = -1; ///< -1 if unknown.
    std::int32_t toCpu = -1;
    HostTimestamp sent{}; ///< On the clock of `fromTrace`.
    HostTimestamp received{}; ///< On the clock of `toTrace`.
    std::int32_t sender = -1; ///< TID of the thread that sent it, or else of the connection's thread; -1 if unknown.
    std::int32_t receiver = -1; ///< TID of the thread that it woke, or else of the connection's thread; -1 if unknown.
    /// True if the receiver's CPU woke the receiver when this came in; false if the receiver is only the connection's thread.
    bool wokeReceiver = false;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< Bytes including the headers of the network layer; 0 if not recorded.
    std::uint16_t flags = 0;
    /// True if one end is a part of the other, because the packet was cut or joined on its way. Sequence, length and flags are then the
    /// part's.
    bool isPart = false;
    bool boundsClocks = true; ///< True if the message cannot have come in before it was sent, and so bounds both clocks.
    std::uint32_t packet = NoPacket; ///< Index in Transmissions::sent; NoPacket if there is none.
};

/// A packet of a flow with recorded addresses or sockets. It is listed once, however many interfaces and hosts it went through: when it
/// left its sender, or, if that was not recorded, when it first came in.
struct SentPacket {
    HostTimestamp at{}; ///< On the clock of `trace`.
    std::uint32_t flow = 0;
    std::uint32_t connection = 0; ///< Index in Transmissions::connections.
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< Bytes including the headers of the network layer; 0 if not recorded.
    std::uint32_t payload = 0; ///< Bytes without headers.
    std::int32_t thread = -1; ///< TID of the thread that sent it; for an arrival, of the thread that it woke; -1 if unknown.
    std::uint16_t trace = 0; ///< Index in the timeline.
    std::uint16_t flags = 0;
    bool isArrival = false; ///< True if only its arrival was recorded.
    bool isRetransmission = false; ///< True if this is a retransmission.
    bool isMatched = false; ///< True if both its ends are in the traces.
    bool isAmbiguous = false; ///< True if several ends are alike, so that its other end is unknown.
};

/// True if the end with the port `from` opened the connection, false if the end with the port `to` did. Decided if exactly one of the ports
/// is one that Linux gives to the opener of a connection (net.ipv4.ip_local_port_range begins with 32768); otherwise empty.
inline std::optional<bool> isOpenerByPorts(int from, int to)
{
    constexpr int FirstOfOpeners = 32768;
    return (from >= FirstOfOpeners) == (to >= FirstOfOpeners) ? std::nullopt : std::optional(from >= FirstOfOpeners);
}

/// Two flows in opposite directions between two ends, from one handshake to the next.
struct Connection {
    std::uint32_t flow = 0; ///< Index of the flow from the opener, if the handshake was seen.
    std::uint32_t back = NoFlow;
    bool isOpened = false; ///< True if the handshake was seen.
};

/// A system call that names the other end of a connection.
struct SocketCall {
    enum class Kind : std::uint8_t { Connect, Accept };
    HostTimestamp at{}; ///< Time at which it connects, or has accepted.
    std::uint32_t trace = 0;
    std::int32_t tid = -1;
    Kind kind = Kind::Connect;
    std::string peer; ///< Address and port of the other end, written like in Flow.
};

/// Counts of the packets, or of other messages, in one trace.
struct TracePacketCounts {
    std::uint64_t out = 0; ///< Number of packets that went out.
    std::uint64_t in = 0; ///< Number of packets that came in.
    std::uint64_t unnamed = 0; ///< Number of packet events without the fields that identify the packet.
    std::uint64_t matched = 0; ///< Number of ends with the other end on another host.
};

/// Counts of the packets of one flow.
struct FlowCounts {
    std::uint64_t packets = 0; ///< Number of packets sent.
    std::uint64_t bytes = 0;
    std::uint64_t payloadBytes = 0;
    std::uint64_t again = 0; ///< Number of retransmissions: packets without a new byte.
    std::uint64_t matched = 0; ///< Number of packets with both ends in the traces.
};

/// All messages that a correlator found between traces. Immutable.
struct Transmissions {
    std::string kind; ///< Name of one message: "packet".
    std::string plural; ///< Name of several messages: "packets".
    std::vector<Flow> flows;
    std::vector<FlowCounts> counts; ///< Indexed by flow.
    std::vector<Transmission> all; ///< Ordered by the trace that they left, then by time.
    std::vector<SentPacket> sent; ///< Ordered by flow; within a flow first packets that left, then packets that only came in, each by time.
    std::vector<Connection> connections;
    std::vector<SocketCall> calls; ///< Ordered by trace, then by time.
    std::vector<TracePacketCounts> traces; ///< Indexed like the traces of the timeline.
    std::uint64_t sightings = 0; ///< Number of events that were examined.
    std::uint64_t unmatched = 0; ///< Number of events whose other end is not in the traces.
    std::uint64_t ambiguous = 0; ///< Number of events with several possible other ends.
    std::uint64_t unnamed = 0; ///< Number of events without the fields that identify the message.

    /// The flow as the end that did not open the connection sees it: after all address translations. The flow itself if not translated.
    const Flow& afterTranslations(const Flow& flow) const
    {
        const Flow* last = &flow;
        while (last->translated != NoFlow)
            last = &flows[last->translated];
        return *last;
    }
};

/// Text for a message, as far as recorded: "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100", followed by " (part)" for a part of a packet.
std::string textOf(const Transmissions& messages, const Transmission& message);

} // namespace helio
