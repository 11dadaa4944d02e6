#pragma once

#include "widgets/paint/empty_words.h"
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

/// Rows of time: label column at the left, bars at the right, over the axis's window. Asks for its rows' spans off the UI thread and
/// paints what it last knew until they come. Only rows in view are asked for and painted. UI thread.
class TimeGraph : public TimeBody {
    Q_OBJECT

public:
    /// `view` names the links it shows, unless setLinkView() does.
    TimeGraph(TimeAxis& axis, std::string view, QWidget* parent = nullptr);

    /// The row under the pointer stays where it is, else the selected one in view, else that at the top; as long as it is there.
    void setRows(GraphRows rows);
    void setRows(std::vector<GraphRow> rows) { setRows(GraphRows(std::move(rows), axis().density())); }
    const GraphRows& rows() const { return m_rows; }
    /// The row under the pointer; not valid: none.
    TrackRef hoveredTrack() const { return m_hoveredRow >= 0 && m_hoveredRow < m_rows.count() ? m_rows[m_hoveredRow].ref : TrackRef(); }
    int selectedRow() const { return m_rows.find(axis().window().row()); }
    /// Lit and brought into view: what the selected row has to do with at the cursor. Not valid: none.
    void setRelatedRow(TrackRef row);
    void valuesChanged(); ///< What values are called became known: bars are labelled anew.
    void setLinkView(std::string view); ///< Its links are shown.
    void setFrames(FrameChoice frames); ///< Which calls are shown, and in which colours.
    void setPercentBare(bool isBare) { m_isPercentBare = isBare; }
    /// Only this state of the legend in full colour; empty: all.
    void setFocusState(const QString& legend);
    QString focusState() const { return m_looks.focus(); }
    /// What stands in the middle while there are no rows: what, and how to get some.
    void setEmptyText(const QString& what, const QString& how);
    const EmptyWords& emptyWords() const { return m_empty; }
    int emptyTextHeight() const { return m_empty.heightIn(timeArea().width()); } ///< That these words take; 0 without any.

    bool isIdle() const { return !m_fetcher.isBusy() && !m_mark.isBusy() && !m_calls.isBusy(); } ///< Everything asked for has come.
    /// Of the rows in view, from the top.
    const std::vector<std::uint32_t>& shownTraces() const { return m_shownTraces; }
    std::optional<MarkedState> selectedState() const { return m_mark.state(); }
    int rowAt(QPoint at) const;
    void setScrollMargin(int pixels) override;
    /// Scrolls as little as it takes.
    void ensureRowVisible(int row);
    /// After a jump: where the row is not in view, a third from the edge; with `other` in view too where both fit. A depth of a call stack
    /// comes with all of its stack in the middle where that fits, else alone in the middle.
    void showRow(int row, int other = -1);

public slots:
    void followArrow(bool forward);
    void nextRow();
    void previousRow();
    void zoomToState() { helio::zoomToState(axis()); }

signals:
    void rowToggled(int row);
    void hiddenDepthsWanted(int row); ///< Those below that row.
    void contentHeightChanged();
    void shownTracesChanged();
    void remark(const QString& text); ///< For the status bar: why a key went nowhere.

protected:
    void paintEvent(QPaintEvent* event) override;
    void paintChosenArrows(QPainter& painter) const;
    void paintTaken(QPainter& painter) const;
    void paintTarget(QPainter& painter) const;
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
    void goToRow(int row);
    bool goToDepth(int row);
    TipQuestion tipQuestion(int row, QPoint at) const;
    TrackRef laneTrackAt(QPoint at) const; ///< Row whose states are there; invalid if none.
    const Lane* laneAt(QPoint at) const; ///< Null: none that is known.
    std::optional<std::uint32_t> hostAt(QPoint at) const; ///< Of the host's heading there.
    std::vector<HostArea> hostAreas() const;
    bool pressHeading(const QMouseEvent& event);
    void carryHost(const QMouseEvent& event);
    int clockChipAt(QPoint at) const; ///< The row of the host whose clock is told there; -1: none.
    GraphScene scene() const;
    ArrowPlace arrowPlace() const;
    ArrowLayout arrowLayout() const;
    void addLit(ArrowLayout& layout, ArrowPlace place) const;
    LinkIds shownLinks() const;

    std::string m_view;
    std::string m_linkView;
    GraphRows m_rows;
    std::vector<HostHeading> m_hosts;
    std::vector<std::uint32_t> m_shownTraces;
    mutable LaneLooks m_looks;
    mutable std::shared_ptr<const RowLight> m_light; ///< That is painted.
    std::optional<Arrow> m_followed; ///< Painted over the cursor's line, which is at one of its ends.
    TrackRef m_related;
    bool m_isPercentBare = false;
    EmptyWords m_empty;
    int m_hoveredRow = -1;
    struct PressedHost {
        std::uint32_t host;
        QPoint at;
    };
    std::optional<PressedHost> m_pressedHost; ///< Whose name the left button is held on.
    QScrollBar* m_scroll;
    int m_scrollMargin = 0;
    LaneFetcher m_fetcher;
    RowArrows m_rowArrows; ///< Of the selected and the hovered row, where not all are known.
    StateMark m_mark;
    CursorCalls m_calls;
    GraphFrame m_frame; ///< Everything but the time marks.
};

} // namespace helio
