#pragma once

#include "core/analysis/analysis.h"
#include "core/xml_analysis/output/call_rows.h"
#include "core/xml_analysis/output/segment_rows.h"
#include "core/xml_analysis/output/tree_rows.h"
#include "core/xml_analysis/output/view_curves.h"
#include "core/xml_analysis/output/view_rows.h"
#include "core/xml_analysis/running/open_calls.h"
#include "core/xml_analysis/running/program_run.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::xml {

/// One analysis of a file, with all that shows it. Immutable.
struct Declaration {
    std::string file; ///< Where it stands.
    Program program;
    std::vector<View> views; ///< That show its tree.
    std::vector<CallStacks> callStacks;
};

/// A state provider or a pattern at work on one trace, or on several together: writes the attributes' values as rows of the view that is
/// called as the analysis, and what its views and its segments are.
class DeclaredAnalysis final : public Analysis, private TreeListener {
public:
    /// All of them outlive it.
    DeclaredAnalysis(const Declaration& declaration, const Trace& trace, StateSink& sink, std::stop_token stop = {})
        : DeclaredAnalysis(declaration, std::vector<const Trace*>{&trace}, sink, std::move(stop))
    {
    }
    /// `stop`: from then on it does nothing any more, even where it is at an event that costs much.
    DeclaredAnalysis(const Declaration& declaration, std::vector<const Trace*> traces, StateSink& sink, std::stop_token stop = {});

    void begin(HostTimestamp at) override;
    void onEvents(const EventRun& run) override { takeEvents(0, run); }
    /// Events of one of the traces, in the order of all of them.
    void takeEvents(std::size_t trace, const EventRun& run);
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

    const ProgramRun& run() const { return *m_run; }
    const Effort& effort() const { return m_effort; }
    /// When a rule (ProgramRun::counts()) fires is kept from now on, so many times at most. Nothing where there is no such rule.
    void keepTimes(std::size_t rule, std::size_t most) { m_run->keepTimes(rule, most); }

private:
    void giveUp(HostTimestamp at);
    void sayWhyNothing(std::vector<Diagnostic>& all) const;
    std::string whyGivenUp() const;
    void onNew(Quark attribute) override;
    void onChange(HostTimestamp from, Quark attribute, const Value& value) override;

    /// One of the traces.
    struct Source {
        const Trace* trace;
        Binding binding;
        std::optional<CurrentThreads> threads; ///< Set if a field or `calls` needs them.
        std::optional<OpenCalls> calls; ///< Set if exits of system calls do not name their call.
    };
    const BoundType* typeOf(Source& source, const EventView& event);

    const Declaration& m_declaration;
    RunProblems m_problems;
    Texts m_texts;
    Effort m_effort;
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
    bool m_hasSet = false; ///< An attribute has had a value.
    bool m_hasScenarios = false; ///< m_run finds them by what attributes have.
    HostTimestamp m_begin;
    std::optional<HostTimestamp> m_end; ///< It was given up there.
    std::uint64_t m_unstored = 0; ///< Values that the store has no room for.
};

} // namespace helio::xml
