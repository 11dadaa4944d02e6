#pragma once

#include "core/base/time.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

constexpr std::uint32_t NoFlow = 0xffffffff;

/// One direction of a connection.
struct Flow {
    std::string protocol; ///< "tcp". Empty, as the ends: not recorded.
    std::string from; ///< "10.0.0.1:1234"; without ports only the address.
    std::string to;
    std::uint32_t back = NoFlow; ///< The other direction, where messages went there, too.
};

/// Of TCP, as RFC 9293 has them in its header.
enum class TcpFlag : std::uint16_t { Fin = 1, Syn = 2, Reset = 4, Push = 8, Acknowledge = 16 };

/// What left one trace and reached another one, or the same: a packet.
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
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0; ///< Bytes, headers of the network's layer included; 0: not recorded.
    std::uint16_t flags = 0;
};

/// One end's part in a connection.
struct FlowCounts {
    std::uint64_t packets = 0; ///< That it sent.
    std::uint64_t bytes = 0;
    std::uint64_t payloadBytes = 0;
    std::uint64_t again = 0; ///< Sent once more: the same bytes of the stream, or a larger part of what was sent.
    std::uint64_t matched = 0; ///< Of the packets: those whose other end is in the traces, too.
};

/// The messages that were found between traces. Immutable.
struct Transmissions {
    std::vector<Flow> flows;
    std::vector<FlowCounts> counts; ///< By flow.
    std::vector<Transmission> all; ///< By trace they left, then by time.
    std::uint64_t sightings = 0; ///< Events that were looked at.
    std::uint64_t unmatched = 0; ///< Of them: that have no other end here,
    std::uint64_t ambiguous = 0; ///< or of which several are alike, so that nobody knows which is whose.
    std::uint64_t unnamed = 0; ///< or that do not say what they are.
};

/// "tcp 10.0.0.1:1234 > 10.0.0.2:80 seq 17 len 100", as far as recorded.
std::string textOf(const Transmissions& messages, const Transmission& message);

} // namespace helio
