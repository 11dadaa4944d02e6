#include "core/correlators/packets/interface_chains.h"

#include <algorithm>
#include <ranges>

namespace helio::packets {
namespace {

bool isMulticast(const FlowKey& flow)
{
    if (flow.version == 6)
        return flow.to[0] == 0xff;
    return flow.version == 4 && flow.to[0] >= 224; // 224.0.0.0 to 255.255.255.255: multicast, reserved and broadcast addresses.
}

bool continues(std::span<const PacketObservation> chain, const PacketObservation& next, bool isMulticast)
{
    const PacketObservation& last = chain.back();
    const bool isSame = isSameMemory(last, next);
    const bool isSameDirection = last.isOut == next.isOut;
    if (next.time - last.time >= LongestStep || next.hops > last.hops)
        return false;
    if (isMulticast)
        return isSame && isSameDirection;
    if (last.device == 0 || next.device == 0)
        return isSameDirection ? isSame : last.isOut;
    const bool isRetransmission = std::ranges::any_of(
        chain, [&](const PacketObservation& it) { return it.device == next.device && it.isOut == next.isOut && it.hops == next.hops; });
    return !isRetransmission || (isSame && !last.isOut && last.device != next.device && next.tid <= 0);
}

void addEnds(std::span<const PacketObservation> chain, std::vector<PacketObservation>& ends)
{
    PacketObservation first = chain.front();
    PacketObservation last = chain.back();
    for (const PacketObservation& it : chain | std::views::reverse)
        if (!last.isOut && last.tid <= 0 && !it.isOut)
            last.tid = it.tid;
    if (first.isOut && last.isOut) {
        last.tid = first.tid;
        ends.push_back(last);
        return;
    }
    if (!first.isOut && !last.isOut) {
        first.tid = last.tid;
        ends.push_back(first);
        return;
    }
    if (first.isOut)
        last.hops = first.hops; // Undo the decrements of the hop count by namespaces of this host: only hops to other hosts must count.
    last.isPassedOn = last.isOut;
    ends.push_back(first);
    ends.push_back(last);
}

} // namespace

void joinInterfaces(std::span<const PacketObservation> ofHost, const FlowKey& flow, std::vector<PacketObservation>& ends)
{
    const bool isToMany = isMulticast(flow);
    for (std::size_t begin = 0, end = 0; begin < ofHost.size(); begin = end) {
        for (end = begin + 1; end < ofHost.size() && continues(ofHost.subspan(begin, end - begin), ofHost[end], isToMany);)
            ++end;
        const bool isPassedOn = ofHost[begin].isOut && ofHost[begin].device == 0 && begin > 0 && !ofHost[begin - 1].isOut;
        const std::size_t known = ends.size();
        addEnds(ofHost.subspan(begin, end - begin), ends);
        ends[known].isPassedOn = isPassedOn;
    }
}

} // namespace helio::packets
