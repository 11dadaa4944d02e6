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

/// A packet as one trace saw it.
struct Sighting {
    HostTimestamp time{};
    std::uint32_t flow = 0;
    std::uint32_t sequence = 0;
    std::uint32_t acknowledgement = 0;
    std::uint32_t length = 0;
    std::uint16_t headers = 0;
    std::uint16_t flags = 0;
    std::uint16_t id = 0;
    std::uint16_t trace = 0; ///< Index in the timeline.
    std::uint16_t host = 0; ///< Of the trace, once packets are matched.
    std::int32_t tid = -1; ///< Out: of the thread that sent it. In: of the one that it woke. -1: none, or not known.
    std::uint32_t buffer = 0; ///< Which memory of the kernel it was in, as far as 32 bits say; 0: not recorded.
    std::uint32_t socket = 0; ///< One more than its place in Sightings::sockets; 0: not recorded.
    std::uint16_t device = 0; ///< Number of the interface's name, as in Sightings::devices; 0 if not recorded.
    std::int16_t cpu = -1;
    std::uint8_t hops = 0;
    bool isOut = false;
    bool isPassedOn = false; ///< Out: the packet came in at its host before.

    std::uint32_t payload() const { return length > headers ? length - headers : 0; }
    bool has(TcpFlag flag) const { return (flags & static_cast<std::uint16_t>(flag)) != 0; }
};

/// All that events say of a packet, but for how far it came.
inline auto packetOf(const Sighting& it) { return std::tie(it.flow, it.sequence, it.acknowledgement, it.length, it.flags, it.id); }

/// Longest time from one interface of a host to the next: TCP waits 200 ms at least before it sends a packet again.
constexpr Duration LongestStep = std::chrono::milliseconds(100);

/// Whether a packet is in the memory of the kernel in which it was before. Later than 1 ms that may be another packet's.
inline bool isSameMemory(const Sighting& last, const Sighting& next)
{
    return last.buffer != 0 && last.buffer == next.buffer && last.trace == next.trace
        && next.time - last.time < std::chrono::milliseconds(1);
}

/// Flows, each once.
class FlowTable {
public:
    std::uint32_t idOf(const FlowKey& key);
    const std::vector<FlowKey>& all() const { return m_flows; }
    /// NoFlow: nothing went that way.
    std::uint32_t find(const FlowKey& key) const;

private:
    struct Hash {
        std::size_t operator()(const FlowKey& key) const;
    };
    std::vector<FlowKey> m_flows;
    std::unordered_map<FlowKey, std::uint32_t, Hash> m_ids;
};

struct Sightings {
    FlowTable flows;
    std::vector<Sighting> all;
    std::map<std::string, std::uint16_t, std::less<>>
        devices; ///< Sighting::device of interfaces, by name. Names of different namespaces may be equal.
    std::vector<std::uint64_t> sockets; ///< Pointers of the kernels.
    std::vector<SocketCall> calls;
    std::uint64_t events = 0; ///< Of packets.
    std::vector<TraceSightings> traces; ///< By index in the timeline, as far as they were read.
    std::vector<bool> isLossy; ///< The same: events of it were lost.
};

/// Whether any of its events say what packets went out or came in.
bool hasPackets(const Trace& trace);

/// Adds those of one trace, in time order: one pass over its events. Who sent a packet is the thread that its CPU had, where no interrupt
/// was served, nor a softirq or an interrupt by a thread of the kernel; who was woken by one is whoever its CPU woke before the next packet
/// came and the interrupt was over. Ends early once `stop` is requested. Cost: as merging the trace's events, and some 200 ns a packet.
void readPackets(const Trace& trace, std::uint16_t number, Sightings& sightings, const std::stop_token& stop);

} // namespace helio::packets
