#include "core/findings/finding_changes.h"

#include "core/compare/breakdown.h"
#include "core/compare/conclusion.h"
#include "core/compare/process_runs.h"
#include "core/findings/occurrences.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

constexpr double LeastChange = 0.005; ///< Minimum change of the share, as the least time that a finding explains.
constexpr double LeastRelativeChange = 0.2; ///< Minimum change relative to the larger share.

bool isSame(const Finding& a, const Finding& b) { return a.finder == b.finder && a.subject == b.subject; }

std::vector<ProcessRun> runsIn(const FindingScope& scope, const std::string& program)
{
    std::vector<ProcessRun> runs = processRuns(scope.timeline(), program, scope.window(), scope.stop());
    std::erase_if(runs, [&](const ProcessRun& it) { return !scope.accepts(it.leader); });
    return runs;
}

/// Removes the full stop of a conclusion that is one sentence; a finding's text ends without one.
std::string withoutFullStop(std::string text)
{
    if (text.ends_with('.'))
        text.pop_back();
    return text;
}

} // namespace

std::vector<FindingChange> compareFindings(const WindowFindings& before, const WindowFindings& after)
{
    std::vector<FindingChange> changes;
    std::vector<bool> isMet(before.findings.all.size());
    for (const Finding& finding : after.findings.all) {
        FindingChange change{{}, finding, 0, shareOf(finding, after.window)};
        for (std::size_t i = 0; i < isMet.size() && !change.before; ++i)
            if (const Finding& other = before.findings.all[i]; !isMet[i] && isSame(finding, other)) {
                isMet[i] = true;
                change.before = other;
                change.shareBefore = shareOf(other, before.window);
            }
        changes.push_back(std::move(change));
    }
    for (std::size_t i = 0; i < isMet.size(); ++i)
        if (!isMet[i])
            changes.push_back({before.findings.all[i], {}, shareOf(before.findings.all[i], before.window), 0});
    std::erase_if(changes, [](const FindingChange& it) {
        const double size = std::abs(it.difference());
        return size < LeastChange || size < LeastRelativeChange * std::max(it.shareBefore, it.shareAfter);
    });
    std::ranges::stable_sort(changes, std::ranges::greater(), [](const FindingChange& it) { return std::abs(it.difference()); });
    return changes;
}

std::optional<Finding> findSlowerProgram(const FindingScope& a, const FindingScope& b, const std::string& program)
{
    std::string name = program;
    if (name.empty())
        for (const std::string& it : commonPrograms(a.timeline(), a.window(), b.timeline(), b.window(), b.stop()))
            if (name.empty() && !runsIn(a, it).empty() && !runsIn(b, it).empty())
                name = it;
    const std::vector<ProcessRun> runsA = name.empty() ? std::vector<ProcessRun>() : runsIn(a, name);
    const std::vector<ProcessRun> runsB = name.empty() ? std::vector<ProcessRun>() : runsIn(b, name);
    if (runsA.empty() || runsB.empty())
        return {};
    const auto [sideA, sideB] = makeSideRuns(a.timeline(), runsA, b.timeline(), runsB, b.stop());
    const Breakdown breakdown = computeBreakdown(sideA, sideB, b.stop());
    const Duration difference = breakdown.wallB - breakdown.wallA;
    if (b.stop().stop_requested() || difference < b.threshold() || double(difference.count()) < 0.05 * double(breakdown.wallA.count()))
        return {};
    Finding finding;
    finding.finder = "slower-program";
    finding.subject = name;
    const std::string why = conclusion(breakdown, measureSide(sideA, a.stop()), measureSide(sideB, b.stop()));
    finding.text = name + " takes " + shortDuration(difference) + " longer in B than in A, the baseline (" + shortDuration(breakdown.wallB)
        + " against " + shortDuration(breakdown.wallA) + ")" + (why.empty() ? "" : ". " + withoutFullStop(why));
    finding.detail = countText(breakdown.runsA, "run") + " in A, " + countText(breakdown.runsB, "run") + " in B";
    finding.host = runsB.front().leader.host;
    finding.color = breakdown.lines.empty() ? "thread.wait-cpu" : breakdown.lines.front().state.style.color;
    finding.check = "heliograph compare --a BASELINE --b TRACE --process " + name;
    Occurrences runs;
    for (const ProcessRun& it : runsB)
        runs.add(it.range, it.leader.ref);
    runs.fill(finding, [&](const Occurrences::Occurrence& it) { return name + " ran for " + shortDuration(it.range.duration()); });
    finding.explained = std::min(difference, b.window().duration());
    return finding;
}

} // namespace helio
