#pragma once

#include "core/analysis/analysis.h"
#include "core/declared/declared_analysis.h"
#include "core/declared/event_pattern.h"
#include "core/declared/file.h"

#include <memory>
#include <string>
#include <vector>

namespace helio::declared {

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

    /// Whether the trace can have events that the analysis is made of.
    bool hasEventsIn(const Trace& trace) const;
    const Declaration& declaration() const { return m_declaration; }

private:
    const Declaration m_declaration;
    const int m_version;
    const bool m_isGiven;
    std::vector<TrackView> m_views;
    bool m_takesAll = false; ///< Something is for events of any name.
    const std::vector<std::string> m_patterns; ///< Of the events that it is made of.
    const EventNameFilter m_events; ///< The same.
};

/// Whether an analysis is for traces like this one, as its traceType elements say; none: for all.
bool isForTrace(const Program& program, const Trace& trace);
/// Whether it is for all traces of an experiment together.
bool isForExperiments(const Program& program);

} // namespace helio::declared
