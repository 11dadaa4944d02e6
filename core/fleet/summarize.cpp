#include "core/fleet/summarize.h"

#include "core/base/version.h"
#include "core/event_model/kernel_version.h"
#include "core/event_model/segment_kinds.h"
#include "core/findings/finding_scope.h"
#include "core/latency/intervals/interval_source.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/statistics.h"
#include "core/query/segments/state_intervals.h"
#include "core/store/store_format.h"
#include "core/trace/recorded_cpus.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace helio::fleet {
namespace {

constexpr std::string_view SystemCalls = "syscall"; ///< Id of the kind of intervals of system calls.

std::string nameOfThisMachine()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

/// Returns the mean busy share of the CPUs whose states are known; nullopt if there are none.
std::optional<double> cpuBusyShare(const Timeline& timeline)
{
    FindingRequest request;
    request.timeline = std::shared_ptr<const Timeline>(std::shared_ptr<void>(), &timeline); // Not owned: the scope ends before.
    const FindingScope scope(request);
    double sum = 0;
    std::size_t known = 0;
    for (const Row& cpu : scope.cpus())
        if (busyTime(timeline, cpu.ref, timeline.range).isKnown) {
            sum += busyShare(timeline, cpu.ref, timeline.range);
            ++known;
        }
    return known > 0 ? std::optional(sum / double(known)) : std::nullopt;
}

/// Durations of intervals, for a digest and for exact percentiles.
struct Durations {
    std::vector<std::int64_t> lengths;
    Duration total{};

    void add(Duration length)
    {
        lengths.push_back(length.count());
        total = sumOf(total, length);
    }
};

/// Requires: there are durations.
SummaryLatency summarize(std::string_view kind, std::string_view name, Durations&& durations)
{
    SummaryLatency latency;
    latency.kind = kind;
    latency.name = name;
    for (const std::int64_t length : durations.lengths)
        latency.digest.add(Duration(length));
    latency.median = nearestRank(durations.lengths, 50);
    latency.p90 = nearestRank(durations.lengths, 90);
    latency.p99 = nearestRank(durations.lengths, 99);
    return latency;
}

void addKind(TraceSummary& summary, const IntervalSource& source, bool hasNames, const std::stop_token& stop)
{
    Durations all;
    std::map<std::string, Durations, std::less<>> byName;
    IntervalRequest request;
    request.order = IntervalOrder::ByRow;
    source.forEach(
        request,
        [&](const SourceInterval& it) {
            const Duration length = lengthOf(it.range);
            all.add(length);
            if (!hasNames)
                return;
            auto found = byName.find(it.name);
            if (found == byName.end())
                found = byName.try_emplace(std::string(it.name)).first;
            found->second.add(length);
        },
        stop);
    if (all.lengths.empty())
        return;
    const std::string& kind = source.kind().id;
    summary.latencies.push_back(summarize(kind, {}, std::move(all)));
    std::vector<std::pair<const std::string, Durations>*> names;
    for (auto& it : byName)
        if (!it.first.empty())
            names.push_back(&it);
    std::ranges::stable_sort(names, [](const auto* a, const auto* b) { return a->second.total > b->second.total; });
    names.resize(std::min(names.size(), MostNames));
    for (auto* const it : names)
        summary.latencies.push_back(summarize(kind, it->first, std::move(it->second)));
}

} // namespace

TraceSummary beginSummary(const std::string& path)
{
    TraceSummary summary;
    summary.path = path;
    summary.machine = nameOfThisMachine();
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    summary.indexedNs = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    summary.indexedBy = version();
    summary.storeVersion = std::to_string(format::Major) + '.' + std::to_string(format::Minor);
    return summary;
}

void addFacts(TraceSummary& summary, const Timeline& timeline)
{
    const TimelineTrace& first = timeline.traces.front();
    const TraceInfo& info = first.trace->info();
    summary.identity = info.identity;
    summary.uuid = info.uuid;
    summary.host = first.host < timeline.hosts.size() ? timeline.hosts[first.host].name : std::string();
    summary.boot = info.clock.uuid;
    summary.kernel = kernelRelease(info);
    summary.format = info.format;
    summary.reader = info.reader;
    summary.traces = timeline.traces.size();
    bool hasTimes = false;
    for (const TimelineTrace& it : timeline.traces) {
        const StoreSummary& facts = it.facts->summary();
        hasTimes |= facts.events > 0 && it.trace->info().hasTimes;
        summary.events += facts.events;
        summary.lostEvents += facts.lostEvents;
        summary.lostPackets += facts.lostPackets;
        summary.gaps += it.facts->losses().size();
        summary.streams += it.trace->streams().size();
        summary.cpus += countRecordedCpus(*it.trace);
        summary.bytes += it.trace->info().bytes;
    }
    if (hasTimes) {
        summary.beginNs = nanoseconds(timeline.range.begin);
        summary.endNs = nanoseconds(timeline.range.end);
    }
    summary.cpuBusyShare = cpuBusyShare(timeline);
}

void addLatencies(TraceSummary& summary, const std::shared_ptr<const Timeline>& timeline, const std::stop_token& stop)
{
    for (const std::string_view kind : {wakeupKind(*timeline), SystemCalls, DiskRequests}) {
        const auto source = kind.empty() ? Result<std::unique_ptr<IntervalSource>>(nullptr) : findIntervalSource(timeline, kind);
        if (source && *source)
            addKind(summary, **source, !(*source)->kind().areWakeups, stop);
    }
}

void addFindings(TraceSummary& summary, const Findings& findings, const Timeline& timeline, TimeRange window)
{
    for (const Finding& it : findings.all) {
        SummaryFinding finding;
        finding.finder = it.finder;
        finding.subject = it.subject;
        finding.text = it.text;
        finding.detail = it.detail;
        finding.host = it.host ? timeline.hosts[*it.host].shownName() : std::string();
        finding.check = it.check;
        finding.color = it.color;
        finding.explained = it.explained;
        finding.share = shareOf(it, window);
        finding.beginNs = nanoseconds(it.range.begin);
        finding.endNs = nanoseconds(it.range.end);
        finding.occurrences = it.occurrences;
        summary.findings.push_back(std::move(finding));
    }
    summary.moreFindings = findings.more;
    for (const QualityNote& it : findings.quality)
        summary.quality.push_back({it.text, it.isProblem});
}

} // namespace helio::fleet
