#include "core/experiment/timeline.h"
#include "core/query/rows/composed.h"
#include "core/relation/relation.h"
#include "core/relations/packets/packet_links.h"
#include "core/relations/packets/packet_matching.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

using packets::Sightings;

constexpr std::size_t MostTraces = 65'535;

/// Those that went from one host to another, by host they left and reached.
using ByWay = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>;

/// Whole packets are surer than parts, of which all say less: these count only where there are no others.
ByWay messagesByWay(const Timeline& timeline, const Transmissions& messages)
{
    ByWay whole, parts;
    for (std::uint32_t i = 0; i < messages.all.size(); ++i) {
        const Transmission& it = messages.all[i];
        const std::pair way(timeline.traces[it.fromTrace].host, timeline.traces[it.toTrace].host);
        if (way.first != way.second && it.boundsClocks)
            (it.isPart ? parts : whole)[way].push_back(i);
    }
    whole.merge(parts);
    return whole;
}

/// Only packets that went from one host to another say something of their clocks.
std::vector<ComparedHosts> compareHosts(const Timeline& timeline, const Transmissions& messages, const std::stop_token& stop)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> byHosts;
    for (const auto& [way, places] : messagesByWay(timeline, messages)) {
        auto& all = byHosts[std::minmax(way.first, way.second)];
        all.insert(all.end(), places.begin(), places.end());
        std::ranges::sort(all);
    }
    std::vector<ComparedHosts> compared;
    const auto onHost = [&](std::uint32_t trace, HostTimestamp at) { return nanoseconds(timeline.traces[trace].ownClock(at)); };
    for (auto& [hosts, places] : byHosts) {
        ComparedHosts it{{hosts.second, hosts.first, {}, false}, ClockMethod::Packets, std::move(places)};
        std::vector<Passage> passages;
        for (const std::uint32_t place : it.messages) {
            const Transmission& message = messages.all[place];
            const std::int64_t sent = onHost(message.fromTrace, message.sent);
            const std::int64_t received = onHost(message.toTrace, message.received);
            const bool isArrival = timeline.traces[message.toTrace].host == it.pair.here;
            passages.push_back(isArrival ? Passage{hostTime(received), timestamp(sent), true}
                                         : Passage{hostTime(sent), timestamp(received), false});
        }
        it.pair.fit = fitClocks(passages, stop);
        compared.push_back(std::move(it));
    }
    return compared;
}

/// Packets between hosts, and between interfaces of one: their links, and what they say of the hosts' clocks.
class Packets final : public RelationKind {
public:
    std::string_view id() const override { return "packets"; }
    When when() const override { return When::Indexed; }
    bool comparesHosts() const override { return true; }

    bool appliesTo(const Timeline& timeline) const override
    {
        return timeline.traces.size() < MostTraces
            && std::ranges::any_of(timeline.traces, [](const TimelineTrace& t) { return t.trace && packets::hasPackets(*t.trace); });
    }

    Result<Relation> make(const Timeline& timeline, const RelationQuestion&, std::stop_token stop) const override
    {
        Sightings sightings;
        for (std::size_t trace = 0; trace < timeline.traces.size(); ++trace)
            if (packets::hasPackets(*timeline.traces[trace].trace))
                packets::readPackets(*timeline.traces[trace].trace, static_cast<std::uint16_t>(trace), sightings, stop);
        const auto hostOf = [&](std::uint32_t trace) { return timeline.traces[trace].host; };
        Relation found;
        auto messages = packets::matchPackets(std::move(sightings), hostOf, stop);
        found.comparisons = std::make_shared<const std::vector<ComparedHosts>>(compareHosts(timeline, messages, stop));
        found.messages = std::make_shared<const Transmissions>(std::move(messages));
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "the packets were not matched to the end"};
        return found;
    }

    CrossLinks linksOn(const Timeline& timeline, const Relation& found) const override
    {
        return packets::linksOf(timeline, *found.messages);
    }
};

} // namespace

extern const BuiltinRelation packetsRelation{[]() -> std::shared_ptr<const RelationKind> { return std::make_shared<Packets>(); }};

} // namespace helio
