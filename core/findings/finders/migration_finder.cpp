#include "core/counters/formula.h"
#include "core/counters/ratios.h"
#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/latency/migrations/migrations.h"
#include "core/latency/migrations/switch_in_counts.h"
#include "core/latency/migrations/switch_in_rates.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace helio {
namespace {

constexpr Duration First = std::chrono::microseconds(100); ///< Time after a switch-in in which caches are cold.
constexpr double LeastLoss = 0.1; ///< Minimum relative loss of instructions per cycle after migrations.
constexpr double Sure = 4; ///< Minimum ratio of the loss to its standard error.

std::vector<std::string> counterViews(const Timeline& timeline)
{
    std::vector<std::string> views = viewsOf(timeline);
    std::erase_if(views, [&](const std::string& it) { return viewDescription(timeline, it).shape != TrackView::Shape::Curves; });
    return views;
}

const CounterFormula& instructionsPerCycle()
{
    static const CounterFormula formula = *CounterFormula::parse("instructions / cycles");
    return formula;
}

bool canLookForMigrations(const FindingScope& scope)
{
    return !ratioRows(scope.timeline(), counterViews(scope.timeline()), instructionsPerCycle()).empty();
}

/// Switch-ins of the threads of one host, with and without a migration.
struct HostMoves {
    CountSumsByThread moved;
    CountSumsByThread stayed;
    Occurrences cold; ///< The first part of each run after a migration.
};

/// Mean difference between a thread's rates, and its standard error.
struct Difference {
    double value = 0;
    double error = 0;
};

/// Returns the mean difference between the rates after migrations and those of the same threads without; nullopt if no thread has both.
std::optional<Difference> meanDifference(const RateByThread& moved, const RateByThread& stayed)
{
    const RateDifference byThreads = differenceOf(moved, stayed);
    if (!byThreads.value)
        return {};
    // The errors of the threads' own rates. With few threads, differences between them tell too little about the error.
    double weights = 0, squares = 0;
    for (const auto& [thread, rate] : moved)
        if (const auto other = stayed.find(thread); other != stayed.end()) {
            const auto weight = double(rate.measured);
            weights += weight;
            squares += weight * weight * (rate.error * rate.error + other->second.error * other->second.error);
        }
    return Difference{*byThreads.value, std::max(byThreads.error, weights > 0 ? std::sqrt(squares) / weights : 0)};
}

std::map<std::uint32_t, HostMoves> movesOf(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    const ThreadRuns runs(timeline, scope.stop());
    std::vector<ThreadSwitchIns> threads = collectSwitchIns(timeline, runs, {}, scope.window(), scope.stop());
    std::vector<Row> rows;
    std::erase_if(threads, [&](const ThreadSwitchIns& it) {
        const auto row = rowOf(timeline, it.thread);
        if (!row || !scope.accepts(*row))
            return true;
        rows.push_back(*row);
        return false;
    });
    const auto counts = countAfterSwitchIns(timeline, counterViews(timeline), instructionsPerCycle(), threads, First, scope.stop());
    std::map<std::uint32_t, HostMoves> hosts;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        HostMoves& host = hosts[rows[i].host];
        for (std::size_t k = 0; k < threads[i].all.size(); ++k) {
            const SwitchIn& it = threads[i].all[k];
            const bool isMoved = it.distance != CpuDistance::SameCpu;
            (isMoved ? host.moved : host.stayed)[threads[i].thread].add(counts[i][k]);
            if (isMoved)
                host.cold.add({it.run.begin, std::min(it.run.end, it.run.begin + First)}, threads[i].thread);
        }
    }
    return hosts;
}

std::vector<Finding> findMigrations(const FindingScope& scope)
{
    std::vector<Finding> findings;
    for (const auto& [host, moves] : movesOf(scope)) {
        const CounterFormula& formula = instructionsPerCycle();
        const auto difference = meanDifference(ratesOf(moves.moved, formula), ratesOf(moves.stayed, formula));
        const auto usual = rateOf(moves.stayed, formula).value;
        if (!difference || !usual || *usual <= 0 || scope.stop().stop_requested())
            continue;
        const double loss = -difference->value / *usual;
        const Duration lost(static_cast<std::int64_t>(loss * double(moves.cold.total().count())));
        if (loss < LeastLoss || -difference->value < Sure * difference->error || lost < scope.threshold())
            continue;
        Finding finding;
        finding.text = "After migrations, threads execute " + shareText(loss) + " fewer instructions per cycle for " + shortDuration(First);
        finding.detail = countText(moves.cold.count(), "migration") + " of " + countText(moves.moved.size(), "thread")
            + "; compared with the same threads where they stay on a CPU";
        finding.host = host;
        finding.color = "thread.wait-cpu";
        finding.check = "heliograph migrations TRACE --by distance";
        moves.cold.fill(finding, [](const Occurrences::Occurrence&) { return "first 100 µs after a migration"; });
        finding.explained = std::min(lost, scope.window().duration());
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder migrationFinder;
const Finder migrationFinder{"migration", "Migrations", canLookForMigrations, findMigrations, RecordableData::MigrationCosts};

} // namespace helio
