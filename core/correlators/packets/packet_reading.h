#pragma once

#include "core/correlators/packets/packet_header.h"
#include "core/trace/trace.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace helio::packets {

/// One event about a packet, in one trace.
struct PacketObservation {
    HostTimestamp time{};
    std::uint32_t flow = 0;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0;
    std::uint16_t headers = 0;
    std::uint16_t flags = 0;
    std::uint16_t id = 0;
    std::uint16_t trace = 0; ///< Index in the timeline.
    std::uint16_t host = 0; ///< The host of the trace; set by matchPackets().
    /// TID of the thread that sent the packet, or that it woke when it came in; -1 if there is none, or it is unknown.
    std::int32_t tid = -1;
    std::uint32_t buffer = 0; ///< Low 32 bits of the address of its kernel memory (skbaddr) divided by 64; 0 if not recorded.
    std::uint32_t socket = 0; ///< Index in PacketObservations::sockets plus one; 0 if not recorded.
    std::uint16_t device = 0; ///< Number of the interface's name, as in PacketObservations::devices; 0 if not recorded.
    std::int16_t cpu = -1;
    std::uint8_t hops = 0;
    bool isOut = false;
    bool isPassedOn = false; ///< True if the packet goes out and came in at its host before.

    std::uint32_t payload() const { return length > headers ? length - headers : 0; }
    bool has(TcpFlag flag) const { return (flags & static_cast<std::uint16_t>(flag)) != 0; }
};

/// All fields of an event that identify the packet, except the hops.
inline auto packetOf(const PacketObservation& it) { return std::tie(it.flow, it.sequence, it.acknowledgement, it.length, it.flags, it.id); }

/// Longest time from one interface of a host to the next: TCP waits 200 ms at least before it sends a packet again.
constexpr Duration LongestStep = std::chrono::milliseconds(100);

/// True if both observations are in the same kernel memory. After more than 1 ms another packet may use the memory.
inline bool isSameMemory(const PacketObservation& last, const PacketObservation& next)
{
    return last.buffer != 0 && last.buffer == next.buffer && last.trace == next.trace
        && next.time - last.time < std::chrono::milliseconds(1);
}

/// Numbers flows; equal flows have one number.
class FlowTable {
public:
    std::uint32_t idOf(const FlowKey& key);
    const std::vector<FlowKey>& all() const { return m_flows; }
    /// Number of the flow; NoFlow if there is none.
    std::uint32_t find(const FlowKey& key) const;

private:
    struct Hash {
        std::size_t operator()(const FlowKey& key) const;
    };
    std::vector<FlowKey> m_flows;
    std::unordered_map<FlowKey, std::uint32_t, Hash> m_ids;
};

struct PacketObservations {
    FlowTable flows;
    std::vector<PacketObservation> all;
    std::map<std::string, std::uint16_t, std::less<>>
        devices; ///< Values of PacketObservation::device by interface name. Names of different namespaces may be equal.
    std::vector<std::uint64_t> sockets; ///< Addresses of sockets in their kernels.
    std::vector<SocketCall> calls;
    std::uint64_t events = 0; ///< Number of packet events.
    std::vector<TracePacketCounts> traces; ///< Indexed like the traces of the timeline, as far as traces were read.
    std::vector<bool> isLossy; ///< Indexed like the traces of the timeline: true if the trace lost events.
};

/// True if any event type of the trace identifies packets that go out or come in.
bool hasPackets(const Trace& trace);

/// Adds the observations of one trace, in time order: one pass over its events. The sender of a packet is the thread that its CPU ran,
/// unless the CPU served an interrupt or softirq, or ran a kernel thread that serves them. The receiver is the thread that its CPU woke
/// before the next packet came in and before the interrupt ended. Ends early once `stop` is requested.
/// Cost: that of merging the trace's events, and about 200 ns per packet.
void readPackets(const Trace& trace, std::uint16_t number, PacketObservations& sightings, const std::stop_token& stop);

} // namespace helio::packets
