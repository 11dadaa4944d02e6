#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace helio {
namespace {

constexpr std::string_view RanksView = "mpi-states-rows"; ///< View of the shipped analysis mpi-states.
constexpr std::size_t LeastBarriers = 8;
constexpr double LeastLonger = 1.1; ///< Minimum ratio of the late rank's computing time to the mean of the other ranks.

/// A rank of an MPI program.
struct Rank {
    Row row;
    std::vector<Timestamp> arrivals; ///< Begin of each barrier, in time order.
    Duration computed{};
};

/// Returns the ranks with all their arrivals, so that arrivals with the same index belong to the same barrier, and their computing times in
/// the window.
std::vector<Rank> ranksOf(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    std::vector<Rank> ranks;
    for (const Row& row : rows(timeline, RanksView)) {
        if (!row.ref.isValid() || !scope.accepts(row))
            continue;
        Rank rank{row, {}, {}};
        const auto take = [&](const Interval& it) {
            const std::string_view state = stateName(timeline, row.ref, it.state);
            if (state == "barrier")
                rank.arrivals.push_back(it.range.begin);
            if (const TimeRange part = it.range.clippedTo(scope.window()); state == "compute" && !part.isEmpty())
                rank.computed += part.duration();
        };
        forEachRowInterval(timeline, row, {Timestamp::min(), Timestamp::max()}, take, scope.stop());
        if (!rank.arrivals.empty())
            ranks.push_back(std::move(rank));
    }
    return ranks;
}

bool canLookForRanks(const FindingScope& scope) { return !rows(scope.timeline(), RanksView).empty(); }

/// The times in which all other ranks waited in a barrier for one rank.
struct LateTimes {
    std::vector<Occurrences> byRank; ///< Indexed like the ranks; empty if the ranks' arrivals do not belong together.
    std::size_t barriers = 0; ///< Number of the barriers in the window.
};

LateTimes lateTimesOf(const std::vector<Rank>& ranks, TimeRange window)
{
    std::size_t barriers = ranks.empty() ? 0 : ranks.front().arrivals.size();
    for (const Rank& rank : ranks)
        barriers = std::min(barriers, rank.arrivals.size());
    LateTimes late{std::vector<Occurrences>(ranks.size())};
    Timestamp before = Timestamp::min(); // Last arrival at the barrier before.
    for (std::size_t barrier = 0; barrier < barriers; ++barrier) {
        std::vector<std::pair<Timestamp, std::size_t>> arrivals;
        for (std::size_t i = 0; i < ranks.size(); ++i)
            arrivals.emplace_back(ranks[i].arrivals[barrier], i);
        std::ranges::sort(arrivals);
        // All ranks arrive at a barrier before any of them leaves it. Otherwise a rank's events are missing, or the ranks are of two
        // programs.
        if (arrivals.front().first < before)
            return {};
        before = arrivals.back().first;
        const auto& [last, rank] = arrivals.back();
        if (!window.contains(last))
            continue;
        ++late.barriers;
        late.byRank[rank].add({std::max(arrivals[arrivals.size() - 2].first, window.begin), last}, ranks[rank].row.ref);
    }
    return late;
}

std::vector<Finding> findLateRank(const FindingScope& scope)
{
    const std::vector<Rank> ranks = ranksOf(scope);
    if (ranks.size() < 2)
        return {};
    const LateTimes late = lateTimesOf(ranks, scope.window());
    if (late.barriers < LeastBarriers)
        return {};
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(late.byRank, {}, &Occurrences::count) - late.byRank.begin());
    const Occurrences& times = late.byRank[worst];
    Duration others{};
    for (std::size_t i = 0; i < ranks.size(); ++i)
        others += i == worst ? Duration{} : ranks[i].computed;
    const double mean = double(others.count()) / double(ranks.size() - 1);
    const double ratio = mean > 0 ? double(ranks[worst].computed.count()) / mean : 0;
    // Without a cause, all ranks are last equally often.
    const double enough = std::max(0.4, 1.5 / double(ranks.size())) * double(late.barriers);
    if (double(times.count()) < enough || ratio < LeastLonger || times.covered() < scope.threshold())
        return {};
    Finding finding;
    finding.text = "MPI " + ranks[worst].row.label + " is last at " + std::to_string(times.count()) + " of "
        + countText(late.barriers, "barrier") + "; it computes " + std::to_string(std::lround(100 * (ratio - 1)))
        + " % longer than the others";
    finding.detail = "the others wait up to " + shortDuration(times.longest().range.duration()) + " for it alone";
    finding.host = ranks[worst].row.host;
    finding.color = "path.lock";
    times.fill(finding, [](const Occurrences::Occurrence& it) {
        return "all other ranks waited " + shortDuration(it.range.duration()) + " in the barrier";
    });
    return {finding};
}

} // namespace

extern const Finder lateRankFinder;
const Finder lateRankFinder{"late-rank", "Late rank", canLookForRanks, findLateRank, RecordableData::None, "mpi-states-rows"};

} // namespace helio
