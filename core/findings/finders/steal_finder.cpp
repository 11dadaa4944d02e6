#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/row_lookup.h"
#include "core/virtualization/steal_tables.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

bool canLookForSteal(const FindingScope& scope)
{
    const auto machines = findVirtualMachines(scope.timeline());
    return !machines.empty() && missingPreemptionReason(scope.timeline(), machines).empty();
}

/// The steal time of one vCPU.
struct LostTime {
    std::vector<const CulpritLine*> culprits; ///< The longest total first.
    Occurrences longest;
    std::uint64_t count = 0;
    Duration total{};
};

std::vector<Finding> findSteal(const FindingScope& scope)
{
    const StealTables tables = computeStealTables(scope.timeline(), scope.window(), scope.stop());
    std::map<std::string, LostTime> vcpus;
    for (const CulpritLine& line : tables.culprits) {
        const auto row = rowOf(scope.timeline(), line.longest.row);
        if (!scope.isOfAllRows() && !(row && scope.accepts(*row)))
            continue;
        LostTime& lost = vcpus[line.from];
        lost.culprits.push_back(&line);
        lost.longest.add({line.longest.at, line.longest.at + line.longest.length}, line.longest.row);
        lost.count += line.count;
        lost.total = sumOf(lost.total, line.total);
    }
    std::vector<Finding> findings;
    for (const auto& [vcpu, lost] : vcpus) {
        if (lost.total < scope.threshold())
            continue;
        const CulpritLine& first = *lost.culprits.front();
        Finding finding;
        finding.subject = vcpu;
        finding.text = vcpu + " lost " + shortDuration(lost.total) + " of CPU time, "
            + shareText(double(first.total.count()) / double(lost.total.count())) + " of it to " + first.by;
        finding.detail = countText(lost.count, "time") + "; longest " + shortDuration(lost.longest.longest().range.duration());
        finding.color = "path.preempted";
        finding.isWait = true;
        lost.longest.fill(finding, [&](const Occurrences::Occurrence& it) {
            const auto line =
                std::ranges::find_if(lost.culprits, [&](const CulpritLine* one) { return one->longest.at == it.range.begin; });
            return "lost " + shortDuration(it.range.duration()) + (line == lost.culprits.end() ? "" : " to " + (*line)->by);
        });
        finding.explained = std::min(lost.total, scope.window().duration());
        finding.occurrences = lost.count;
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder stealFinder;
const Finder stealFinder{"steal", "Steal time", canLookForSteal, findSteal, RecordableData::VcpuScheduling};

} // namespace helio
