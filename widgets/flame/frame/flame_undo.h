#pragma once

#include "widgets/flame/view/flame_view.h"

#include <functional>
#include <vector>

namespace helio {

/// Stack of the choices by which the user reduced a flame graph, e.g. a search or a hidden function, so that a key can undo the latest one.
/// Zooms are stored in the graph itself.
/// Ownership: the graph outlives it.
/// Threads: UI thread.
class FlameUndoStack {
public:
    /// Function that undoes a step. Returns false if the step was already undone in another way.
    using Undo = std::function<bool()>;

    explicit FlameUndoStack(const FlameView& graph)
        : m_graph(graph)
    {
    }

    void note(Undo undo) { m_steps.push_back({std::move(undo), m_graph.zoomSteps(), false}); }
    /// Records the start or the end of a search. A search is one step, however often its text changes.
    void recordSearch(bool isOn, Undo undo);
    /// Undoes the latest recorded step, unless the user zoomed in after it. Returns false if nothing was undone; the caller then undoes the
    /// latest zoom.
    bool stepBack();

private:
    struct Step {
        Undo undo;
        std::size_t zooms; ///< Number of zooms of the graph when the step was recorded.
        bool isSearch;
    };

    const FlameView& m_graph;
    std::vector<Step> m_steps; ///< Recorded steps, the latest last. May contain steps that were undone in another way.
};

} // namespace helio
