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

/// One direction of a connection.
struct Flow {
    std::string protocol; ///< "tcp". Empty, as the ends: not recorded.
    std::string from; ///< "10.0.0.1:1234"; without ports only the address; where that is not recorded, "socket 0xffff88003b1a0000".
    std::string to;
    std::uint32_t back = NoFlow; ///< The other direction, where messages went there, too.
    /// Index of this flow after its next address translation (NAT), seen from the opener; NoFlow if not translated.
    std::uint32_t translated = NoFlow;
};

/// Of TCP, as RFC 9293 has them in its header.
enum class TcpFlag : std::uint16_t { Fin = 1, Syn = 2, Reset = 4, Push = 8, Acknowledge = 16 };

constexpr std::uint32_t NoPacket = 0xffffffff;

/// What left one trace and reached another one, or the same: a packet, or a piece of one.
struct Transmission {
    std::uint32_t flow = 0;
    std::uint32_t fromTrace = 0; ///< Index in the timeline.
    std::uint32_t toTrace = 0;
    std::int32_t fromCpu = -1; ///< -1: not known.
    std::int32_t toCpu = -1;
    HostTimestamp sent{}; ///< On the clock of the trace that it left.
    HostTimestamp received{}; ///< On that of the one that it reached.
    std::int32_t sender = -1; ///< The tid of who sent it, else of whose connection it is; -1: not known.
    std::int32_t receiver = -1; ///< The same of who was woken by it.
    bool wokeReceiver = false; ///< The receiver's CPU woke it as this came in; else it is only whose connection it is.
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< Bytes, headers of the network's layer included; 0: not recorded.
    std::uint16_t flags = 0;
    bool isPart = false; ///< One end is a piece of the other: it was cut or joined on its way. Sequence, length and flags are the piece's.
    bool boundsClocks = true; ///< It cannot have come in before it was sent: it says something of both hosts' clocks.
    std::uint32_t packet = NoPacket; ///< Its place in Transmissions::sent.
};

/// A packet of a flow whose ends are recorded. It is listed once, however many interfaces and hosts it went through: when it left its
/// sender, or, where that was not recorded, when it first came in.
struct SentPacket {
    HostTimestamp at{}; ///< On the clock of its trace.
    std::uint32_t flow = 0;
    std::uint32_t connection = 0; ///< Its place in Transmissions::connections.
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< As in Transmission.
    std::uint32_t payload = 0; ///< Bytes of it.
    std::int32_t thread = -1; ///< The tid of who sent it, or, as it came in, of whom it woke; -1: not known.
    std::uint16_t trace = 0; ///< Index in the timeline.
    std::uint16_t flags = 0;
    bool isArrival = false; ///< It is only known to have come in.
    bool isAgain = false; ///< Sent once more.
    bool isMatched = false; ///< Both its ends are in the traces.
    bool isAmbiguous = false; ///< Several ends are alike, so that nobody knows which is its other one.
};

/// Whether the end with the port `from` opened the connection to the one with the port `to`, as only one of them is a port that Linux gives
/// to who opens one (net.ipv4.ip_local_port_range begins with 32768). Nothing: the ports do not tell.
inline std::optional<bool> isOpenerByPorts(int from, int to)
{
    constexpr int FirstOfOpeners = 32768;
    return (from >= FirstOfOpeners) == (to >= FirstOfOpeners) ? std::nullopt : std::optional(from >= FirstOfOpeners);
}

/// Two flows back and forth between two ends, from a handshake to the next one.
struct Connection {
    std::uint32_t flow = 0; ///< Of who opened it, where its handshake was seen.
    std::uint32_t back = NoFlow;
    bool isOpened = false; ///< Its handshake was.
};

/// A system call that names the other end of a connection.
struct SocketCall {
    enum class Kind : std::uint8_t { Connect, Accept };
    HostTimestamp at{}; ///< When it connects, or has accepted.
    std::uint32_t trace = 0;
    std::int32_t tid = -1;
    Kind kind = Kind::Connect;
    std::string peer; ///< "10.0.0.1:1234", as in Flow.
};

/// What was seen in one trace.
struct TraceSightings {
    std::uint64_t out = 0; ///< Packets on their way out,
    std::uint64_t in = 0; ///< and that came in;
    std::uint64_t unnamed = 0; ///< events of packets that do not say which.
    std::uint64_t matched = 0; ///< Ends whose other end is on another host.
};

/// One end's part in a connection.
struct FlowCounts {
    std::uint64_t packets = 0; ///< That it sent.
    std::uint64_t bytes = 0;
    std::uint64_t payloadBytes = 0;
    std::uint64_t again = 0; ///< Sent once more: no byte of them is new.
    std::uint64_t matched = 0; ///< Of the packets: those whose other end is in the traces, too.
};

/// The messages that were found between traces. Immutable.
struct Transmissions {
    std::string kind; ///< What one of them is called: "packet".
    std::string plural; ///< And several of them: "packets".
    std::vector<Flow> flows;
    std::vector<FlowCounts> counts; ///< By flow.
    std::vector<Transmission> all; ///< By trace they left, then by time.
    std::vector<SentPacket> sent; ///< By flow; first those that left, then those that only came in, by time.
    std::vector<Connection> connections;
    std::vector<SocketCall> calls; ///< By trace, then by time.
    std::vector<TraceSightings> traces; ///< By index in the timeline.
    std::uint64_t sightings = 0; ///< Events that were looked at.
    std::uint64_t unmatched = 0; ///< Of them: that have no other end here,
    std::uint64_t ambiguous = 0; ///< or of which several are alike, so that nobody knows which is whose.
    std::uint64_t unnamed = 0; ///< or that do not say what they are.

    /// The flow as the end that did not open the connection sees it: after all address translations. The flow itself if not translated.
    const Flow& afterTranslations(const Flow& flow) const
    {
        const Flow* last = &flow;
        while (last->translated != NoFlow)
            last = &flows[last->translated];
        return *last;
    }
};

/// "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100", as far as recorded; of a part " (part)" behind it.
std::string textOf(const Transmissions& messages, const Transmission& message);

} // namespace helio
