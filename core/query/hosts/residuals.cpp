#include "core/query/hosts/residuals.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::size_t Steps = 200; ///< Of time: each keeps its nearest messages.
constexpr std::size_t BoundSteps = 240;

struct Found {
    const ComparedHosts* compared = nullptr;
    std::size_t relation = 0;
};

/// The comparison that the first step of the host's path is made of.
Found comparisonOf(const Timeline& timeline, std::uint32_t host)
{
    const TimelineHost& it = timeline.hosts[host];
    const bool isFound = it.method == ClockMethod::Packets || it.method == ClockMethod::Hypercalls;
    if (!isFound || it.path.hosts.empty())
        return {};
    for (std::size_t relation = 0; relation < timeline.relations.size(); ++relation) {
        if (!timeline.relations[relation] || !timeline.relations[relation]->comparisons)
            continue;
        for (const ComparedHosts& compared : *timeline.relations[relation]->comparisons)
            if (compared.method == it.method
                && std::minmax(compared.pair.here, compared.pair.there) == std::minmax(host, it.path.hosts.front()))
                return {&compared, relation};
    }
    return {};
}

/// In each stretch of time those that are nearest to taking no time: they decide.
void thin(std::vector<Residual>& points, std::size_t most)
{
    if (points.size() <= most)
        return;
    const Timestamp begin = points.front().at;
    const std::int64_t length = std::max<std::int64_t>((points.back().at - begin).count(), 1);
    std::vector<Residual> kept;
    std::vector<Residual> step;
    const auto keep = [&] {
        const auto rank = [](const Residual& it) { return std::pair(!it.isOutlier, std::chrono::abs(it.distance)); };
        const std::size_t room = std::min(step.size(), most / Steps);
        std::ranges::nth_element(step, step.begin() + static_cast<std::ptrdiff_t>(room), {}, rank);
        kept.insert(kept.end(), step.begin(), step.begin() + static_cast<std::ptrdiff_t>(room));
        step.clear();
    };
    std::int64_t last = 0;
    for (const Residual& point : points) {
        const auto number =
            static_cast<std::int64_t>(static_cast<long double>((point.at - begin).count()) * Steps / static_cast<long double>(length));
        if (number != last)
            keep();
        last = number;
        step.push_back(point);
    }
    keep();
    std::ranges::stable_sort(kept, {}, &Residual::at);
    points = std::move(kept);
}

} // namespace

Residuals residualsOf(const Timeline& timeline, std::uint32_t host, std::size_t most, std::stop_token stop)
{
    Residuals found;
    found.host = host;
    const auto [compared, relation] = comparisonOf(timeline, host);
    if (!compared)
        return found;
    found.relation = relation;
    found.neighbour = timeline.hosts[host].path.hosts.front();
    const ClockFit fit = compared->pair.here == host ? compared->pair.fit : inverse(compared->pair.fit);
    const auto clock = ClockTransform::through(fit.points);
    if (!clock)
        return found;
    const ClockTransform& toExperiment = timeline.hosts[host].clock;
    const Transmissions& messages = *timeline.relations[relation]->messages;
    std::vector<bool> isOutlier(compared->messages.size());
    for (const std::uint32_t place : fit.outliers)
        isOutlier[place] = true;
    found.all = compared->messages.size();
    for (std::size_t i = 0; i < compared->messages.size() && !stop.stop_requested(); ++i) {
        const Transmission& it = messages.all[compared->messages[i]];
        const TimelineTrace& from = timeline.traces[it.fromTrace];
        const TimelineTrace& to = timeline.traces[it.toTrace];
        const HostTimestamp sent = hostTime(nanoseconds(from.ownClock(it.sent)));
        const HostTimestamp received = hostTime(nanoseconds(to.ownClock(it.received)));
        const bool isArrival = to.host == host;
        const HostTimestamp here = isArrival ? received : sent;
        const HostTimestamp there = isArrival ? sent : received;
        found.points.push_back(
            {toExperiment(here), timestamp(nanoseconds(there)) - (*clock)(here), isArrival, isOutlier[i], compared->messages[i]});
    }
    std::ranges::stable_sort(found.points, {}, &Residual::at);
    thin(found.points, most);
    for (std::size_t i = 0; i <= BoundSteps; ++i) {
        const HostTimestamp at = fit.span.begin + (fit.span.end - fit.span.begin) / std::int64_t(BoundSteps) * std::int64_t(i);
        found.bounds.push_back({toExperiment(at), clock->errorAt(at)});
    }
    return found;
}

} // namespace helio
