#include "core/experiment/timeline_composer.h"

#include "core/experiment/trace_indexer.h"
#include "core/symbol/unwinding/unwound_stacks.h"

#include <algorithm>
#include <optional>
#include <set>

namespace helio {
namespace {

/// A kernel's boot id names a running kernel; a hostname is only a label.
std::string hostId(const TraceInfo& info)
{
    if (!info.clock.uuid.empty())
        return info.clock.uuid;
    if (!info.hostname.empty())
        return "name:" + info.hostname;
    return "path:" + info.path.string();
}

std::uint32_t hostIndex(std::vector<TimelineHost>& hosts, const TraceInfo& info)
{
    const std::string id = hostId(info);
    const auto it = std::find_if(hosts.begin(), hosts.end(), [&](const TimelineHost& host) { return host.id == id; });
    if (it != hosts.end()) {
        if (it->name.empty() && !info.hostname.empty())
            it->name = it->label = info.hostname;
        return static_cast<std::uint32_t>(it - hosts.begin());
    }
    hosts.push_back({id, info.hostname.empty() ? info.name : info.hostname, info.hostname});
    return static_cast<std::uint32_t>(hosts.size() - 1);
}

/// Offsets are what a file and a person say: those that do not fit are not applied.
Duration sum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? Duration{} : Duration(result);
}

Duration difference(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_sub_overflow(a, b, &result) ? Duration{} : Duration(result);
}

bool isKernelTrace(const TraceInfo& info)
{
    return info.text("domain") == "kernel";
}

/// Kernel and user-space tracers of one boot read one clock but measure its offset to the epoch apart, ns to µs differently: all use the
/// kernel trace's.
Duration correctionToKernel(const TraceInfo& info, const std::vector<std::shared_ptr<const Trace>>& traces)
{
    if (info.clock.uuid.empty() || isKernelTrace(info))
        return {};
    for (const auto& other : traces)
        if (isKernelTrace(other->info()) && other->info().clock.uuid == info.clock.uuid)
            return difference(other->info().clock.offset, info.clock.offset);
    return {};
}

std::optional<Duration> givenOffset(const TraceInfo& info, const std::map<std::string, Duration>& offsets)
{
    for (const auto& [name, offset] : offsets)
        if (name == info.name || name == info.path.string() || std::filesystem::path(name).lexically_normal() == info.path)
            return offset;
    return {};
}

/// Finds the hosts whose clocks nothing relates to the others': a person's offset does; one host needs none.
void judgeClocks(Timeline& timeline, const std::map<std::string, Duration>& offsets)
{
    std::set<std::uint32_t> unrelated;
    std::set<std::uint32_t> related;
    for (const TimelineTrace& t : timeline.traces)
        if (t.trace->info().hasTimes)
            (givenOffset(t.trace->info(), offsets) ? related : unrelated).insert(t.host);
    for (const std::uint32_t host : related)
        unrelated.erase(host);
    if (unrelated.size() < 2)
        return;
    std::string names;
    for (const std::uint32_t host : unrelated) {
        timeline.hosts[host].isSynchronized = false;
        names += (names.empty() ? "" : ", ") + timeline.hosts[host].label;
    }
    timeline.diagnostics.push_back({Diagnostic::Severity::Warning, "unsynchronized-clocks", {}, 0, 1,
                                    "the clocks of " + std::to_string(unrelated.size()) + " hosts (" + names
                                        + ") are not synchronized: times between hosts mean nothing; --offset TRACE=NS shifts a trace's times"});
}

Diagnostic correctionNote(const TraceInfo& info, Duration correction)
{
    return {Diagnostic::Severity::Info, "clock-correction", info.path.string(), 0, 1,
            "its clock is the kernel trace's, but was tied to the epoch differently: its times are shifted by " + std::to_string(correction.count())
                + " ns to the kernel trace's (--no-sync shows them raw)"};
}

std::vector<Requirement> requirementsOf(const Trace& trace, const Analyses& analyses)
{
    std::vector<Requirement> all;
    for (const auto& kind : analyses.all())
        for (Requirement& requirement : kind->missing(trace))
            all.push_back(std::move(requirement));
    return all;
}

} // namespace

void setTrace(TimelineTrace& t, std::shared_ptr<const Trace> trace, const Analyses& analyses)
{
    t.missing = requirementsOf(*trace, analyses);
    t.claimed = claimedRange(*trace);
    if (trace->samples() && !t.unwound)
        t.unwound = std::make_shared<UnwoundStacks>();
    t.trace = std::move(trace);
}

Timeline composeTimeline(const std::vector<std::shared_ptr<const Trace>>& traces, const ExperimentOptions& options)
{
    Timeline timeline;
    if (options.analyses)
        timeline.analyses = options.analyses;
    for (const auto& trace : traces) {
        const TraceInfo& info = trace->info();
        const Duration correction = options.synchronize ? correctionToKernel(info, traces) : Duration{};
        if (correction != Duration{})
            timeline.diagnostics.push_back(correctionNote(info, correction));
        const Duration offset = sum(correction.count(), givenOffset(info, options.offsets).value_or(Duration{}).count());
        const std::uint32_t host = hostIndex(timeline.hosts, info);
        TimelineTrace& t = timeline.traces.emplace_back();
        t.clock = ClockTransform(offset);
        t.host = host;
        setTrace(t, trace, *timeline.analyses);
        for (std::size_t place = 0; place < timeline.analyses->all().size(); ++place)
            timeline.stores.push_back({static_cast<std::uint32_t>(timeline.traces.size() - 1), {}, false});
    }
    judgeClocks(timeline, options.offsets);
    timeline.range = composedRange(timeline);
    timeline.symbolizer = Symbolizer::make(options.symbols);
    return timeline;
}

std::optional<TimeRange> ownRange(const TimelineTrace& t)
{
    const bool isIndexed = t.facts && t.facts->isComplete();
    if (isIndexed && t.facts->summary().events == 0)
        return {};
    const HostRange own = isIndexed ? t.facts->summary().range : t.claimed;
    return own == HostRange{} ? std::nullopt : std::optional(t.clock(own));
}

TimeRange composedRange(const Timeline& timeline)
{
    std::optional<TimeRange> all;
    const bool hasTimes = std::any_of(timeline.traces.begin(), timeline.traces.end(), [](const TimelineTrace& t) { return t.trace->info().hasTimes; });
    for (const TimelineTrace& t : timeline.traces) {
        if (hasTimes && !t.trace->info().hasTimes)
            continue; // Its events lie at 0, which is no time.
        if (const auto range = ownRange(t))
            all = all ? TimeRange{std::min(all->begin, range->begin), std::max(all->end, range->end)} : *range;
    }
    return all.value_or(TimeRange{});
}

} // namespace helio
