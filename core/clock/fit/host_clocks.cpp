#include "core/clock/fit/host_clocks.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

/// Costs of uncertain relations between two hosts' clocks, in the search for the cheapest path to the reference host. Each cost exceeds any
/// sum of errors in ns, so a path uses an uncertain relation only if there is no path without it. HandCost: the user gave the relation
/// without an error. OneWayCost: all messages have the same direction.
constexpr double HandCost = 1e17;
constexpr double OneWayCost = 1e18;

double costOf(const HostClockPair& pair)
{
    const ClockFit& fit = pair.fit;
    if (fit.quality == FitQuality::OneWay)
        return OneWayCost;
    return pair.isGiven && fit.error == Duration::max() ? HandCost : static_cast<double>(fit.error.count()) + 1;
}

bool isUsable(const ClockFit& fit) { return fit.quality != FitQuality::None && fit.quality != FitQuality::Failed; }

struct Step {
    double cost = 0;
    std::uint32_t next = 0;
    const HostClockPair* pair = nullptr; ///< Pair of this host and `next`; nullptr if the host is not reached or is the reference.
    bool isDone = false;
    bool isReached = false;
};

/// Computes for each host its first step towards the reference, with Dijkstra's algorithm from the reference outwards. The search for the
/// nearest host is linear, because there are few hosts.
std::vector<Step> stepsTo(std::uint32_t reference, std::uint32_t hosts, std::span<const HostClockPair> pairs)
{
    std::vector<Step> steps(hosts);
    steps[reference].isReached = true;
    std::vector<bool> isGiven(hosts);
    for (const HostClockPair& pair : pairs)
        if (pair.isGiven && pair.here < hosts)
            isGiven[pair.here] = true;
    while (true) {
        std::uint32_t best = hosts;
        for (std::uint32_t host = 0; host < hosts; ++host)
            if (steps[host].isReached && !steps[host].isDone && (best == hosts || steps[host].cost < steps[best].cost))
                best = host;
        if (best == hosts)
            return steps;
        steps[best].isDone = true;
        for (const HostClockPair& pair : pairs) {
            if ((pair.here != best && pair.there != best) || !isUsable(pair.fit))
                continue;
            const std::uint32_t further = pair.here == best ? pair.there : pair.here;
            if (isGiven[further] && !(pair.isGiven && pair.here == further))
                continue;
            Step& other = steps[further];
            const double cost = steps[best].cost + costOf(pair);
            if (!other.isDone && (!other.isReached || cost < other.cost))
                other = {cost, best, &pair, false, true};
        }
    }
}

std::vector<ClockPoint> composedPoints(const ClockFit& first, const ClockFit& second)
{
    const auto toSecond = ClockTransform::through(first.points);
    const auto toThird = ClockTransform::through(second.points);
    return toSecond && toThird ? toSecond->composedWith(*toThird).points() : std::vector<ClockPoint>();
}

std::vector<FitInterval> composedIntervals(const ClockFit& first, const ClockFit& second, const std::vector<ClockPoint>& points)
{
    std::vector<FitInterval> intervals;
    if (first.intervals.empty() && second.intervals.empty())
        return intervals;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const auto here = static_cast<long double>((points[i + 1].host - points[i].host).count());
        const auto there = static_cast<long double>((points[i + 1].experiment - points[i].experiment).count());
        const auto gain = static_cast<std::int64_t>((there - here) / here * ClockLine::PerOne);
        intervals.push_back({points[i].host, {points[i].host, points[i].experiment, gain}, std::max(points[i].error, points[i + 1].error)});
    }
    return intervals;
}

/// Computes the errors of the composed fit `both` over both.span, the time span of the first fit's messages: the largest error, the
/// smallest error and its time. Examines the points of the fit, both ends of the span, and both.surest.
void computeComposedErrors(ClockFit& both)
{
    const auto clock = ClockTransform::through(both.points);
    if (!clock)
        return;
    std::vector<HostTimestamp> places{both.span.begin, both.span.end, both.surest};
    for (const ClockPoint& point : both.points)
        if (point.host >= both.span.begin && point.host <= both.span.end)
            places.push_back(point.host);
    both.error = both.lineError = {};
    both.minError = Duration::max();
    for (const HostTimestamp at : places) {
        const Duration error = clock->errorAt(at);
        both.error = std::max(both.error, error);
        both.lineError = std::max(both.lineError, sumOf(error, std::chrono::abs(both.line(at) - (*clock)(at))));
        if (error < both.minError)
            both.minError = error, both.surest = at;
    }
}

/// Returns the error bound of the product of the two fits' rates, in 10^-12; nullopt if a fit has no error bound. The rates a and b with
/// the errors da and db give the error (a + da)(b + db) - ab = a db + b da + da db.
std::optional<std::int64_t> driftErrorOfBoth(const ClockFit& first, const ClockFit& second)
{
    if (!first.driftError || !second.driftError)
        return {};
    const auto a = static_cast<long double>(*first.driftError) * 1e-12L, b = static_cast<long double>(*second.driftError) * 1e-12L;
    const long double rateA = 1 + std::abs(first.line.driftPpm()) * 1e-6L, rateB = 1 + std::abs(second.line.driftPpm()) * 1e-6L;
    return static_cast<std::int64_t>(std::min<long double>(std::ceil((a * rateB + b * rateA + a * b) * 1e12L), MaxDriftError));
}

} // namespace

ClockFit composed(const ClockFit& first, const ClockFit& second)
{
    ClockFit both = first;
    both.quality = std::min(first.quality, second.quality);
    both.points = composedPoints(first, second);
    both.line = composed(first.line, second.line);
    both.intervals = composedIntervals(first, second, both.points);
    both.error = sumOf(first.error, second.error);
    both.lineError = sumOf(first.lineError, second.lineError);
    both.minError = sumOf(first.minError, second.minError);
    both.driftError = driftErrorOfBoth(first, second);
    computeComposedErrors(both);
    return both;
}

std::vector<HostClockPath> findClockPaths(std::uint32_t reference, std::uint32_t hosts, std::span<const HostClockPair> pairs)
{
    const std::vector<Step> steps = stepsTo(reference, hosts, pairs);
    std::vector<HostClockPath> paths(hosts);
    for (std::uint32_t host = 0; host < hosts; ++host) {
        paths[host].isReached = steps[host].isReached;
        std::optional<ClockFit> fit;
        for (std::uint32_t at = host; steps[at].pair; at = steps[at].next) {
            const HostClockPair& pair = *steps[at].pair;
            const ClockFit step = pair.here == at ? pair.fit : inverse(pair.fit);
            fit = fit ? composed(*fit, step) : step;
            paths[host].hosts.push_back(steps[at].next);
        }
        if (fit)
            paths[host].fit = std::move(*fit);
    }
    return paths;
}

} // namespace helio
