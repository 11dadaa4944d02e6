#include "core/compare/ledger.h"

#include "core/query/interval_walk.h"
#include "core/query/sample_stacks.h"
#include "core/query/sampled_use.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace helio {
namespace {

using Cause = std::pair<std::string, std::string>; ///< State and detail.
using Causes = std::map<Cause, std::int64_t>; ///< ns of all runs.

/// The ns on a CPU that samples stand for.
std::int64_t cpuTimeOf(const StackProfile& profile, const SampleKind& kind)
{
    if (kind.isTime)
        return static_cast<std::int64_t>(std::min<std::uint64_t>(profile.weight, INT64_MAX));
    std::int64_t ns = 0;
    const bool isTooMuch = __builtin_mul_overflow(profile.samples, kind.spacing.count(), &ns);
    return isTooMuch ? INT64_MAX : ns;
}

/// Without scheduler events: what the samples of a run say it was on a CPU for; the rest it was not on one, nobody recorded why. Samples
/// can claim a little more than there was.
void addSampled(const Timeline& timeline, const ProcessRun& run, const SampleKind& kind, Causes& causes, const std::stop_token& stop)
{
    std::int64_t left = run.range.duration().count();
    const auto add = [&](std::string_view state, std::uint32_t modes) {
        SampleFilter filter;
        filter.ranges = {sampledRange(timeline, run)};
        filter.kinds = {kind.name};
        filter.threads = {run.leader.ref};
        filter.modes = modes;
        const std::int64_t ns = std::min(left, cpuTimeOf(collectStacks(timeline, filter, nullptr, stop), kind));
        if (ns > 0)
            causes[{std::string(state), "sampled"}] += ns;
        left -= ns;
    };
    constexpr std::uint32_t User = 1u << static_cast<unsigned>(CodeMode::User);
    add("running-user", User);
    add("running-kernel", ~User);
    if (left > 0)
        causes[{"waiting", "not sampled on a CPU"}] += left;
}

Causes causesOf(const Timeline& timeline, std::span<const ProcessRun> runs, const std::stop_token& stop)
{
    Causes causes;
    const std::optional<SampleKind> sampled = cpuTimeKind(timeline);
    for (const ProcessRun& run : runs) {
        // Texts are looked up once for each state and value.
        std::map<std::pair<State, std::uint32_t>, std::int64_t> sums;
        std::int64_t covered = 0;
        bool isKnown = false;
        eachInterval(
            timeline, run.leader, run.range,
            [&](const Interval& interval) {
                sums[{interval.state, interval.value}] += interval.range.duration().count();
                covered += interval.range.duration().count();
                isKnown = isKnown || stateName(timeline, run.leader.ref, interval.state) != "unknown";
            },
            stop);
        if (!isKnown && sampled) {
            addSampled(timeline, run, *sampled, causes, stop);
            continue;
        }
        for (const auto& [key, ns] : sums)
            causes[{std::string(stateName(timeline, run.leader.ref, key.first)), valueText(timeline, run.leader.ref, key.second)}] += ns;
        if (const std::int64_t rest = run.range.duration().count() - covered; rest > 0)
            causes[{"unknown", {}}] += rest;
    }
    return causes;
}

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

/// The mean of each, in whole ns, so that they add up to the mean of the sum: what is cut off goes where most was cut off.
void divide(Causes& causes, std::int64_t count)
{
    const std::int64_t sum =
        std::accumulate(causes.begin(), causes.end(), std::int64_t(0), [](std::int64_t s, const auto& c) { return s + c.second; });
    std::vector<std::pair<std::int64_t, std::int64_t*>> cut; ///< Remainder, where.
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

std::optional<double> Ledger::efficiency() const
{
    if (!areAtOnce || runsA == runsB || std::min(runsA, runsB) != 1 || a <= Duration::zero() || b <= Duration::zero())
        return {};
    return runsA == 1 ? double(a.count()) / double(b.count()) : double(b.count()) / double(a.count());
}

Ledger whySlower(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b, std::span<const ProcessRun> runsB,
                 std::stop_token stop)
{
    Ledger ledger;
    ledger.runsA = static_cast<std::uint32_t>(runsA.size());
    ledger.runsB = static_cast<std::uint32_t>(runsB.size());
    if (runsA.empty() || runsB.empty())
        return ledger;
    ledger.areAtOnce = overlap(runsA) && overlap(runsB);
    Causes inA = causesOf(a, runsA, stop);
    Causes inB = causesOf(b, runsB, stop);
    divide(inA, static_cast<std::int64_t>(runsA.size()));
    divide(inB, static_cast<std::int64_t>(runsB.size()));
    std::map<Cause, LedgerLine> lines;
    for (const auto& [cause, ns] : inA)
        lines[cause].a = Duration(ns);
    for (const auto& [cause, ns] : inB)
        lines[cause].b = Duration(ns);
    for (auto& [cause, line] : lines) {
        std::tie(line.state, line.detail) = cause;
        ledger.a += line.a;
        ledger.b += line.b;
        ledger.lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(ledger.lines, std::greater(), [](const LedgerLine& line) { return std::abs(line.difference().count()); });
    return ledger;
}

} // namespace helio
