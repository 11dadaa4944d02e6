#include "core/findings/findings.h"

#include "core/findings/finder.h"
#include "core/profiling/samples/sample_messages.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"

#include <algorithm>
#include <iterator>

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

} // namespace

double shareOf(const Finding& finding, TimeRange window)
{
    return window.isEmpty() ? 0 : double(finding.explained.count()) / double(window.duration().count());
}

Findings collectFindings(const FindingRequest& request, const FindingProgress& progress)
{
    Findings findings;
    const FindingScope scope(request);
    const auto finders = builtinFinders();
    std::size_t done = 0;
    for (const Finder* const finder : finders) {
        if (request.stop.stop_requested())
            break;
        if (progress)
            progress(done++, finders.size());
        if (scope.window().isEmpty() || !finder->canLook(scope)) {
            findings.unable.emplace_back(finder->title);
            continue;
        }
        std::vector<Finding> found = finder->look(scope);
        ++findings.finders;
        findings.without += found.empty();
        for (Finding& it : found) {
            it.finder = finder->id;
            findings.all.push_back(std::move(it));
        }
    }
    std::ranges::stable_sort(findings.all, std::ranges::greater(), &Finding::explained);
    if (findings.all.size() > MostFindings) {
        findings.more = findings.all.size() - MostFindings;
        findings.all.resize(MostFindings);
    }
    findings.isStopped = request.stop.stop_requested();
    if (!findings.isStopped)
        findings.quality = qualityOf(scope);
    return findings;
}

} // namespace helio
