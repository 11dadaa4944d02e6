#include "core/network/clock_path.h"

#include <algorithm>

namespace helio {
namespace {

/// Returns the comparison of the clocks of `host` and `next`; nullptr if none exists. Hosts can be compared by several methods; the
/// method that was chosen for the clock of `host` is used.
const HostComparison* comparisonOf(const Timeline& timeline, std::uint32_t host, std::uint32_t next)
{
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->comparisons)
            continue;
        for (const HostComparison& it : *relation->comparisons)
            if (it.method == timeline.hosts[host].method && std::minmax(it.pair.here, it.pair.there) == std::minmax(host, next))
                return &it;
    }
    return nullptr;
}

} // namespace

ClockPath::ClockPath(const Timeline& timeline)
    : m_timeline(timeline)
    , m_steps(timeline.hosts.size())
{
}

const ClockPath::Step& ClockPath::stepOf(std::uint32_t host) const
{
    std::optional<Step>& step = m_steps[host];
    return step ? *step : step.emplace(computeStep(host));
}

ClockPath::Step ClockPath::computeStep(std::uint32_t host) const
{
    const TimelineHost& it = m_timeline.hosts[host];
    Step step;
    if (it.path.hosts.empty())
        return step;
    step.next = it.path.hosts.front();
    if (it.path.hosts.size() == 1) {
        step.clock = it.clock;
        step.isKnown = true;
    } else if (const HostComparison* compared = comparisonOf(m_timeline, host, step.next)) {
        const std::vector<ClockPoint>& points = compared->pair.fit.points;
        if (const auto clock = ClockTransform::through(compared->pair.here == host ? points : inverse(points)))
            step.clock = *clock, step.isKnown = true;
    }
    return step;
}

/// Returns the hosts on the path from `host` to the reference host, both included. If the clock of a step is unknown, the path ends
/// before that step.
std::vector<std::uint32_t> ClockPath::wayOf(std::uint32_t host) const
{
    std::vector<std::uint32_t> way{host};
    while (stepOf(way.back()).isKnown)
        way.push_back(stepOf(way.back()).next);
    return way;
}

Duration ClockPath::errorBetween(std::uint32_t a, std::uint32_t b, Timestamp at) const
{
    if (a == b)
        return Duration{};
    if (!m_timeline.appliesClocks)
        return Duration::max();
    std::vector<std::uint32_t> first = wayOf(a);
    std::vector<std::uint32_t> second = wayOf(b);
    if (first.back() != second.back())
        return Duration::max();
    while (first.size() > 1 && second.size() > 1 && first.end()[-2] == second.end()[-2]) {
        first.pop_back();
        second.pop_back();
    }
    Duration error{};
    for (const auto& way : {first, second})
        for (std::size_t i = 0; i + 1 < way.size(); ++i)
            error = sumOf(error, stepOf(way[i]).clock.errorAt(m_timeline.hosts[way[i]].clock.inverse(at)));
    return error;
}

} // namespace helio
