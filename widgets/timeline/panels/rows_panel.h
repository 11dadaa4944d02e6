#pragma once

#include "core/analysis/track_view.h"
#include "widgets/timeline/panels/track_panel.h"

namespace helio {

/// Panel with the rows of one view, described by the view's analysis.
class RowsPanel final : public TrackPanel {
public:
    RowsPanel(ViewContext& context, TimeAxis& axis, TrackView view, QWidget* parent);

    /// Changes the text for a view without rows. The caller must set the timeline again to show it.
    void setNothing(std::string nothing) { m_view.nothing = std::move(nothing); }

protected:
    QString subtitle() const override;
    EmptyText emptyText() const override;

private:
    EmptyText eventCountsText() const;
    QString counted(qint64 all) const; ///< "4 CPUs"; empty for 0.

    TrackView m_view;
};

/// True if the title of the view's column of shares says that they are in percent; rows need not repeat the unit.
bool isBare(const TrackView& view);

} // namespace helio
