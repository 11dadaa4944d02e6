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

/// One event about a packet, recorded in one trace.
struct PacketObservation {
    HostTimestamp time{};
    std::uint32_t flow = 0;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0;
    std::uint16_t headers = 0;
    std::uint16_t flags = 0;
    std::uint16_t id = 0;
    std::uint16_t trace = 0; ///< Index into Timeline::traces.
    std::uint16_t host = 0; ///< Index of the trace's host; set by matchPackets().
    /// TID of the thread that sent the packet, or that was woken when the packet arrived; -1 if no thread was woken, or if unknown.
    std::int32_t tid = -1;
    std::uint32_t buffer = 0; ///< Identification of the packet's kernel memory: low 32 bits of skbaddr / 64; 0 if not recorded.
    std::uint32_t socket = 0; ///< Index in PacketObservations::sockets, plus one; 0 if not recorded.
    std::uint16_t device = 0; ///< Number of the interface (PacketObservations::devices); 0 if not recorded.
    std::int16_t cpu = -1;
    std::uint8_t hops = 0;
    bool isOut = false;
    bool isPassedOn = false; ///< True if the packet is a departure, but arrived at its host before: the host forwards the packet.

    std::uint32_t payload() const { return length > headers ? length - headers : 0; }
    bool has(TcpFlag flag) const { return (flags & static_cast<std::uint16_t>(flag)) != 0; }
};

/// Returns the fields that identify the packet: all fields from its headers except the remaining hops.
inline auto packetOf(const PacketObservation& it) { return std::tie(it.flow, it.sequence, it.acknowledgement, it.length, it.flags, it.id); }

/// Maximum time between a packet's observations at two consecutive interfaces of a host. Shorter than 200 ms, the minimum time after which
/// TCP sends a packet again.
constexpr Duration LongestStep = std::chrono::milliseconds(100);

/// Returns true if both observations have the same kernel memory (skb) and are less than 1 ms apart; after that time another packet may use
/// the memory.
inline bool isSameMemory(const PacketObservation& last, const PacketObservation& next)
{
    return last.buffer != 0 && last.buffer == next.buffer && last.trace == next.trace
        && next.time - last.time < std::chrono::milliseconds(1);
}

/// Assigns numbers to flows; equal flows have the same number.
class FlowTable {
public:
    std::uint32_t idOf(const FlowKey& key);
    const std::vector<FlowKey>& all() const { return m_flows; }
    /// Returns the number of a flow; NoFlow if the table does not contain it.
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
    /// Number of an interface (PacketObservation::device) by its name. Interfaces of different network namespaces may share a name and
    /// number.
    std::map<std::string, std::uint16_t, std::less<>> devices;
    std::vector<std::uint64_t> sockets; ///< Kernel addresses of the sockets that PacketObservation::socket refers to.
    std::vector<SocketCall> calls;
    std::uint64_t events = 0; ///< Number of packet events that were read.
    /// Packet counts, indexed like the traces of the timeline; ends after the last trace that was read.
    std::vector<TracePacketCounts> traces;
    std::vector<bool> isLossy; ///< True if the trace lost events. Indexed like the traces of the timeline.
};

/// Returns true if any event type of the trace records packets that leave or arrive, with the fields that identify them.
bool hasPackets(const Trace& trace);

/// Appends the packet observations of one trace to `observations`, in time order. Stops early once `stop` is requested.
///
/// The sender is the thread that was running on the CPU, unless the CPU was handling an interrupt or softirq, or was running a kernel
/// thread that handles them. The receiver is the thread that the CPU woke before the next packet arrived and before the interrupt ended.
/// Cost: one pass over the trace's merged events, and about 200 ns per packet.
void readPackets(const Trace& trace, std::uint16_t number, PacketObservations& observations, const std::stop_token& stop);

} // namespace helio::packets
