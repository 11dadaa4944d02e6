#include "core/xml_analysis/merged/merged_analysis.h"

#include "core/analysis/track_view.h"
#include "core/experiment/timeline.h"
#include "core/query/events/event_walk.h"

#include <algorithm>

namespace helio {
namespace {

using namespace xml;

std::vector<const Trace*> tracesOf(const Timeline& timeline)
{
    std::vector<const Trace*> traces;
    for (const TimelineTrace& t : timeline.traces)
        traces.push_back(t.trace.get());
    return traces;
}

/// Returns the traces that are open so far.
std::vector<const Trace*> openTracesOf(const Timeline& timeline)
{
    std::vector<const Trace*> traces = tracesOf(timeline);
    std::erase(traces, nullptr);
    return traces;
}

HostTimestamp beginOf(const Timeline& timeline) { return hostTime(nanoseconds(timeline.range.begin)); }

/// Passes all events to the analysis and returns the time of the last event.
HostTimestamp run(const Timeline& timeline, XmlAnalysis& analysis, HostTimestamp begin, const std::stop_token& stop)
{
    // A shared pointer that does not own the timeline, which outlives the EventWalk.
    EventWalk events(std::shared_ptr<const Timeline>(std::shared_ptr<void>(), &timeline), Timestamp::min(), stop);
    HostTimestamp last = begin;
    bool isBegun = false;
    while (events.next()) {
        EventRecord record = *events.event().record;
        record.time = last = hostTime(nanoseconds(events.time()));
        if (!isBegun)
            analysis.begin(last);
        isBegun = true;
        analysis.takeEvents(events.trace(), {{&record, 1}, events.event().packet, events.event().stream});
    }
    return last;
}

class MergedAnalysis final : public Correlator {
public:
    explicit MergedAnalysis(std::shared_ptr<const XmlAnalysisKind> kind)
        : m_kind(std::move(kind))
    {
    }

    std::string_view id() const override { return m_kind->id(); }
    When when() const override { return When::Indexed; }
    std::span<const TrackView> views() const override { return m_kind->views(); }

    bool appliesTo(const Timeline& timeline) const override { return m_kind->hasEventsIn(openTracesOf(timeline)); }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest&, std::stop_token stop) const override
    {
        const HostTimestamp begin = beginOf(timeline);
        const auto builder = makeUnnamedStoreBuilder(begin, stop);
        XmlAnalysis analysis(m_kind->declaration(), tracesOf(timeline), *builder, stop);
        const HostTimestamp end = run(timeline, analysis, begin, stop);
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "the analysis " + std::string(id()) + " was cancelled"};
        analysis.finish(end);
        StoreSummary summary;
        summary.range = {begin, end};
        Correlation made;
        made.diagnostics = analysis.diagnostics();
        auto store = builder->finish(std::move(summary));
        if (!store)
            return store.error();
        made.rows.push_back({.trace = 0, .store = std::move(*store), .belongsToAllTraces = true});
        return made;
    }

private:
    const std::shared_ptr<const XmlAnalysisKind> m_kind;
};

} // namespace

std::shared_ptr<const Correlator> mergedAnalysis(std::shared_ptr<const XmlAnalysisKind> kind)
{
    return std::make_shared<MergedAnalysis>(std::move(kind));
}

Status addMergedAnalyses(const std::vector<ListedAnalysis>& listed, CorrelatorRegistry& relations,
                         const std::function<bool(const ListedAnalysis&)>& isOn)
{
    for (const ListedAnalysis& it : listed)
        if (it.kind && isForExperiments(it.kind->declaration().program) && isOn(it))
            if (auto added = relations.add(mergedAnalysis(it.kind)); !added)
                return added;
    return Done{};
}

std::string explainNotApplicable(const XmlAnalysisKind& kind, const Timeline& timeline)
{
    const std::vector<const Trace*> traces = openTracesOf(timeline);
    if (traces.size() < timeline.traces.size())
        return {};
    if (isForExperiments(kind.declaration().program))
        return kind.hasEventsIn(traces) ? std::string() : kind.explainMissingEvents(traces);
    std::string why;
    for (const Trace* trace : traces) {
        if (kind.appliesTo(*trace) && kind.hasEventsIn(*trace))
            return {};
        const std::vector<MissingEvents> needs = kind.missing(*trace);
        if (why.empty() && !needs.empty())
            why = kind.explainMissingEvents(std::vector{trace}) + needs.front().advice().suffix();
    }
    if (!why.empty())
        return why;
    const Program& program = kind.declaration().program;
    const bool isForAny = std::ranges::any_of(traces, [&](const Trace* trace) { return isForTrace(program, *trace); });
    return isForAny || program.traceTypes.empty() ? "no trace here has times" : "it is for " + describeTraceTypes(program);
}

CheckReport checkMergedAnalysis(const XmlAnalysisKind& kind, const Timeline& timeline, std::stop_token stop,
                                std::optional<FiringTimesRequest> times)
{
    const HostTimestamp begin = beginOf(timeline);
    const auto builder = makeUnnamedStoreBuilder(begin, stop);
    XmlAnalysis analysis(kind.declaration(), tracesOf(timeline), *builder, stop);
    if (times)
        analysis.keepTimes(times->rule, times->most);
    analysis.finish(run(timeline, analysis, begin, stop));
    return makeCheckReport(kind, analysis, times);
}

} // namespace helio
