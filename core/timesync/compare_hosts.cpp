#include "core/timesync/compare_hosts.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

/// Indexes of messages, keyed by the host that the messages left and the host that they reached.
using ByWay = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>;

/// Groups messages by their hosts. The times of split or merged packets bound a clock less tightly than the times of whole packets, so they
/// are used only for directions without whole packets.
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

} // namespace

std::vector<HostComparison> compareHosts(const Timeline& timeline, const Transmissions& messages, ClockMethod method,
                                         const std::stop_token& stop)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> byHosts;
    for (const auto& [way, places] : messagesByWay(timeline, messages)) {
        auto& all = byHosts[std::minmax(way.first, way.second)];
        all.insert(all.end(), places.begin(), places.end());
        std::ranges::sort(all);
    }
    std::vector<HostComparison> compared;
    const auto onHost = [&](std::uint32_t trace, HostTimestamp at) { return nanoseconds(timeline.traces[trace].ownClock(at)); };
    for (auto& [hosts, places] : byHosts) {
        HostComparison it{{hosts.second, hosts.first, {}, false}, method, std::move(places)};
        std::vector<ClockSample> passages;
        for (const std::uint32_t place : it.messages) {
            const Transmission& message = messages.all[place];
            const std::int64_t sent = onHost(message.fromTrace, message.sent);
            const std::int64_t received = onHost(message.toTrace, message.received);
            const bool isArrival = timeline.traces[message.toTrace].host == it.pair.here;
            passages.push_back(isArrival ? ClockSample{hostTime(received), timestamp(sent), true}
                                         : ClockSample{hostTime(sent), timestamp(received), false});
        }
        it.pair.fit = fitClocks(passages, stop);
        compared.push_back(std::move(it));
    }
    return compared;
}

} // namespace helio
