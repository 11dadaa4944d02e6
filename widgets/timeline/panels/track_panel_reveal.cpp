// Code that brings the selected row into view.

#include "core/query/rows/row_notes.h"
#include "widgets/timeline/panels/track_panel.h"

namespace helio {

bool TrackPanel::belongsToOtherView(std::int32_t index) const
{
    const auto [stack, depth] = m_tree.depthOf(index);
    return stack >= 0 && depth == 0;
}

void TrackPanel::revealSelected()
{
    const TrackRef row = axis().window().row();
    if (const int shown = graph()->rows().find(row); !row.isValid() || shown >= 0) {
        graph()->showRow(shown);
        if (row.isValid())
            emit ensureVisibleRequested();
        return;
    }
    const std::int32_t index = m_tree.find(row);
    if (index < 0 || belongsToOtherView(index))
        return showStandIn(row);
    m_tree.reveal(index);
    applyHiding();
    m_reveals = true;
    arrange();
}

/// Shows the row of this view that stands for a row of another view, e.g. a thread in its critical path. The selection stays.
void TrackPanel::showStandIn(TrackRef row)
{
    const auto timeline = axis().timeline();
    const TrackRef here = timeline ? rowOfAllTraces(*timeline, id(), {}, row) : TrackRef();
    graph()->showRow(here.isValid() ? graph()->rows().find(here) : -1);
}

} // namespace helio
