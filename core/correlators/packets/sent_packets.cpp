#include "core/correlators/packets/sent_packets.h"

#include "core/correlators/packets/connection_lives.h"

#include <algorithm>
#include <tuple>

namespace helio::packets {
namespace {

SentPacket sentPacketOf(const PacketObservation& it)
{
    SentPacket packet;
    packet.at = it.time;
    packet.flow = it.flow;
    packet.sequence = it.sequence;
    packet.acknowledgement = it.acknowledgement;
    packet.length = it.length;
    packet.payload = it.payload();
    packet.thread = it.tid;
    packet.trace = it.trace;
    packet.flags = it.flags;
    packet.isArrival = !it.isOut;
    return packet;
}

/// Lists packets with a known connection in the order of Transmissions::sent. Returns the index there for each element of ends.sent();
/// NoPacket if it is not listed.
std::vector<std::uint32_t> listPackets(const MatchedEnds& ends, const std::vector<Flow>& flows, std::vector<SentPacket>& sent)
{
    const auto& places = ends.sent();
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < places.size(); ++i)
        if (!flows[ends.at(places[i]).flow].from.empty())
            order.push_back(i);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const PacketObservation& first = ends.at(places[a]);
        const PacketObservation& second = ends.at(places[b]);
        return std::tuple(first.flow, !first.isOut, first.time, places[a]) < std::tuple(second.flow, !second.isOut, second.time, places[b]);
    });
    std::vector<std::uint32_t> to(places.size(), NoPacket);
    sent.reserve(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        to[order[i]] = i;
        sent.push_back(sentPacketOf(ends.at(places[order[i]])));
        sent.back().isAmbiguous = ends.isAmbiguous(places[order[i]]);
    }
    return to;
}

Transmission messageOf(const MatchedEnds& ends, const MatchedEnds::Match& match)
{
    const PacketObservation& out = ends.at(match.out);
    const PacketObservation& in = ends.at(match.in);
    const PacketObservation& named = match.isPart && in.length < out.length ? in : out;
    Transmission message;
    message.flow = out.flow;
    message.fromTrace = out.trace;
    message.toTrace = in.trace;
    message.fromCpu = out.cpu;
    message.toCpu = in.cpu;
    message.sent = out.time;
    message.received = in.time;
    message.sender = out.tid;
    message.receiver = in.tid;
    message.sequence = named.sequence;
    message.acknowledgement = named.acknowledgement;
    message.length = named.length;
    message.flags = named.flags;
    message.isPart = match.isPart;
    return message;
}

/// False for a part of a packet if the sender's trace lost events: the first event with its byte may be lost.
bool boundsClocks(const MatchedEnds& ends, const MatchedEnds::Match& match, const std::vector<bool>& isLossy)
{
    return !match.isPart || !isLossy[ends.at(match.out).trace];
}

void countPackets(Transmissions& messages)
{
    for (const SentPacket& it : messages.sent) {
        FlowCounts& counts = messages.counts[it.flow];
        ++counts.packets;
        counts.bytes += it.length;
        counts.payloadBytes += it.payload;
        counts.again += it.isRetransmission ? 1 : 0;
        counts.matched += it.isMatched ? 1 : 0;
    }
}

} // namespace

void addSent(const MatchedEnds& ends, const std::vector<bool>& isLossy, Transmissions& messages, const std::stop_token& stop)
{
    const std::vector<std::uint32_t> to = listPackets(ends, messages.flows, messages.sent);
    messages.all.reserve(ends.matches().size());
    for (const MatchedEnds::Match& match : ends.matches()) {
        Transmission message = messageOf(ends, match);
        message.boundsClocks = boundsClocks(ends, match, isLossy);
        const std::uint32_t packet = ends.sentOf(match.out);
        if (packet != NoPacket && to[packet] != NoPacket) {
            message.packet = to[packet];
            messages.sent[message.packet].isMatched = true;
        }
        messages.all.push_back(message);
        for (const PacketObservation* end : {&ends.at(match.out), &ends.at(match.in)})
            if (ends.at(match.out).host != ends.at(match.in).host)
                ++messages.traces[end->trace].matched;
    }
    std::ranges::sort(messages.all, [](const Transmission& a, const Transmission& b) {
        return std::tie(a.fromTrace, a.sent, a.flow, a.sequence, a.received)
            < std::tie(b.fromTrace, b.sent, b.flow, b.sequence, b.received);
    });
    findConnections(messages, stop);
    countPackets(messages);
}

} // namespace helio::packets
