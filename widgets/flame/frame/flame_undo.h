#pragma once

#include "widgets/flame/view/flame_view.h"

#include <functional>
#include <vector>

namespace helio {

/// Steps by which the user reduced a flame graph, e.g. by a search or by leaving out a function, so that a key undoes the
/// latest. The graph itself keeps its zooms. Ownership: the graph outlives it. Threads: UI thread.
class FlameUndoStack {
public:
    /// Undoes a step; returns false if the step was already undone in another way.
    using Undo = std::function<bool()>;

    explicit FlameUndoStack(const FlameView& graph)
        : m_graph(graph)
    {
    }

    void note(Undo undo) { m_steps.push_back({std::move(undo), m_graph.zoomSteps(), false}); }
    /// Notes the begin or the end of a search. A search is one step until it ends, however often its text changes.
    void recordSearch(bool isOn, Undo undo);
    /// Undoes the latest step if it came after all zooms. Returns false if there is none; then the graph's zoom is the next to undo.
    bool stepBack();

private:
    struct Step {
        Undo undo;
        std::size_t zooms; ///< Number of the graph's zooms when the step was taken.
        bool isSearch;
    };

    const FlameView& m_graph;
    std::vector<Step> m_steps; ///< Latest last. May contain steps that were undone in another way.
};

} // namespace helio
