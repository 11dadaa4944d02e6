#include "widgets/flame/frame/flame_undo.h"

#include <algorithm>

namespace helio {

void FlameUndoStack::recordSearch(bool isOn, Undo undo)
{
    if (!isOn)
        std::erase_if(m_steps, &Step::isSearch);
    else if (std::ranges::none_of(m_steps, &Step::isSearch))
        m_steps.push_back({std::move(undo), m_graph.zoomSteps(), true});
}

bool FlameUndoStack::stepBack()
{
    while (!m_steps.empty() && m_graph.zoomSteps() <= m_steps.back().zooms) {
        const Undo undo = m_steps.back().undo;
        m_steps.pop_back();
        const auto steps = m_steps;
        const bool isUndone = undo();
        m_steps = steps; // Restores the steps, because undoing must not record a step.
        if (isUndone)
            return true;
    }
    return false;
}

} // namespace helio
