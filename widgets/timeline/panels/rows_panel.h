#pragma once

#include "core/analysis/track_view.h"
#include "widgets/timeline/panels/track_panel.h"

namespace helio {

/// Panel with the rows of one view, for any TrackView. The view's description determines the name of the rows, and the text that is shown
/// if there are no rows.
class RowsPanel final : public TrackPanel {
public:
    RowsPanel(ViewContext& context, TimeAxis& axis, TrackView view, QWidget* parent);

    /// Changes the text for a view without rows. It is shown after the caller sets the timeline again.
    void setEmptyText(std::string nothing) { m_view.nothing = std::move(nothing); }

protected:
    QString subtitle() const override;
    EmptyText emptyText() const override;

private:
    EmptyText eventCountsText() const;
    EmptyText noEventsText() const;
    QString counted(qint64 all) const; ///< Returns a count of rows with their name, e.g. "4 CPUs"; empty for 0.

    TrackView m_view;
};

/// True if the title of the view's share column contains "%", so that the numbers in the rows omit the unit.
bool isBare(const TrackView& view);

} // namespace helio
