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

    /// Rows that did nothing but rest in the visible window are hidden.
    void setHidesIdle(bool hides);
    bool hidesIdle() const { return m_hidesIdle; }

    /// States whose legend words the header shows, in order.
    struct LegendState {
        const char* set;
        const char* state;
    };
    /// `sampled`: those of traces that have samples and no states.
    void setLegendStates(std::vector<LegendState> states, std::vector<LegendState> sampled);

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
    /// How to record what this view ("control-flow") lacks, as the recording's tool does it.
    QString howToRecord(const char* view) const;

    const RowSet& rowSet() const { return *m_tree.rowSet(); }
    int shownRows() const { return graph()->rows().count(); }

    ViewContext& m_context;

private:
    using Frequencies = std::shared_ptr<const std::vector<TrackRef>>;

    void onTimelineChanged();
    void requestRows();
    void takeRows(std::shared_ptr<const RowSet> rows, Frequencies frequencies, bool areOthers);
    void setHasOnlySamples(bool hasOnlySamples);
    void arrange();
    void show(GraphRows rows);
    void toggle(int row);
    void updateEmptyText();
    void sortBy(int column);
    void showMenu(const QPoint& at);
    void updateLegend();
    void scheduleShares();
    void requestShares();
    void revealSelected();

    RowTree m_tree;
    Frequencies m_frequencies;
    std::vector<LegendState> m_legend;
    std::vector<LegendState> m_sampledLegend;
    bool m_hasOnlySamples = false;
    bool m_hidesIdle = false;
    bool m_reveals = false; ///< The selected row is brought into view once the rows are arranged.
    bool m_areRowsOld = false; ///< The timeline changed since they were asked for.
    QTimer m_rowsTimer;
    QTimer m_sharesTimer;
    LatestJob m_rowsJob;
    LatestJob m_arrangeJob;
    LatestJob m_sharesJob;
};

} // namespace helio
