#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/segments/composite_states.h"
#include "core/waits/path/explain_wait.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <array>
#include <map>

namespace helio {
namespace {

constexpr Duration SlowCall = std::chrono::milliseconds(10); ///< Minimum duration of the longest call for a finding.

/// System calls that return only when data is on the disk.
constexpr std::array<std::string_view, 6> SyncCalls{"fsync", "fdatasync", "sync", "syncfs", "sync_file_range", "msync"};

bool canLookForStorage(const FindingScope& scope) { return findCompositeState(scope.timeline(), "syscall").has_value(); }

Finding describe(const FindingScope& scope, const std::string& name, const Occurrences& calls)
{
    const DurationDistribution lengths = summarizeDurations(calls.lengths());
    const Occurrences::Occurrence& longest = calls.longest();
    Finding finding;
    finding.text = name + " took up to " + shortDuration(lengths.most) + " (p50 " + shortDuration(lengths.median) + ", p99 "
        + shortDuration(lengths.p99) + ')';
    finding.detail = countText(calls.count(), "call");
    const TimeRange wait = longestWait(scope.timeline(), longest.row, longest.range, scope.stop());
    if (!wait.isEmpty())
        if (const Why why = explainWait(scope.sharedTimeline(), longest.row, wait.begin, scope.stop(), WaitEvents::Skip);
            !why.conclusion.empty())
            finding.detail += "; " + why.conclusion;
    finding.color = "path.disk";
    finding.isWait = true;
    calls.fill(finding, [&](const Occurrences::Occurrence& it) {
        return threadWords(scope.timeline(), it.row) + ": " + name + ' ' + shortDuration(it.range.duration());
    });
    return finding;
}

std::vector<Finding> findSlowStorage(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    const auto syscall = findCompositeState(timeline, "syscall");
    std::vector<Row> rows = rowsWithComposite(timeline, *syscall);
    std::erase_if(rows, [&](const Row& row) { return !scope.accepts(row) || !row.life.overlaps(scope.window()); });
    CompositeStateNames names(timeline, *syscall);
    std::map<std::pair<std::uint32_t, std::string>, Occurrences> calls; // Calls keyed by host and name.
    forEachCompositeState(
        timeline, *syscall, rows, scope.window(),
        [&](const Row& row, TimeRange range, std::uint32_t value) {
            const std::string_view name = names.of(row, value);
            if (std::ranges::find(SyncCalls, name) != SyncCalls.end())
                calls[{row.host, std::string(name)}].add(range, row.ref);
        },
        scope.stop(), RunOrder::ByRow);
    std::vector<Finding> findings;
    for (const auto& [key, found] : calls)
        if (found.longest().range.duration() >= SlowCall && found.covered() >= scope.threshold()) {
            findings.push_back(describe(scope, key.second, found));
            findings.back().host = key.first;
        }
    return findings;
}

} // namespace

extern const Finder slowStorageFinder;
const Finder slowStorageFinder{"slow-storage", "Slow storage", canLookForStorage, findSlowStorage};

} // namespace helio
