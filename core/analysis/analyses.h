#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Registry of analysis kinds: the built-in kinds and the kinds added at run time. Traces are opened with a registry.
///
/// Threads: not synchronized. A registry must not change once traces were opened with it.
class Analyses {
public:
    Analyses() = default;

    /// Returns the registry of the built-in kinds, one object for all callers.
    static std::shared_ptr<const Analyses> builtin();

    /// Appends a kind to all().
    /// Errors: Unsupported if another kind has the same id, or if a kind in needs() or uses() of `kind` is not registered yet. Cyclic needs
    /// are therefore impossible.
    Status add(std::shared_ptr<const AnalysisKind> kind);

    /// Disables a registered kind: neither this kind nor a kind that needs it runs.
    void switchOff(std::string_view id) { m_off.emplace(id); }
    bool isOff(std::string_view id) const { return m_off.contains(id); }

    /// Returns the kinds in the order of add(): each kind comes after the kinds that it needs.
    std::span<const std::shared_ptr<const AnalysisKind>> all() const { return m_kinds; }
    /// Returns the kind with this id; nullptr if no kind has it.
    const AnalysisKind* find(std::string_view id) const;

    /// Returns true if the kind runs on the trace: it is not switched off, it applies to the trace, all kinds in its needs() run, and no
    /// kind in its yieldsTo() applies.
    bool doesRun(const AnalysisKind& kind, const Trace& trace) const;
    /// Returns the kinds that run on the trace, as ascending indices into all().
    std::vector<std::size_t> runningOn(const Trace& trace) const;

    /// Returns the views of all kinds, ordered by TrackView::order; a view that several kinds have is listed once. A view without a title
    /// gets its id as title.
    std::vector<TrackView> views() const;

private:
    std::vector<std::shared_ptr<const AnalysisKind>> m_kinds;
    std::set<std::string, std::less<>> m_off;
};

} // namespace helio
