#include "core/analyses/counters/context_counts.h"
#include "core/analyses/counters/sample_counts.h"
#include "core/analysis/analysis.h"
#include "core/analysis/track_view.h"

namespace helio {
namespace {

TrackView counterView(std::string_view id, const char* title, const char* tip, int order, RecordableData data, const char* nothing)
{
    return {.id = std::string(id),
            .title = title,
            .tip = tip,
            .shape = TrackView::Shape::Curves,
            .beginsCollapsed = true,
            .hasOwnScales = true,
            .order = order,
            .one = "counter",
            .many = "counters",
            .data = data,
            .nothing = nothing};
}

const TrackView CounterViews[] = {
    counterView(counters::CpuView, "Counters per CPU", "Rates of each CPU's counters: the mean, and the range from lowest to highest", 16,
                RecordableData::CpuCounters, "No CPU counters were recorded."),
    counterView(counters::ThreadView, "Counters per thread",
                "Rates of each thread's counters: the mean, and the range from lowest to highest", 30, RecordableData::ThreadCounters,
                "No thread counters were recorded."),
};

class CountersAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "event-counters"; }
    int version() const override { return 7; }
    std::span<const TrackView> views() const override { return CounterViews; }
    bool appliesTo(const Trace& trace) const override
    {
        return trace.info().hasTimes && (counters::SampleCounts::hasCounts(trace) || !counters::CounterContexts(trace).isEmpty());
    }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        if (counters::SampleCounts::hasCounts(input.trace))
            return std::make_unique<counters::SampleCounts>(input.trace, sink);
        return std::make_unique<counters::ContextCounts>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis countersAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<CountersAnalysis>(); }};

} // namespace helio
