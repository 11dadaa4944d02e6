#pragma once

#include "widgets/timegraph/row_tree.h"
#include "widgets/timegraph/time_panel.h"
#include "widgets/views/view_context.h"
#include "widgets/work/latest_job.h"

#include <QTimer>

namespace helio {

/// A time panel over the rows of one query view: keeps the tree, filters and sorts it, and follows the timeline.
class TrackPanel : public TimePanel {
    Q_OBJECT

public:
    TrackPanel(ViewContext& context, TimeAxis& axis, std::string id, const QString& title, QWidget* parent);

    const RowTree& tree() const { return m_tree; }
    /// Rows that did nothing but rest in the visible window are hidden.
    void setHidesIdle(bool hides);
    bool hidesIdle() const { return m_hidesIdle; }

    /// States whose legend words the header shows, in order.
    struct LegendState {
        const char* set;
        const char* state;
    };
    void setLegendStates(std::vector<LegendState> states);

signals:
    void rowsChanged();

protected:
    /// "19 of 214", "4 CPUs": right of the title.
    virtual QString subtitle() const = 0;
    /// What a trace lacks that has no rows for this view, and how to record it.
    struct EmptyText {
        QString what;
        QString how;
    };
    virtual EmptyText emptyText() const = 0;

    ViewContext& m_context;
    RowTree m_tree;

private:
    void onTimelineChanged();
    void showRows();
    void sortBy(int column);
    void showMenu(const QPoint& at);
    void updateLegend();
    void scheduleShares();
    void requestShares();
    void revealSelected();

    std::vector<TrackRef> m_frequencies;
    std::vector<LegendState> m_legend;
    bool m_hidesIdle = false;
    QTimer m_sharesTimer;
    LatestJob m_rowsJob;
    LatestJob m_sharesJob;
};

} // namespace helio
