#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/profiling/heap/heap_use.h"
#include "core/query/rows/row_lookup.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

constexpr std::int64_t LeastBytes = 4'096; ///< Minimum number of bytes that were never freed.
/// Minimum number of blocks that were never freed. Programs keep single blocks until they end; a leak loses one again and again.
constexpr std::uint64_t LeastBlocks = 8;

bool canLookForLeaks(const FindingScope& scope) { return hasHeap(scope.timeline()); }

/// Returns the place of an allocation, for example "main.c:40 (leaky)"; empty if unknown.
std::string placeOf(const HeapUse& use)
{
    const std::string file = use.file.substr(use.file.find_last_of('/') + 1);
    if (file.empty())
        return use.function;
    return file + ':' + std::to_string(use.line) + (use.function.empty() ? "" : " (" + use.function + ')');
}

std::vector<Finding> findLeaks(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    HeapFilter filter{scope.window(), {}};
    if (!scope.isOfAllRows())
        filter.accepts = [&](const Segment& it) { return scope.accepts(rowOf(timeline, it)); };
    std::map<std::pair<std::uint32_t, std::int32_t>, std::int64_t> peaks; // Most bytes in use at once, by trace and PID.
    for (const HeapUse& use : heapUses(timeline, HeapGrouping::Process, filter, scope.stop()))
        peaks[{use.trace, use.pid}] = use.peak;
    std::vector<Finding> findings;
    for (const HeapUse& use : heapUses(timeline, HeapGrouping::FunctionLine, filter, scope.stop())) {
        const std::int64_t peak = peaks[{use.trace, use.pid}];
        const double share = peak > 0 ? std::min(1.0, double(use.unfreedBytes) / double(peak)) : 0;
        if (use.unfreedBytes < LeastBytes || use.unfreed < LeastBlocks || use.unfreed * 2 < use.allocations)
            continue;
        Finding finding;
        const std::string place = placeOf(use);
        finding.subject = place;
        finding.text = countText(static_cast<std::uint64_t>(use.unfreedBytes), "byte") + " in " + countText(use.unfreed, "block")
            + " never freed" + (place.empty() ? "" : ", allocated at " + place);
        finding.detail = countText(use.allocations, "allocation") + " there; " + shareText(share) + " of the most that "
            + (use.process.empty() ? "the process" : use.process) + " had in use";
        finding.host = timeline.traces[use.trace].host;
        finding.color = "mark.lost";
        Occurrences first;
        first.add({use.unfreedAt, std::max(use.unfreedAt + Duration(1), scope.window().end)}, use.unfreedRow);
        first.fill(finding, [](const Occurrences::Occurrence&) { return "first block that was never freed"; });
        finding.occurrences = use.unfreed;
        finding.explained = Duration(static_cast<std::int64_t>(share * double(finding.explained.count())));
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder heapFinder;
const Finder heapFinder{"memory", "Memory", canLookForLeaks, findLeaks, RecordableData::HeapBlocks};

} // namespace helio
