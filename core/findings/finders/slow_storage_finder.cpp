#include "core/findings/file_calls.h"
#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/duration_distribution.h"
#include "core/waits/path/explain_wait.h"
#include "core/waits/path/wait_causes.h"

namespace helio {
namespace {

constexpr Duration SlowCall = std::chrono::milliseconds(10); ///< Minimum duration of the longest call for a finding.

bool canLookForStorage(const FindingScope& scope) { return hasFileCalls(scope); }

Finding describe(const FindingScope& scope, const std::string& name, const Occurrences& calls)
{
    const DurationDistribution lengths = summarizeDurations(calls.lengths());
    const Occurrences::Occurrence& longest = calls.longest();
    Finding finding;
    finding.subject = name;
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
    std::vector<Finding> findings;
    for (const auto& [key, found] : scope.fileCalls())
        if (isSyncCall(key.second) && found.longest().range.duration() >= SlowCall && found.covered() >= scope.threshold()) {
            findings.push_back(describe(scope, key.second, found));
            findings.back().host = key.first;
        }
    return findings;
}

} // namespace

extern const Finder slowStorageFinder;
const Finder slowStorageFinder{"slow-storage", "Slow storage", canLookForStorage, findSlowStorage, RecordableData::SystemCalls};

} // namespace helio
