#pragma once

#include "core/correlators/packets/packet_matching.h"

namespace helio::test {

inline packets::FlowKey tcpFlow(std::uint16_t fromPort, std::uint16_t toPort)
{
    packets::FlowKey key;
    key.version = 4;
    key.protocol = 6;
    key.from = {10, 0, 0, 1};
    key.to = {10, 0, 0, 2};
    key.fromPort = fromPort;
    key.toPort = toPort;
    return key;
}

/// Packets of one flow between traces 0 (host 0) and 1 (host 1); trace 2 is another trace of host 0.
struct MadePackets {
    packets::PacketObservations seen;
    std::uint32_t flowId = seen.flows.idOf(tcpFlow(1000, 80));

    packets::PacketObservation& add(std::uint16_t trace, bool isOut, std::int64_t time, std::uint32_t sequence, std::uint16_t id = 1)
    {
        packets::PacketObservation it;
        it.time = hostTime(time);
        it.flow = flowId;
        it.sequence = sequence;
        it.length = 140;
        it.headers = 40;
        it.id = id;
        it.trace = trace;
        it.isOut = isOut;
        it.hops = 64;
        seen.all.push_back(it);
        ++seen.events;
        return seen.all.back();
    }
    /// Adds an observation of a TCP packet with `payload` bytes of payload.
    packets::PacketObservation& addBytes(std::uint16_t trace, bool isOut, std::int64_t time, std::uint32_t sequence, std::uint32_t payload)
    {
        packets::PacketObservation& it = add(trace, isOut, time, sequence);
        it.length = it.headers + payload;
        return it;
    }
    /// Adds an observation of a packet without payload, from the connection's handshake or end.
    packets::PacketObservation& addControlPacket(std::uint16_t trace, bool isOut, std::int64_t time, std::uint32_t sequence,
                                                 std::uint16_t flags, std::uint32_t acknowledgement = 0)
    {
        packets::PacketObservation& it = addBytes(trace, isOut, time, sequence, 0);
        it.flags = flags;
        it.acknowledgement = acknowledgement;
        return it;
    }
    std::uint32_t back() { return seen.flows.idOf(tcpFlow(1000, 80).back()); }

    Transmissions match()
    {
        return packets::matchPackets(std::move(seen), [](std::uint32_t trace) { return trace == 2 ? 0u : trace; }, {});
    }
};

} // namespace helio::test
