#pragma once

#include "core/analysis/analysis.h"
#include "core/xml_analysis/output/call_rows.h"
#include "core/xml_analysis/output/segment_rows.h"
#include "core/xml_analysis/output/tree_rows.h"
#include "core/xml_analysis/output/view_rows.h"
#include "core/xml_analysis/running/open_calls.h"
#include "core/xml_analysis/running/program_run.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::xml {

/// An analysis that an XML file defines, with the views and call stacks that the file defines for the analysis's attribute tree. Immutable.
struct XmlAnalysisDefinition {
    std::string file; ///< Path of the XML file that defines the analysis.
    Program program;
    std::vector<View> views; ///< Views that show the analysis's attribute tree.
    std::vector<CallStacks> callStacks;
};

/// A state provider or pattern that runs on one trace, or on several traces together. It writes the values of all attributes as rows of a
/// view with the analysis's id. It also writes the contents of its own views, call stacks and segments.
class XmlAnalysis final : public Analysis, private TreeListener {
public:
    /// Ownership: all arguments must outlive the analysis.
    XmlAnalysis(const XmlAnalysisDefinition& declaration, const Trace& trace, StateSink& sink, std::stop_token stop = {})
        : XmlAnalysis(declaration, std::vector<const Trace*>{&trace}, sink, std::move(stop))
    {
    }
    /// Makes an analysis of several traces, whose events are then passed to takeEvents(). When `stop` is requested, the analysis soon ends
    /// all work, even in the middle of an expensive event.
    XmlAnalysis(const XmlAnalysisDefinition& declaration, std::vector<const Trace*> traces, StateSink& sink, std::stop_token stop = {});

    void begin(HostTimestamp at) override;
    void onEvents(const EventRun& run) override { takeEvents(0, run); }
    /// Processes events of the trace with index `trace`. The caller must pass the events of all traces in time order.
    void takeEvents(std::size_t trace, const EventRun& run);
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

    const ProgramRun& run() const { return *m_run; }
    const StepBudget& effort() const { return m_stepBudget; }
    /// Starts recording the times at which a rule fires, at most `most` times. `rule` is an index into ProgramRun::counts(); an invalid
    /// index is ignored.
    void keepTimes(std::size_t rule, std::size_t most) { m_run->keepTimes(rule, most); }

private:
    void giveUp(HostTimestamp at);
    void addMissingFieldWarnings(std::vector<Diagnostic>& all) const;
    std::string budgetExceededText() const;
    void onNew(Quark attribute) override;
    void onChange(HostTimestamp from, Quark attribute, const Value& value) override;

    /// A trace and the state needed to read its events.
    struct Source {
        const Trace* trace;
        Binding binding;
        std::optional<CurrentThreads> threads; ///< Threads on the CPUs; set if a field or `calls` needs them.
        std::optional<OpenCalls> calls; ///< Open system calls; set if exits of system calls do not contain the name of their call.
    };
    const BoundType* typeOf(Source& source, const EventView& event);

    const XmlAnalysisDefinition& m_declaration;
    RunProblems m_problems;
    Texts m_texts;
    StepBudget m_stepBudget;
    AttributeTree m_tree;
    AnyValues m_values;
    PathWatch m_paths;
    TreeRows m_rows;
    std::vector<std::unique_ptr<ViewRows>> m_views;
    std::vector<std::unique_ptr<ViewCurves>> m_curves;
    std::vector<std::unique_ptr<CallRows>> m_calls;
    std::optional<SegmentRows> m_segments;
    std::vector<Source> m_sources;
    std::unique_ptr<ProgramRun> m_run;
    bool m_hasSet = false; ///< True if any attribute has had a value.
    bool m_hasScenarios = false; ///< True for a pattern: m_run must then be notified of each attribute change.
    HostTimestamp m_begin;
    std::optional<HostTimestamp> m_end; ///< Time at which the analysis stopped processing events; nullopt if it did not.
    std::uint64_t m_unstored = 0; ///< Number of values that were dropped because the store was full.
};

} // namespace helio::xml
