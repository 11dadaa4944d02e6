#include "core/findings/findings.h"

#include "core/base/parallel_for.h"
#include "core/findings/finder.h"
#include "core/profiling/samples/sample_messages.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>

namespace helio {
namespace {

/// Collects what limits the conclusions from the recording: losses, damage, clocks.
std::vector<QualityNote> qualityOf(const FindingScope& scope)
{
    std::vector<QualityNote> notes;
    const Timeline& timeline = scope.timeline();
    bool hasLosses = false;
    for (Message& message : damages(timeline)) {
        hasLosses = hasLosses || message.kind == "lost-events";
        if (message.severity != Diagnostic::Severity::Info)
            notes.push_back({std::move(message.text), std::move(message.command), true, std::move(message.places)});
    }
    if (const auto hosts = unsynchronizedHosts(timeline); !hosts.empty()) {
        std::string names;
        for (const std::string& host : hosts)
            names += (names.empty() ? "" : ", ") + host;
        notes.push_back(
            {"Times of " + names + " cannot be compared with those of the other hosts: their clocks are not synchronized.", {}});
    }
    if (!hasLosses)
        notes.push_back({"No events were lost.", {}, false});
    return notes;
}

/// Result of one finder.
struct FinderResult {
    bool canLook = false; ///< True if the recording has what the finder needs.
    std::vector<Finding> found;
};
using FinderResults = std::vector<std::optional<FinderResult>>; ///< Indexed like the finders; nullopt for those that are not done.

/// Returns the findings of the finders that are done, the most time explained first.
Findings ranked(const Timeline& timeline, const FinderResults& results, std::span<const Finder* const> finders)
{
    Findings findings;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            continue;
        ++findings.done;
        if (!results[i]->canLook) {
            findings.unable.push_back({finders[i]->title, adviseRecording(finders[i]->data, &timeline).command});
            continue;
        }
        ++findings.finders;
        findings.without += results[i]->found.empty();
        for (const Finding& it : results[i]->found) {
            findings.all.push_back(it);
            findings.all.back().finder = finders[i]->id;
        }
    }
    std::ranges::stable_sort(findings.all, std::ranges::greater(), &Finding::explained);
    if (findings.all.size() > MostFindings) {
        findings.more = findings.all.size() - MostFindings;
        findings.all.resize(MostFindings);
    }
    return findings;
}

} // namespace

double shareOf(const Finding& finding, TimeRange window)
{
    return window.isEmpty() ? 0 : double(finding.explained.count()) / double(window.duration().count());
}

Findings collectFindings(const FindingRequest& request, const FindingProgress& progress)
{
    const FindingScope scope(request);
    const auto finders = builtinFinders();
    std::mutex mutex; // Guards `results` and the order of the calls of `progress`.
    FinderResults results(finders.size());
    std::atomic<std::size_t> next = 0;
    parallelFor(usefulThreadCount(finders.size()), [&](std::size_t) {
        for (std::size_t i = next++; i < finders.size() && !request.stop.stop_requested(); i = next++) {
            FinderResult result;
            result.canLook = !scope.window().isEmpty() && finders[i]->canLook(scope);
            if (result.canLook)
                result.found = finders[i]->look(scope);
            const std::lock_guard lock(mutex);
            results[i] = std::move(result);
            if (progress)
                progress(ranked(scope.timeline(), results, finders));
        }
    });
    Findings findings = ranked(scope.timeline(), results, finders);
    findings.isStopped = request.stop.stop_requested();
    if (!findings.isStopped)
        findings.quality = qualityOf(scope);
    return findings;
}

} // namespace helio
