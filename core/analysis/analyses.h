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

/// The registry of the kinds of analyses that traces are opened with: the built-in kinds, and the kinds that are added at run time.
///
/// Threads: not synchronized. An object that traces were opened with is not changed any more.
class Analyses {
public:
    /// Constructs an empty registry.
    Analyses() = default;

    /// Returns the registry of the built-in kinds, one object for all callers.
    static std::shared_ptr<const Analyses> builtin();

    /// Appends a kind.
    /// Errors: Unsupported if a kind with its id is registered, or if a kind in its needs() or uses() is not registered yet. Therefore two
    /// kinds cannot need each other.
    Status add(std::shared_ptr<const AnalysisKind> kind);

    /// Switches a registered kind off: the kind does not run any more, nor does a kind that needs it.
    void switchOff(std::string_view id) { m_off.emplace(id); }
    bool isOff(std::string_view id) const { return m_off.contains(id); }

    /// Returns the kinds in the order they were added: each after the kinds that it needs.
    std::span<const std::shared_ptr<const AnalysisKind>> all() const { return m_kinds; }
    /// Returns the kind with the id; nullptr if there is none.
    const AnalysisKind* find(std::string_view id) const;

    /// Returns true if the kind runs on the trace: it applies to the trace, all kinds in its needs() run, and no kind in its yieldsTo()
    /// applies.
    bool doesRun(const AnalysisKind& kind, const Trace& trace) const;
    /// Returns the ascending indices into all() of the kinds that run on the trace.
    std::vector<std::size_t> runningOn(const Trace& trace) const;

    /// Returns the views of all kinds, each once, ordered by TrackView::order. A view without a title gets its id as title.
    std::vector<TrackView> views() const;

private:
    std::vector<std::shared_ptr<const AnalysisKind>> m_kinds;
    std::set<std::string, std::less<>> m_off;
};

} // namespace helio
