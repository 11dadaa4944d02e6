#pragma once

#include "core/analysis/analysis.h"
#include "core/xml_analysis/declared_analysis.h"
#include "core/xml_analysis/file.h"
#include "core/xml_analysis/reach/needs.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace helio::xml {

/// An analysis of a file as a kind like any other.
class DeclaredKind final : public AnalysisKind {
public:
    /// `hash`: of all that it depends on. `isGiven`: a person named the file: it runs on every trace, whatever it says of their types.
    DeclaredKind(Declaration declaration, std::uint64_t hash, bool isGiven);

    std::string_view id() const override { return m_declaration.program.id; }
    int version() const override { return m_version; }
    std::span<const TrackView> views() const override { return m_views; }
    bool appliesTo(const Trace& trace) const override;
    std::vector<Requirement> missing(const Trace& trace) const override;
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override;

    /// Whether traces together have events from which the analysis can make anything that is shown.
    bool hasEventsIn(std::span<const Trace* const> traces) const { return m_needs.areMet(traces); }
    bool hasEventsIn(const Trace& trace) const { return hasEventsIn(std::vector{&trace}); }
    /// Why they have not, as a clause: "the events that it is made of were not recorded: a, b".
    std::string whyNothingIn(std::span<const Trace* const> traces) const;
    const Declaration& declaration() const { return m_declaration; }

private:
    void sayHowToRecord();

    const Declaration m_declaration;
    const int m_version;
    const bool m_isGiven;
    std::vector<TrackView> m_views;
    const Needs m_needs;
};

/// Whether an analysis is for traces like this one, as its traceType elements say; none: for all.
bool isForTrace(const Program& program, const Trace& trace);
/// Which those are: "kernel traces", "traces of the type btf.tracetype". Requires: it names types.
std::string tracesItIsFor(const Program& program);
/// Why it can apply to no trace at all, as nothing reads those that it is for; empty: it can.
std::string whyForNoTrace(const Program& program);
/// Whether it is for all traces of an experiment together.
bool isForExperiments(const Program& program);

} // namespace helio::xml
