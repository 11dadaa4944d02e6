#include "core/network/unmatched_reason.h"

#include "core/correlation/guests.h"

namespace helio {
namespace {

TracePacketCounts sightingsOf(const Timeline& timeline, const Transmissions& messages, std::uint32_t host, bool isOfOthers)
{
    TracePacketCounts sum;
    for (std::size_t trace = 0; trace < messages.traces.size(); ++trace) {
        if ((timeline.traces[trace].host == host) == isOfOthers)
            continue;
        sum.out += messages.traces[trace].out;
        sum.in += messages.traces[trace].in;
        sum.unnamed += messages.traces[trace].unnamed;
        sum.matched += messages.traces[trace].matched;
    }
    return sum;
}

std::string whyIn(const TracePacketCounts& own, const TracePacketCounts& others)
{
    const std::uint64_t all = own.out + own.in;
    if (own.matched > 0)
        return {};
    if (all == 0)
        return own.unnamed > 0 ? ": its events of packets do not say which they are" : ": none of its packets were recorded";
    const std::string count = ": " + std::to_string(all) + " of its packets were recorded";
    if (others.out + others.in == 0)
        return count + ", but none of another host";
    if (own.out == 0)
        return count + " as they came in, but none as it left";
    if (own.in == 0)
        return count + " as they left, but none as it came in";
    return count + ", and none of them on another host: they went elsewhere, or addresses are translated on the way";
}

} // namespace

std::string unmatchedReason(const Timeline& timeline, std::uint32_t host)
{
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages && relation->messages->kind != GuestMessages)
            return whyIn(sightingsOf(timeline, *relation->messages, host, false), sightingsOf(timeline, *relation->messages, host, true));
    return {};
}

} // namespace helio
