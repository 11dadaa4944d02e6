#pragma once

#include "widgets/paint/empty_words.h"
#include "widgets/timegraph/arrows/arrow_layout.h"
#include "widgets/timegraph/axis/time_axis.h"
#include "widgets/timegraph/axis/time_hand.h"
#include "widgets/timegraph/axis/time_marks.h"
#include "widgets/timegraph/graph_picture.h"
#include "widgets/timegraph/graph_scene.h"
#include "widgets/timegraph/tips/state_tip.h"
#include "widgets/work/latest_job.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <string>

class QScrollBar;

namespace helio {

/// Rows of time: label column at the left, bars at the right, over the axis's window. Asks for its rows' spans off the UI thread and
/// paints what it last knew until they come. Only rows in view are asked for and painted. UI thread.
class TimeGraph : public QWidget {
    Q_OBJECT

public:
    /// `view` names the links it shows.
    TimeGraph(TimeAxis& axis, std::string view, QWidget* parent = nullptr);
    ~TimeGraph() override;

    /// The row under the pointer stays where it is, else the selected one in view, else that at the top; as long as it is there.
    void setRows(GraphRows rows);
    void setRows(std::vector<GraphRow> rows) { setRows(GraphRows(std::move(rows), m_axis.density())); }
    const GraphRows& rows() const { return m_rows; }
    /// The row under the pointer; not valid: none.
    TrackRef hoveredTrack() const { return m_hoveredRow >= 0 && m_hoveredRow < m_rows.count() ? m_rows[m_hoveredRow].ref : TrackRef(); }
    int selectedRow() const { return m_rows.find(m_axis.window().row()); }
    /// Lit and brought into view: what the selected row has to do with at the cursor. Not valid: none.
    void setRelatedRow(TrackRef row);
    void setPercentBare(bool isBare) { m_isPercentBare = isBare; }
    /// Only this state of the legend in full colour; empty: all.
    void setFocusState(const QString& legend);
    QString focusState() const { return m_looks.focus(); }
    /// What stands in the middle while there are no rows: what, and how to get some.
    void setEmptyText(const QString& what, const QString& how);
    int emptyTextHeight() const { return m_empty.heightIn(timeArea().width()); } ///< That these words take; 0 without any.

    bool isIdle() const { return !m_lanesJob.isBusy() && !m_stateJob.isBusy(); } ///< Everything asked for has come.
    /// Of the rows in view, from the top.
    const std::vector<std::uint32_t>& shownTraces() const { return m_shownTraces; }
    std::optional<MarkedState> selectedState() const { return m_marked; }
    int rowAt(QPoint at) const;
    Timestamp timeAt(QPoint at) const { return m_hand.timeAt(at); }
    TimeRange ticksAt(QPoint at, Duration period) const;
    /// The time under a point; of the next event of the row where one is near.
    Timestamp eventNear(int row, QPoint at) const;
    /// Scrolls as little as it takes.
    void ensureRowVisible(int row);
    /// After a jump: where the row is not in view, a third from the edge; with `other` in view too where both fit.
    void showRow(int row, int other = -1);

public slots:
    void nextState(); ///< Of the selected row; pans right where none is selected.
    void previousState(); ///< The same to the left.
    void followArrow(bool forward);
    void nextRow();
    void previousRow();
    void pageDown();
    void pageUp();
    void zoomToState();

signals:
    void rowToggled(int row);
    /// Right click: where, and on what. The row is not valid on groups and outside.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Ctrl+Left and Ctrl+Right: the application steps through the events of the selected row.
    void eventStepRequested(bool forward);
    void contentHeightChanged();
    void shownTracesChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void connectAxis();
    void onTimelineChanged();
    void onThemeChanged();
    void changeRows();
    int anchorRow(const GraphRows& others) const;
    void updateScrollBar();
    void refresh(); ///< Everything is painted anew.
    void refreshBars(); ///< All but the label column.
    void refreshLabels(); ///< Only that.
    void refreshRow(int row);
    void refreshRow(TrackRef track) { refreshRow(m_rows.find(track)); }
    void refreshLitRows(); ///< Another row is hovered or selected.
    void refreshSelection(); ///< Another range is selected.
    void scrollRows();
    void updateMarks();
    void requestLanes();
    struct FoundLane {
        TrackRef track;
        TrackRef row; ///< That shows it.
        std::shared_ptr<const Lane> lane;
    };
    void receiveLanes(const std::vector<FoundLane>& lanes);
    void forgetLanes(int first, int last);
    void updateShownTraces(int first, int last);
    void requestRowArrows();
    void requestState();
    void forgetState();
    void refreshState(); ///< The marked state and its words, which may stand over the row above.
    void requestTip();
    void showTip(const std::optional<TipContent>& content, int row);
    void hideTip();
    void moveTo(const std::vector<Interval>& found, bool atEnd);
    void hover(QPoint at);
    void press(QPoint at);
    std::optional<Timestamp> boundaryNear(int row, Timestamp at) const;
    bool handleKey(QKeyEvent* event);
    bool isInLabels(QPoint at) const { return m_hand.isInLabels(at); }
    GraphScene scene() const;
    QString readingText() const;
    QRect timeArea() const { return m_hand.timeArea(); }
    TimeScale deviceScale() const;
    void compose();
    void paintOver(QPainter& painter, const GraphScene& scene) const;
    ArrowPlace arrowPlace() const;
    ArrowLayout arrowLayout() const;
    void refreshArrows(); ///< Where they are others than those painted.
    LinkIds shownLinks() const;

    TimeAxis& m_axis;
    std::string m_view;
    bool m_asksAgain = false; ///< The timeline changed while it was asked.
    GraphRows m_rows;
    Lanes m_lanes;
    Shares m_shares;
    std::vector<LossRange> m_losses;
    LineScales m_lineScales;
    std::uint64_t m_version = 1;
    std::vector<std::uint32_t> m_shownTraces;
    mutable LaneLooks m_looks;
    std::vector<Arrow> m_arrows;
    std::uint64_t m_arrowTotal = 0;
    bool m_hasAllArrows = true;
    std::optional<Arrow> m_followed; ///< Painted over the cursor's line, which is at one of its ends.
    std::optional<MarkedState> m_marked;
    TrackRef m_markedTrack; ///< Whose.
    Ticks m_ticks;
    TimeScale m_ticksScale;
    GraphPicture m_picture; ///< Everything but the time marks.
    ArrowLayout m_arrowLayout; ///< As painted.
    bool m_areArrowsOld = true;
    int m_litRow = -1; ///< The hovered row as painted.
    int m_chosenRow = -1; ///< The selected row as painted.
    TrackRef m_related;
    TimeRange m_shownRange; ///< As painted.
    int m_scrolled = 0; ///< As painted.
    bool m_isPercentBare = false;
    EmptyWords m_empty;
    TimeMarks m_marks;
    int m_hoveredRow = -1;
    QPoint m_hoveredAt;
    bool m_showsFocus = false;
    TimeHand m_hand;
    QScrollBar* m_scroll;
    QTimer m_tipTimer;
    QPointer<StateTip> m_tip; ///< The window may take it along before this goes.
    LatestJob m_lanesJob;
    std::vector<Arrow> m_rowArrows; ///< Of the selected and the hovered row, where not all are known.
    LatestJob m_stateJob;
    LatestJob m_arrowsJob;
    LatestJob m_tipJob;
};

} // namespace helio
