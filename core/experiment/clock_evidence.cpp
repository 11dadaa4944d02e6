#include "core/experiment/clock_evidence.h"

#include "core/correlation/transmissions.h"
#include "core/experiment/host_alignment.h"

#include <tuple>

namespace helio {
namespace {

bool isFoundFromMessages(const TimelineHost& host) { return host.method == ClockMethod::Packets || host.method == ClockMethod::Hypercalls; }

/// Sort key of a comparison for a clock that was set by the user: comparisons with the first host of its path first, then by method, then
/// by number of messages.
auto rankOf(const TimelineHost& host, const ClockEvidence& it)
{
    return std::tuple(it.neighbour == host.path.hosts.front(), it.compared->method, it.compared->messages.size());
}

bool comesEarly(const Timeline& timeline, const Transmission& message)
{
    return timeline.traces[message.toTrace].clock(message.received) < timeline.traces[message.fromTrace].clock(message.sent);
}

} // namespace

ClockEvidence findClockEvidence(const Timeline& timeline, std::uint32_t host)
{
    const TimelineHost& it = timeline.hosts[host];
    const bool isFound = isFoundFromMessages(it);
    ClockEvidence best;
    if (!timeline.appliesClocks || (!isFound && it.method != ClockMethod::Manual) || it.path.hosts.empty())
        return best;
    for (std::size_t relation = 0; relation < timeline.relations.size(); ++relation) {
        if (!timeline.relations[relation] || !timeline.relations[relation]->comparisons)
            continue;
        for (const HostComparison& compared : *timeline.relations[relation]->comparisons) {
            const HostClockPair& pair = compared.pair;
            const ClockEvidence found{&compared, relation, pair.here == host ? pair.there : pair.here};
            if ((pair.here != host && pair.there != host) || compared.messages.empty())
                continue;
            const bool isOfPath = compared.method == it.method && found.neighbour == it.path.hosts.front();
            const bool isWanted = isFound ? isOfPath : rootOf(timeline, found.neighbour) == rootOf(timeline, host);
            if (isWanted && (!best.compared || rankOf(it, found) > rankOf(it, best)))
                best = found;
        }
    }
    return best;
}

void countCausalityViolations(Timeline& timeline)
{
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host) {
        timeline.hosts[host].early = {};
        if (timeline.hosts[host].method != ClockMethod::Manual)
            continue;
        const auto [compared, relation, neighbour] = findClockEvidence(timeline, host);
        if (!compared || !timeline.relations[relation]->messages)
            continue;
        CausalityViolations& early = timeline.hosts[host].early;
        early = {0, compared->messages.size(), compared->pair.fit.outliers.size(), relation};
        for (const std::uint32_t place : compared->messages)
            early.count += comesEarly(timeline, timeline.relations[relation]->messages->all[place]);
    }
}

} // namespace helio
