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
    std::string protocol; ///< Name of the protocol, for example "tcp".
    /// Sender: address and port, for example "10.0.0.1:1234"; the address alone if the protocol has no ports; "socket 0xffff88003b1a0000"
    /// if the address was not recorded.
    std::string from;
    std::string to;
    std::uint32_t back = NoFlow; ///< Index of the flow in the opposite direction; NoFlow if no messages went in that direction.
    /// Index of the same flow with the addresses after the next address translation (NAT), on the way from the connection's opener to its
    /// peer; NoFlow if the flow is not translated.
    std::uint32_t translated = NoFlow;
};

/// Flags of a TCP header. Values as in RFC 9293.
enum class TcpFlag : std::uint16_t { Fin = 1, Syn = 2, Reset = 4, Push = 8, Acknowledge = 16 };

constexpr std::uint32_t NoPacket = 0xffffffff;

/// A message from one trace to another, or within one trace: a network packet, a part of one, or a hypercall.
struct Transmission {
    std::uint32_t flow = 0;
    std::uint32_t fromTrace = 0; ///< Index into Timeline::traces of the trace that recorded the departure.
    std::uint32_t toTrace = 0;
    std::int32_t fromCpu = -1; ///< Number of the CPU that recorded the departure; -1 if unknown.
    std::int32_t toCpu = -1;
    HostTimestamp sent{}; ///< Time of the message's departure, on the clock of `fromTrace`.
    HostTimestamp received{}; ///< Time of the message's arrival, on the clock of `toTrace`.
    std::int32_t sender = -1; ///< TID of the thread that sent the message, or else of the thread that uses the connection; -1 if unknown.
    std::int32_t receiver = -1; ///< TID of the thread that the arrival woke, or else of the thread that uses the connection; -1 if unknown.
    /// True if `toCpu` woke `receiver` when the message arrived; false if `receiver` is only known to use the connection.
    bool wokeReceiver = false;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< Size of the message in bytes including the headers of the network layer; 0 if not recorded.
    std::uint16_t flags = 0;
    /// True if the departure and the arrival differ in size because the packet was split or merged on its way. Sequence, length and flags
    /// are then those of the smaller of the two packets.
    bool isPart = false;
    /// True if the message cannot have arrived before it was sent, so that its two times bound the offset between the clocks.
    bool boundsClocks = true;
    std::uint32_t packet = NoPacket; ///< Index in Transmissions::sent; NoPacket if the message is not listed there.
};

/// A packet of a flow with recorded addresses or sockets. A packet that passed several interfaces and hosts is listed once: at its
/// departure from the sender or, if this was not recorded, at its first recorded arrival.
struct SentPacket {
    HostTimestamp at{}; ///< Time of departure, or of arrival if `isArrival`; on the clock of `trace`.
    std::uint32_t flow = 0;
    std::uint32_t connection = 0; ///< Index in Transmissions::connections of the packet's connection.
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< Size of the packet in bytes including the headers of the network layer; 0 if not recorded.
    std::uint32_t payload = 0; ///< Size of the packet's payload in bytes, without headers.
    /// TID of the thread that sent the packet, or, if `isArrival`, of the thread that the packet woke; -1 if unknown.
    std::int32_t thread = -1;
    std::uint16_t trace = 0; ///< Index into Timeline::traces.
    std::uint16_t flags = 0;
    bool isArrival = false; ///< True if only the packet's arrival was recorded.
    bool isRetransmission = false;
    bool isMatched = false; ///< True if both the departure and the arrival were recorded.
    /// True if several recorded packets are identical, so that their departures cannot be assigned to their arrivals.
    bool isAmbiguous = false;
};

/// Guesses from the ports which end opened the connection: true for the end with the port `from`, false for the end with the port `to`;
/// nullopt if undecided. The opener is the only end with an ephemeral port, 32768 or higher (the default start of Linux's
/// net.ipv4.ip_local_port_range).
inline std::optional<bool> isOpenerByPorts(int from, int to)
{
    constexpr int FirstOfOpeners = 32768;
    return (from >= FirstOfOpeners) == (to >= FirstOfOpeners) ? std::nullopt : std::optional(from >= FirstOfOpeners);
}

/// The two flows between two ends (addresses with ports) that belong to one connection. A new handshake between the same ends begins a new
/// connection.
struct Connection {
    /// Index of the flow from the opener to the peer if the handshake was recorded; otherwise the index of any of the two flows.
    std::uint32_t flow = 0;
    std::uint32_t back = NoFlow;
    bool isOpened = false; ///< True if the handshake was recorded. The opener is then known: it is the sender of `flow`.
};

/// A system call that connects a socket to a peer: connect() or accept().
struct SocketCall {
    enum class Kind : std::uint8_t { Connect, Accept };
    HostTimestamp at{}; ///< Time at which connect() began or accept() returned.
    std::uint32_t trace = 0;
    std::int32_t tid = -1;
    Kind kind = Kind::Connect;
    std::string peer; ///< Address and port of the peer, in the format of Flow::from.
};

/// Counts of network packets, or of other messages, in one trace.
struct TracePacketCounts {
    std::uint64_t out = 0; ///< Number of packets that were sent.
    std::uint64_t in = 0; ///< Number of packets that arrived.
    std::uint64_t unnamed = 0; ///< Number of packet events that lack the fields to identify the packet.
    std::uint64_t matched = 0; ///< Number of departures and arrivals that are matched with an arrival or departure on another host.
};

/// Counts of the packets of one flow.
struct FlowCounts {
    std::uint64_t packets = 0; ///< Number of packets of the flow that were sent.
    std::uint64_t bytes = 0;
    std::uint64_t payloadBytes = 0;
    std::uint64_t retransmissions = 0; ///< Number of retransmissions: packets whose bytes had all been sent before.
    std::uint64_t matched = 0; ///< Number of packets whose departure and arrival were both recorded.
};

/// Messages between traces, found by one correlator. Immutable.
struct Transmissions {
    std::string kind; ///< Singular noun for the messages: "packet".
    std::string plural; ///< Plural noun for the messages: "packets".
    std::vector<Flow> flows;
    std::vector<FlowCounts> counts; ///< Packet counts of each flow, indexed by flow.
    std::vector<Transmission> all; ///< All messages, ordered by sending trace, then by time.
    /// Packets, ordered by flow. Within a flow, packets with a recorded departure come before packets with only a recorded arrival; both
    /// are in time order.
    std::vector<SentPacket> sent;
    std::vector<Connection> connections;
    std::vector<SocketCall> calls; ///< System calls of the sockets, ordered by trace, then by time.
    std::vector<TracePacketCounts> traces; ///< Packet counts, indexed like the traces of the timeline.
    std::uint64_t observations = 0; ///< Number of events that record the departure or arrival of a message.
    std::uint64_t unmatched = 0; ///< Number of departures without an arrival in the traces, and of arrivals without a departure.
    std::uint64_t ambiguous = 0; ///< Number of departures and arrivals with several possible counterparts.
    std::uint64_t unnamed = 0; ///< Number of events that lack the fields to identify the message.

    /// Returns the flow after all address translations, i.e. as the accepting end of the connection sees it; `flow` itself if it is not
    /// translated.
    const Flow& afterTranslations(const Flow& flow) const
    {
        const Flow* last = &flow;
        while (last->translated != NoFlow)
            last = &flows[last->translated];
        return *last;
    }
};

/// Returns the recorded properties of a message as text: "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100", followed by " (part)" for a
/// part of a packet.
std::string textOf(const Transmissions& messages, const Transmission& message);

} // namespace helio
