#pragma once

#include "core/analysis/track_view.h"
#include "widgets/timeline/panels/track_panel.h"

namespace helio {

/// The rows of one view, shown as the analysis that makes them describes it.
class RowsPanel final : public TrackPanel {
public:
    RowsPanel(ViewContext& context, TimeAxis& axis, TrackView view, QWidget* parent);

    /// What is said where there are no rows is another; who calls shows the timeline anew.
    void setNothing(std::string nothing) { m_view.nothing = std::move(nothing); }

protected:
    QString subtitle() const override;
    EmptyText emptyText() const override;

private:
    EmptyText whatThereIs() const;
    QString counted(qint64 all) const; ///< "4 CPUs". Empty for none.

    TrackView m_view;
};

/// The column of shares says that they are in percent: rows need not repeat it.
bool isBare(const TrackView& view);

} // namespace helio
