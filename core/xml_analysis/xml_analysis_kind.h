#pragma once

#include "core/analysis/analysis.h"
#include "core/xml_analysis/file.h"
#include "core/xml_analysis/reach/event_requirements.h"
#include "core/xml_analysis/xml_analysis.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace helio::xml {

/// Kind of analysis that an XML file defines.
class XmlAnalysisKind final : public AnalysisKind {
public:
    /// `hash` covers all files on which the analysis depends. `isGiven`: true if the user named the file; the analysis then runs on every
    /// trace, whatever its traceType elements say.
    XmlAnalysisKind(XmlAnalysisDefinition declaration, std::uint64_t hash, bool isGiven);

    std::string_view id() const override { return m_declaration.program.id; }
    int version() const override { return m_version; }
    std::span<const TrackView> views() const override { return m_views; }
    bool appliesTo(const Trace& trace) const override;
    std::vector<MissingEvents> missing(const Trace& trace) const override;
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override;

    /// True if the traces together have events from which the analysis can produce visible output.
    bool hasEventsIn(std::span<const Trace* const> traces) const { return m_requirements.areMet(traces); }
    bool hasEventsIn(const Trace& trace) const { return hasEventsIn(std::vector{&trace}); }
    /// Returns a clause that explains why hasEventsIn() is false: "events that TITLE is made of were not recorded: a, b".
    std::string explainMissingEvents(std::span<const Trace* const> traces) const;
    const XmlAnalysisDefinition& declaration() const { return m_declaration; }

private:
    void addRecordCommands();

    const XmlAnalysisDefinition m_declaration;
    const int m_version;
    const bool m_isGiven;
    std::vector<TrackView> m_views;
    const EventRequirements m_requirements;
};

/// True if the trace has one of the types in the analysis's traceType elements, or if there are no such elements.
bool isForTrace(const Program& program, const Trace& trace);
/// Returns the trace types of an analysis as text, for example "kernel traces" or "traces of the type btf.tracetype". Requires: the
/// analysis has traceType elements.
std::string describeTraceTypes(const Program& program);
/// Returns the reason why the analysis can apply to no trace at all, namely that its trace types cannot be read; empty if it can apply.
std::string explainUnreadableTypes(const Program& program);
/// True if the analysis runs on all traces of an experiment together.
bool isForExperiments(const Program& program);

} // namespace helio::xml
