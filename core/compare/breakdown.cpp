#include "core/compare/breakdown.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace helio {
namespace {

bool overlap(std::span<const ProcessRun> runs)
{
    Timestamp latestBegin = Timestamp::min();
    Timestamp earliestEnd = Timestamp::max();
    for (const ProcessRun& run : runs) {
        latestBegin = std::max(latestBegin, run.range.begin);
        earliestEnd = std::min(earliestEnd, run.range.end);
    }
    return latestBegin < earliestEnd;
}

Duration meanWall(std::span<const ProcessRun> runs)
{
    Duration all{};
    for (const ProcessRun& run : runs)
        all += run.range.duration();
    return all / std::ssize(runs);
}

/// Divides the time of each cause by `count` and rounds the quotients to whole ns, so that they add up to the sum of all times divided by
/// `count`. First rounds all quotients down; then the causes with the largest remainders get one ns more.
void divide(TimesByCause& causes, std::int64_t count)
{
    const std::int64_t sum =
        std::accumulate(causes.begin(), causes.end(), std::int64_t(0), [](std::int64_t s, const auto& c) { return s + c.second; });
    /// For each cause: remainder of the division of its time by `count`, and a pointer to the quotient.
    std::vector<std::pair<std::int64_t, std::int64_t*>> cut;
    std::int64_t left = sum / count;
    for (auto& [cause, ns] : causes) {
        cut.emplace_back(ns % count, &ns);
        ns /= count;
        left -= ns;
    }
    std::ranges::stable_sort(cut, std::greater(), [](const auto& c) { return c.first; });
    for (std::size_t i = 0; left > 0; ++i, --left)
        ++*cut[i].second;
}

} // namespace

std::optional<double> Breakdown::efficiency() const
{
    if (!areAtOnce || runsA == runsB || std::min(runsA, runsB) != 1 || wallA <= Duration::zero() || wallB <= Duration::zero())
        return {};
    // Upper limit of the quotients that count as 1 (they would be shown as 100.0 %). A larger quotient means that simultaneous runs are
    // faster than a single run; the runs then did not do the same work.
    constexpr double Most = 1.0005;
    const double quotient = runsA == 1 ? double(wallA.count()) / double(wallB.count()) : double(wallB.count()) / double(wallA.count());
    return quotient < Most ? std::optional(std::min(quotient, 1.0)) : std::nullopt;
}

Breakdown makeBreakdown(TimesByCause a, std::size_t runsA, TimesByCause b, std::size_t runsB)
{
    Breakdown breakdown;
    breakdown.runsA = static_cast<std::uint32_t>(runsA);
    breakdown.runsB = static_cast<std::uint32_t>(runsB);
    if (runsA == 0 || runsB == 0)
        return breakdown;
    divide(a, static_cast<std::int64_t>(runsA));
    divide(b, static_cast<std::int64_t>(runsB));
    std::map<TimeCause, BreakdownLine> lines;
    for (const auto& [cause, ns] : a)
        lines[cause].a = Duration(ns);
    for (const auto& [cause, ns] : b)
        lines[cause].b = Duration(ns);
    for (auto& [cause, line] : lines) {
        line.state = cause.state;
        line.detail = cause.detail;
        breakdown.a += line.a;
        breakdown.b += line.b;
        breakdown.lines.push_back(std::move(line));
    }
    breakdown.wallA = breakdown.a;
    breakdown.wallB = breakdown.b;
    std::ranges::stable_sort(breakdown.lines, std::greater(),
                             [](const BreakdownLine& line) { return std::abs(line.difference().count()); });
    return breakdown;
}

Breakdown computeBreakdown(const SideRuns& a, const SideRuns& b, std::stop_token stop)
{
    if (a.runs.empty() || b.runs.empty())
        return makeBreakdown({}, a.runs.size(), {}, b.runs.size());
    Breakdown breakdown = makeBreakdown(computeTimesByCause(a, stop), a.runs.size(), computeTimesByCause(b, stop), b.runs.size());
    breakdown.basis = a.basis;
    breakdown.areAtOnce = overlap(a.runs) && overlap(b.runs);
    if (isCpuTime(a.basis)) {
        breakdown.wallA = meanWall(a.runs);
        breakdown.wallB = meanWall(b.runs);
    }
    return breakdown;
}

} // namespace helio
