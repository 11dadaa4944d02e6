#include "core/experiment/timeline_composer.h"

#include "core/experiment/correlation_cache.h"
#include "core/experiment/host_alignment.h"
#include "core/experiment/trace_indexer.h"
#include "core/symbol/unwinding/unwinder.h"

#include <algorithm>
#include <optional>
#include <set>

namespace helio {
namespace {

/// Identifies the host of a trace. A kernel's boot id names a running kernel; a hostname is only a label.
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

/// Makes labels unique: of several hosts with one hostname, for example a machine before and after a reboot, the second becomes "web#2".
/// Files, filters and the user's choices name hosts by their labels.
void distinguishLabels(std::vector<TimelineHost>& hosts)
{
    std::set<std::string> taken;
    for (const TimelineHost& host : hosts)
        taken.insert(host.label);
    std::set<std::string> seen;
    for (TimelineHost& host : hosts) {
        const std::string name = host.label;
        for (int number = 2; !seen.insert(host.label).second; ++number)
            if (std::string numbered = name + '#' + std::to_string(number); !taken.contains(numbered))
                host.label = std::move(numbered);
        taken.insert(host.label);
    }
}

std::optional<Duration> findOffset(const TraceInfo& info, const std::map<std::string, Duration>& offsets)
{
    for (const auto& [name, offset] : offsets)
        if (name == info.name || name == info.path.string() || std::filesystem::path(name).lexically_normal() == info.path)
            return offset;
    return {};
}

std::vector<MissingEvents> requirementsOf(const Trace& trace, const Analyses& analyses)
{
    std::vector<MissingEvents> all;
    for (const auto& kind : analyses.all())
        if (!analyses.isOff(kind->id()))
            for (MissingEvents& requirement : kind->missing(trace))
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

namespace {

void addPlaces(Timeline& timeline)
{
    for (std::uint32_t trace = 0; trace < timeline.traces.size(); ++trace) {
        timeline.stores.insert(timeline.stores.end(), timeline.analyses->all().size(), {trace, {}, false});
        timeline.stores.insert(timeline.stores.end(), timeline.correlatorRegistry->all().size(), {trace, {}, false, true});
    }
}

void runOpeningCorrelators(Timeline& timeline)
{
    const auto kinds = timeline.correlatorRegistry->all();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if (kinds[kind]->when() != Correlator::When::Opened || !kinds[kind]->appliesTo(timeline))
            continue;
        if (auto relation = kinds[kind]->make(timeline, {}, {}))
            addCorrelation(timeline, kind, std::make_shared<const Correlation>(std::move(*relation)));
        else
            timeline.diagnostics.push_back(correlatorFailure(*kinds[kind], relation.error()));
    }
}

/// Sets the user's offsets, which come on top of what is known of the traces' clocks.
void setOffsets(Timeline& timeline, const std::map<std::string, Duration>& offsets)
{
    for (TimelineTrace& t : timeline.traces)
        if (const auto given = findOffset(t.trace->info(), offsets))
            t.given = given;
}

} // namespace

Timeline composeTimeline(const std::vector<std::shared_ptr<const Trace>>& traces, const ExperimentOptions& options)
{
    Timeline timeline;
    if (options.analyses)
        timeline.analyses = options.analyses;
    if (options.relations)
        timeline.correlatorRegistry = options.relations;
    for (const auto& trace : traces) {
        TimelineTrace& t = timeline.traces.emplace_back();
        t.host = hostIndex(timeline.hosts, trace->info());
        setTrace(t, trace, *timeline.analyses);
    }
    distinguishLabels(timeline.hosts);
    addPlaces(timeline);
    timeline.appliesClocks = options.synchronize;
    runOpeningCorrelators(timeline);
    setOffsets(timeline, options.offsets);
    timeline.clockSettings = options.clocks;
    alignHosts(timeline);
    assessClocks(timeline);
    timeline.answers = std::make_shared<CorrelationCache>();
    timeline.symbolizer = Symbolizer::make(options.symbols);
    return timeline;
}

std::size_t placeOf(const Timeline& timeline, std::size_t trace, std::size_t analysis)
{
    return trace * (timeline.analyses->all().size() + timeline.correlatorRegistry->all().size()) + analysis;
}

StoreIndex rowsOf(const Timeline& timeline, std::size_t trace, std::size_t relation)
{
    return StoreIndex{static_cast<std::uint32_t>(placeOf(timeline, trace, timeline.analyses->all().size() + relation))};
}

std::optional<TimeRange> traceRange(const TimelineTrace& t)
{
    const bool isIndexed = t.facts && t.facts->isComplete();
    if (isIndexed && t.facts->summary().events == 0)
        return {};
    const HostRange own = isIndexed ? t.facts->summary().range : t.claimed;
    return own == HostRange{} ? std::nullopt : std::optional(t.clock(own));
}

TimeRange experimentRange(const Timeline& timeline)
{
    std::optional<TimeRange> all;
    const bool hasTimes =
        std::any_of(timeline.traces.begin(), timeline.traces.end(), [](const TimelineTrace& t) { return t.trace->info().hasTimes; });
    for (const TimelineTrace& t : timeline.traces) {
        if (hasTimes && !t.trace->info().hasTimes)
            continue; // Events without times lie at 0, which is no time.
        if (const auto range = traceRange(t))
            all = all ? TimeRange{std::min(all->begin, range->begin), std::max(all->end, range->end)} : *range;
    }
    return all.value_or(TimeRange{});
}

} // namespace helio
