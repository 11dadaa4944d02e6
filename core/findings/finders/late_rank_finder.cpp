#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <cmath>
#include <map>

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

std::vector<Rank> ranksOf(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    std::vector<Rank> ranks;
    for (const Row& row : rows(timeline, RanksView)) {
        if (!row.ref.isValid() || !scope.accepts(row))
            continue;
        Rank rank{row, {}, {}};
        forEachRowInterval(
            timeline, row, scope.window(),
            [&](const Interval& it) {
                const std::string_view state = stateName(timeline, row.ref, it.state);
                if (state == "barrier" && it.range.begin > scope.window().begin)
                    rank.arrivals.push_back(it.range.begin);
                if (state == "compute")
                    rank.computed += it.range.duration();
            },
            scope.stop());
        if (!rank.arrivals.empty())
            ranks.push_back(std::move(rank));
    }
    return ranks;
}

bool canLookForRanks(const FindingScope& scope) { return ranksOf(scope).size() > 1; }

/// The times in which all other ranks waited in a barrier for one rank.
struct LateTimes {
    std::vector<Occurrences> byRank;
    std::size_t barriers = 0;
};

LateTimes lateTimesOf(const std::vector<Rank>& ranks)
{
    LateTimes late{std::vector<Occurrences>(ranks.size()), ranks.front().arrivals.size()};
    for (const Rank& rank : ranks)
        late.barriers = std::min(late.barriers, rank.arrivals.size());
    for (std::size_t barrier = 0; barrier < late.barriers; ++barrier) {
        std::size_t last = 0;
        for (std::size_t i = 1; i < ranks.size(); ++i)
            if (ranks[i].arrivals[barrier] > ranks[last].arrivals[barrier])
                last = i;
        Timestamp previous = Timestamp::min();
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (i != last)
                previous = std::max(previous, ranks[i].arrivals[barrier]);
        late.byRank[last].add({previous, ranks[last].arrivals[barrier]}, ranks[last].row.ref);
    }
    return late;
}

std::vector<Finding> findLateRank(const FindingScope& scope)
{
    const std::vector<Rank> ranks = ranksOf(scope);
    const LateTimes late = lateTimesOf(ranks);
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(late.byRank, {}, &Occurrences::count) - late.byRank.begin());
    const Occurrences& times = late.byRank[worst];
    Duration others{};
    for (std::size_t i = 0; i < ranks.size(); ++i)
        others += i == worst ? Duration{} : ranks[i].computed;
    const double mean = double(others.count()) / double(ranks.size() - 1);
    const double ratio = mean > 0 ? double(ranks[worst].computed.count()) / mean : 0;
    // Without a cause, all ranks are last equally often.
    const double enough = std::max(0.4, 1.5 / double(ranks.size())) * double(late.barriers);
    if (late.barriers < LeastBarriers || double(times.count()) < enough || ratio < LeastLonger || times.covered() < scope.threshold())
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
const Finder lateRankFinder{"late-rank", "Late rank", canLookForRanks, findLateRank, "mpi-states-rows"};

} // namespace helio
