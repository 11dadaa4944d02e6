#pragma once

#include "widgets/flame/view/flame_view.h"

#include <functional>
#include <vector>

namespace helio {

/// What a person did to see less of a flame graph, so that one key steps out of it again, the latest first. Zooms are the graph's own. UI
/// thread; the graph outlives it.
class FlameSteps {
public:
    /// Undoes a step. False: it was undone otherwise before.
    using Undo = std::function<bool()>;

    explicit FlameSteps(const FlameView& graph)
        : m_graph(graph)
    {
    }

    void note(Undo undo) { m_steps.push_back({std::move(undo), m_graph.zoomSteps(), false}); }
    /// A search is one step, however often its text changes, until it ends.
    void noteSearch(bool isOn, Undo undo);
    /// Out of the latest step that still holds and came after all zooms. False: there is none; then the graph's zoom is next.
    bool stepBack();

private:
    struct Step {
        Undo undo;
        std::size_t zooms; ///< There were before.
        bool isSearch;
    };

    const FlameView& m_graph;
    std::vector<Step> m_steps; ///< Latest last. Some may have been undone otherwise.
};

} // namespace helio
