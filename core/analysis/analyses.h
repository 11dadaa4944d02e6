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

/// The kinds of analyses that traces are opened with: those built in, and what is added to them at run time.
///
/// Threads: as for any value; one that traces were opened with is not changed any more.
class Analyses {
public:
    /// None.
    Analyses() = default;

    /// Those built in, shared by all who add nothing.
    static std::shared_ptr<const Analyses> builtin();

    /// Adds a kind as the last one. Errors: Unsupported: another has its id, or a kind that it needs is not there before it (so no two can
    /// need each other).
    Status add(std::shared_ptr<const AnalysisKind> kind);

    /// One that is there does not run any more, nor does what needs it.
    void switchOff(std::string_view id) { m_off.emplace(id); }
    bool isOff(std::string_view id) const { return m_off.contains(id); }

    /// In the order they were added: each after those it needs.
    std::span<const std::shared_ptr<const AnalysisKind>> all() const { return m_kinds; }
    /// Null: none has that id.
    const AnalysisKind* find(std::string_view id) const;

    /// Whether the kind runs on the trace: it applies itself, so does all that it needs, and none that it yields to.
    bool doesRun(const AnalysisKind& kind, const Trace& trace) const;
    /// The places in all() of those that run, in order.
    std::vector<std::size_t> runningOn(const Trace& trace) const;

    /// The views of all of them, each once, by the order of their panels. One without a title is called as its id.
    std::vector<TrackView> views() const;

private:
    std::vector<std::shared_ptr<const AnalysisKind>> m_kinds;
    std::set<std::string, std::less<>> m_off;
};

} // namespace helio
