#pragma once

#include "widgets/paint/empty_message.h"
#include "widgets/timeline/graph/arrows/row_arrows.h"
#include "widgets/timeline/graph/graph_frame.h"
#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/graph/lane_fetcher.h"
#include "widgets/timeline/graph/state_mark.h"
#include "widgets/timeline/graph/state_steps.h"
#include "widgets/timeline/graph/time_body.h"

#include <string>

class QScrollBar;

namespace helio {

/// Rows of states over time: a label column at the left, bars over the visible range at the right. Fetches data of the rows in view off the
/// UI thread, and paints cached data until new data arrives.
/// Threads: UI thread.
class TimeGraph : public TimeBody {
    Q_OBJECT

public:
    /// `view` is the id of the view whose links are drawn as arrows, unless setLinkView() is called.
    TimeGraph(TimeAxis& axis, std::string view, QWidget* parent = nullptr);

    /// Replaces the rows and adjusts the scroll position: the hovered row stays in place if it still exists, otherwise the selected row if
    /// it is in view, otherwise the top row.
    void setRows(GraphRows rows);
    void setRows(std::vector<GraphRow> rows) { setRows(GraphRows(std::move(rows), axis().density())); }
    const GraphRows& rows() const { return m_rows; }
    /// Track of the row under the pointer; invalid if none.
    TrackRef hoveredTrack() const { return m_hoveredRow >= 0 && m_hoveredRow < m_rows.count() ? m_rows[m_hoveredRow].ref : TrackRef(); }
    int selectedRow() const { return m_rows.find(axis().window().row()); }
    /// Highlights a row and scrolls it into view: the CPU that the selected thread runs on at the cursor, or the thread that runs on the
    /// selected CPU. If `row` is invalid, no row is highlighted.
    void setRelatedRow(TrackRef row);
    void valuesChanged(); ///< Fetches the bars again, because names of values have been loaded.
    void setLinkView(std::string view); ///< Sets the view whose links are drawn as arrows.
    void setFrames(FrameChoice frames); ///< Sets which calls are hidden or faded, and whether calls are coloured by function or by module.
    /// Sets whether the rows are pinned: their buttons then unpin them, and the user can drag them to another position.
    void setPinned(bool isPinned) { m_isPinned = isPinned; }
    void setPercentBare(bool isBare) { m_isPercentBare = isBare; }
    /// Fades all states except those with the legend text `legend`; an empty text fades none.
    void setFocusState(const QString& legend);
    QString focusState() const { return m_looks.focus(); }
    /// Sets the text for a graph without rows: `what` is missing, and `how` to record it.
    void setEmptyText(const QString& what, const QString& how);
    const EmptyMessage& emptyWords() const { return m_empty; }
    /// Height in pixels of the text for a graph without rows; 0 if there is no text.
    int emptyTextHeight() const { return m_empty.heightIn(timeArea().width()); }

    /// True if no request is pending.
    bool isIdle() const { return !m_fetcher.isBusy() && !m_mark.isBusy() && !m_calls.isBusy(); }
    /// Indexes of the traces of the rows in view, in the order of the rows.
    const std::vector<std::uint32_t>& shownTraces() const { return m_shownTraces; }
    std::optional<MarkedState> selectedState() const { return m_mark.state(); }
    /// Returns row, state, begin and duration of the state at the cursor in the selected row, as texts; only the row if it has no state
    /// there. Empty if no row of this graph is selected.
    QStringList selectionTexts() const { return rowTexts(selectedRow()); }
    /// Returns the texts of selectionTexts() for another row.
    QStringList rowTexts(int row) const;
    /// Returns the rectangle of a row, in coordinates of the graph; it may be outside of the view.
    QRect rowArea(int row) const;
    /// Returns the texts of selectionTexts() for each row of the box; for the selected row if there is no box.
    QList<QStringList> selectedRowsTexts() const;
    int rowAt(QPoint at) const;
    void setScrollMargin(int pixels) override;
    void selectRow(int row); ///< Selects a row and scrolls it into view; does nothing for a row without a track.
    /// Scrolls by the minimum distance that brings the row into view.
    void ensureRowVisible(int row);
    /// Scrolls to a row after a jump. A row out of view is placed at a third of the height from the edge; `other` is also shown if both
    /// fit. A row of a call stack is centred together with its whole stack if that fits, otherwise alone. The thread's states below a stack
    /// only count as in view together with the stack, if that fits.
    void showRow(int row, int other = -1);

public slots:
    void followArrow(bool forward);
    void nextRow();
    void previousRow();
    void zoomToState() { helio::zoomToState(axis()); }

signals:
    void rowToggled(int row);
    void pinToggled(helio::TrackRef row); ///< Emitted when the user clicked the button that pins or unpins a row.
    void rowMoved(helio::TrackRef row, int to); ///< Emitted while the user drags a pinned row, with its new index.
    void hiddenDepthsWanted(int row); ///< Emitted when the user clicks the chip with the number of call depths hidden below the row.
    void contentHeightChanged();
    void shownTracesChanged();
    void remark(const QString& text); ///< Emitted when a key had no effect; `text` says why, for the status bar.

protected:
    void paintEvent(QPaintEvent* event) override;
    void paintChosenArrows(QPainter& painter) const;
    void paintStealEdges(QPainter& painter) const;
    void paintTarget(QPainter& painter) const;
    void paintBox(QPainter& painter) const;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void hoverOver(std::optional<QPoint> at) override;
    MarkBands bandsOf(const TimeMarks& marks) const override;
    Qt::CursorShape shapeAt(QPoint at) const override;
    void requestTip() override;
    bool scrollBy(QPoint at, double notches) override;
    void pressLabel(QPoint at) override;
    void click(QPoint at) override;
    TrackRef trackAt(QPoint at) const override;
    std::optional<Timestamp> snapped(QPoint at, Timestamp time) const override;
    bool pressKey(const QKeyEvent& event) override;

private:
    void connectAxis();
    void connectFetchers();
    void onTimelineChanged();
    void onThemeChanged();
    void changeRows();
    int anchorRow(const GraphRows& others) const;
    void updateScrollBar();
    void scrollRows();
    void requestLanes();
    void requestRowArrows();
    void requestState();
    void requestCalls();
    void goAlong(const Arrow& arrow, TrackRef row, bool forward);
    void goToRow(int row);
    void goToTrack(TrackRef track);
    TipRequest tipRequest(int row, QPoint at) const;
    /// Track of the bars at a point, which may be a lane within a row; invalid if none.
    TrackRef laneTrackAt(QPoint at) const;
    const Lane* laneAt(QPoint at) const; ///< Cached lane at a point; nullptr if there is none.
    std::optional<std::uint32_t> hostAt(QPoint at) const; ///< Host whose heading is at a point; nullopt if none.
    std::vector<HostArea> hostAreas() const;
    bool pressHeading(const QMouseEvent& event);
    void carryHost(const QMouseEvent& event);
    void tellScreenReader();
    QRect rowRect(int row) const; ///< Rectangle of a row's label, in coordinates of the graph.
    bool isOnPin(QPoint at) const; ///< True if a point is on the button that pins or unpins the row at this point.
    bool startsBox(const QMouseEvent& event) const;
    void dragBox(QPoint at);
    bool dragPinned(const QMouseEvent& event);
    int clockChipAt(QPoint at) const; ///< Index of the host's row whose clock chip is at a point; -1 if none.
    GraphScene scene() const;
    ArrowLayoutContext arrowLayoutContext() const;
    ArrowLayout arrowLayout() const;
    void addHighlightedArrows(ArrowLayout& layout, ArrowLayoutContext place) const;
    LinkIds shownLinks() const;

    std::string m_view;
    std::string m_linkView;
    GraphRows m_rows;
    std::vector<HostHeading> m_hosts;
    std::vector<std::uint32_t> m_shownTraces;
    mutable LaneStyles m_looks;
    mutable std::shared_ptr<const HighlightMask> m_light; ///< Highlighting used by the current painting.
    mutable std::shared_ptr<const FindingMarks> m_finding;
    /// Arrow that the user followed. Painted above the cursor's line, because the cursor is at one end of the arrow.
    std::optional<Arrow> m_followed;
    TrackRef m_related;
    bool m_isPercentBare = false;
    EmptyMessage m_empty;
    int m_hoveredRow = -1;
    struct PressedHost {
        std::uint32_t host;
        QPoint at;
    };
    std::optional<int> m_boxFrom; ///< Row in which the user began to drag a box; nullopt while none is dragged.
    TrackRef m_pressedPin; ///< Pinned row that the user pressed to drag it; invalid if none.
    bool m_isPinned = false;
    bool m_isInLabels = false; ///< True if the pointer is in the label column.
    std::optional<PressedHost> m_pressedHost; ///< Host whose name the user pressed with the left button; nullopt if none.
    QScrollBar* m_scroll;
    int m_scrollMargin = 0;
    LaneFetcher m_fetcher;
    RowArrows m_rowArrows; ///< Arrows of the selected and the hovered row; used if m_fetcher has only some of the arrows.
    StateMark m_mark;
    CursorCalls m_calls;
    GraphFrame m_frame; ///< Cached picture without the time marks.
};

} // namespace helio
