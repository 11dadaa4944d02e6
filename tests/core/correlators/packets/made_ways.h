#pragma once

#include "made_packets.h"

#include <algorithm>
#include <initializer_list>

namespace helio::test {

/// An observation of a packet on one of the interfaces it passed. Times are in ns after the packet's first observation.
struct MadeHop {
    std::uint16_t trace = 0;
    const char* device = "";
    bool isOut = false;
    std::int64_t after = 0;
    std::uint8_t hops = 64;
    std::uint32_t flow = 0;
    std::int32_t tid = -1;
};

/// How the events record a packet's address in kernel memory: not at all, with the same value at all interfaces, or with different values.
enum class MadeMemory { None, Same, Other };

/// Packets that pass several interfaces of their hosts.
struct MadeTransits : MadePackets {
    MadeMemory memory = MadeMemory::Same;
    std::uint16_t id = 1; ///< IPv4 identification field; 0 for IPv6 packets, which have none.

    /// Adds the observations of a packet with 100 bytes of the stream.
    void send(std::int64_t time, std::uint32_t sequence, std::initializer_list<MadeHop> steps, std::uint16_t flags = 16,
              std::uint32_t acknowledgement = 7)
    {
        const std::uint32_t buffer = 1000 + 16 * sequence % 100'000;
        std::uint32_t number = 0;
        for (const MadeHop& step : steps) {
            packets::PacketObservation& it = addBytes(step.trace, step.isOut, time + step.after, sequence, 100);
            it.id = id;
            it.flow = step.flow;
            it.flags = flags;
            it.acknowledgement = acknowledgement;
            it.hops = step.hops;
            it.tid = step.tid;
            it.device = deviceOf(step.device);
            it.buffer = memory == MadeMemory::None ? 0 : buffer + (memory == MadeMemory::Other ? ++number : 0) + 16 * step.trace;
        }
        id = static_cast<std::uint16_t>(id + (id > 0 ? 1 : 0));
    }

    std::uint16_t deviceOf(const std::string& name)
    {
        if (name.empty())
            return 0;
        return seen.devices.try_emplace(name, static_cast<std::uint16_t>(seen.devices.size() + 1)).first->second;
    }

    std::uint32_t flowOf(const packets::FlowKey& key) { return seen.flows.idOf(key); }
};

} // namespace helio::test
