#pragma once

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/highlight_mask.h"
#include "core/virtualization/steal_breakdown.h"
#include "widgets/async/once_fetched.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/finding_marks.h"
#include "widgets/time/time_format.h"
#include "widgets/time/time_scale.h"
#include "widgets/time/time_window.h"
#include "widgets/timeline/graph/axis/hit_rows.h"
#include "widgets/timeline/graph/axis/host_gestures.h"
#include "widgets/timeline/graph/rows/row_metrics.h"

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace helio {

constexpr int SnapPixels = 12; ///< Maximum distance in pixels at which a dragged edge or lane snaps to its target.

struct Timeline;

/// View state that the ruler, the overview and every time panel of a window share: width of the label column, time format, density of rows,
/// highlighting, and the hovered row and host.
/// Threads: UI thread.
/// Ownership: refers to the window's shared objects, which outlive it.
class TimeAxis : public QObject {
    Q_OBJECT

public:
    TimeAxis(TimeWindow& window, Bookmarks& bookmarks, SearchHits& hits, QObject* parent = nullptr)
        : QObject(parent)
        , m_window(window)
        , m_bookmarks(bookmarks)
        , m_hits(hits)
        , m_hitRows(window, hits)
    {
        for (const auto signal : {&TimeWindow::rowChanged, &TimeWindow::selectionChanged})
            connect(&window, signal, this, [this] { setBoxRows({}); });
    }

    TimeWindow& window() const { return m_window; }
    Bookmarks& bookmarks() const { return m_bookmarks; }
    SearchHits& hits() const { return m_hits; }
    const HitRows& hitRows() const { return m_hitRows; }

    const std::shared_ptr<const Timeline>& timeline() const { return m_timeline; }
    void setTimeline(std::shared_ptr<const Timeline> timeline);

    /// True if the user stopped indexing; the ranges that are not indexed yet stay empty.
    bool isStopped() const { return m_isStopped; }
    void setStopped(bool isStopped);

    int labelWidth() const { return m_labelWidth; }
    /// Sets the width of the label column to one that the user chose, clamped to 180 to 520 pixels.
    void setLabelWidth(int width);
    bool isLabelWidthChosen() const { return m_isLabelWidthChosen; }
    /// Sets the width of the label column for a window of the given width in pixels, unless the user chose a width: 180 pixels if the
    /// window is narrower than 1100 pixels, 224 if it is narrower than 1360 pixels, otherwise 300.
    void fitLabels(int windowWidth);
    const TimeFormat& format() const { return m_format; }
    void setFormat(const TimeFormat& format);
    Density density() const { return m_density; }
    void setDensity(Density density);
    bool showsArrows() const { return m_showsArrows; }
    void setShowsArrows(bool shows);
    /// True if link kinds that are hidden by default are also shown.
    bool showsAllLinks() const { return m_showsAllLinks; }
    void setShowsAllLinks(bool shows);

    /// True if threads without activity in the visible range are hidden.
    bool hidesResting() const { return m_hidesResting; }
    void setHidesResting(bool hides);

    /// Rows that the user selected together with the selected range by dragging a box, from top to bottom; empty if none. Selecting another
    /// row or range ends the selection.
    const std::vector<TrackRef>& boxRows() const { return m_boxRows; }
    void setBoxRows(std::vector<TrackRef> rows);

    /// Times to mark on rows, e.g. the samples of a function; nullptr if there are none.
    const std::shared_ptr<const SampleTimesByRow>& rowTimes() const { return m_rowTimes; }
    void setRowTimes(std::shared_ptr<const SampleTimesByRow> times)
    {
        m_rowTimes = std::move(times);
        emit rowTimesChanged();
    }

    /// Intervals that are highlighted on their rows; all other intervals are faded. nullptr if nothing is highlighted or the highlighting
    /// is switched off.
    std::shared_ptr<const HighlightMask> light() const { return m_showsLight ? m_light : nullptr; }
    void setLight(std::shared_ptr<const HighlightMask> light);
    bool showsLight() const { return m_showsLight; }
    void setShowsLight(bool shows);
    /// Intervals of the shown critical path, whether highlighted or not; nullptr if no path is shown.
    const std::shared_ptr<const HighlightMask>& pathIntervals() const { return m_light; }
    /// True if panels hide the rows off the critical path while one is shown.
    bool showsOnlyPath() const { return m_showsOnlyPath; }
    void setShowsOnlyPath(bool shows);

    /// Times that the ruler and the overview mark, in ascending order; nullptr if none.
    const std::shared_ptr<const std::vector<Timestamp>>& moments() const { return m_moments; }
    void setMoments(std::shared_ptr<const std::vector<Timestamp>> moments)
    {
        m_moments = std::move(moments);
        emit momentsChanged();
    }
    /// Returns the times of moments() in `range`, at most one per `resolution`.
    std::vector<Timestamp> momentsIn(TimeRange range, Duration resolution) const;

    /// Marks of the selected finding, which overview, ruler and rows show; nullptr if there are none.
    const std::shared_ptr<const FindingMarks>& findingMarks() const { return m_findingMarks; }
    void setFindingMarks(std::shared_ptr<const FindingMarks> marks)
    {
        m_findingMarks = std::move(marks);
        emit findingMarksChanged();
    }

    /// Clears the selected range, and emits dismissed(): the user pressed Esc.
    void dismiss()
    {
        m_window.setSelection({});
        emit dismissed();
    }

    /// Range that the user is dragging to zoom in; until the button is released, it is shown instead of the selected range.
    std::optional<TimeRange> zoomRange() const { return m_zoomRange; }
    void setZoomRange(std::optional<TimeRange> range);
    HostGestures& hosts() { return m_hosts; } ///< Mouse gestures on hosts, which panels and overview report here.
    /// Host of the row under the pointer in any panel; nullopt if the pointer is over none.
    std::optional<std::uint32_t> hoveredHost() const { return m_hoveredHost; }
    void setHoveredHost(std::optional<std::uint32_t> host);
    /// Row with states under the pointer, in any panel; invalid if none.
    TrackRef pointedRow() const { return m_pointedRow; }
    void setPointedRow(TrackRef row)
    {
        if (std::exchange(m_pointedRow, row) != row)
            emit pointedRowChanged();
    }
    /// Intervals in which other rows had the CPU while the hovered or selected state waited for it. Panels mark them with an edge. nullptr
    /// if there are none.
    const std::shared_ptr<const std::vector<CulpritInterval>>& culpritIntervals() const { return m_stealIntervals; }
    /// State interval in the hovered row that culpritIntervals() explains. Empty if culpritIntervals() explains a state in the
    /// selected row, or if there are no culprit intervals.
    TimeRange pointedState() const { return m_pointedState; }
    void setStealIntervals(std::shared_ptr<const std::vector<CulpritInterval>> intervals, TimeRange pointedState)
    {
        if (intervals == m_stealIntervals && pointedState == m_pointedState)
            return;
        m_stealIntervals = std::move(intervals);
        m_pointedState = pointedState;
        emit stealIntervalsChanged();
    }
    /// Emits arrowChosen(): the user clicked `arrow` to see its details.
    void chooseArrow(const Arrow& arrow) { emit arrowChosen(arrow); }

    /// Arrow that the user clicked or followed; all panels draw it even if they draw no other arrows. nullopt if none.
    const std::optional<Arrow>& shownArrow() const { return m_shownArrow; }
    void setShownArrow(std::optional<Arrow> arrow)
    {
        if (arrow == m_shownArrow)
            return;
        m_shownArrow = std::move(arrow);
        emit shownArrowChanged();
    }

    /// Range that panels draw as selected: the range being dragged to zoom, otherwise the selected range.
    TimeRange shownRange() const { return m_zoomRange ? *m_zoomRange : m_window.selection(); }
    /// Time to which the dragged edge of shownRange() has snapped; nullopt if it has not. An edge snaps while Alt or Shift is held.
    std::optional<Timestamp> snapped() const { return m_snapped; }
    void setSnapped(std::optional<Timestamp> at);

    /// Returns the scale of the visible range in a panel. `width`: width of the panel in pixels, including the label column.
    TimeScale scale(int width) const { return {m_window.visible(), double(std::max(1, width - m_labelWidth))}; }
    /// Number of decimals for times in seconds at the current zoom.
    int digits(int width) const { return digitsFor(scale(width).resolution()); }

    /// Runs `action`, a step from the cursor in the selected row, once the bytes that `query` reads are on this machine; see
    /// onceFetched(). The action is dropped if the row or the cursor changes, or `owner` is destroyed, in the meantime.
    template <typename Query, typename Action> void stepOnceFetched(QObject& owner, const Query& query, Action action)
    {
        const auto step = [this, action = std::move(action), alive = QPointer(&owner), row = m_window.row(), cursor = m_window.cursor()] {
            if (alive && m_window.row() == row && m_window.cursor() == cursor)
                action();
        };
        onceFetched(m_step, query, step);
    }

    // Zoom and pan as TimeWindow does, as steps of a series: the history of places gets only the place where the series began.
    void zoomBy(double factor, Timestamp around);
    void panBy(double share);

public slots:
    void zoomIn(); ///< Zooms in around the cursor if it is in view, otherwise around the middle of the visible range.
    void zoomOut();
    void panLeft();
    void panRight();
    /// Shows the selected range on the first call, the whole experiment on the second, and the original visible range on the third. Without
    /// a selected range, the first call shows the whole experiment.
    void fit();
    void showAll(); ///< Shows the whole experiment; a second call restores the original visible range.
    void zoomToSelection();
    void zoomTo(helio::TimeRange range);
    void toStart();
    void toEnd();

signals:
    void timelineChanged();
    void labelWidthChanged();
    void formatChanged();
    void densityChanged();
    void arrowsChanged();
    void restingChanged();
    void boxRowsChanged();
    void rowTimesChanged();
    void momentsChanged();
    void findingMarksChanged();
    void dismissed(); ///< Emitted when the user pressed Esc, which also removes the marks of a finding.
    void lightChanged(); ///< Emitted when light(), pathIntervals() or showsLight() changes.
    void onlyPathChanged(); ///< Emitted when showsOnlyPath() changes.
    void hoveredHostChanged();
    void pointedRowChanged();
    void stealIntervalsChanged();
    void arrowChosen(const helio::Arrow& arrow);
    void shownArrowChanged();
    void rangeShownChanged(); ///< Emitted when shownRange() or snapped() changes.

private:
    void changeLabelWidth(int width);

    Timestamp zoomCentre() const;
    void fitNext(bool withSelection);

    TimeWindow& m_window;
    Bookmarks& m_bookmarks;
    SearchHits& m_hits;
    HitRows m_hitRows;
    std::shared_ptr<const Timeline> m_timeline;
    int m_labelWidth = 300;
    bool m_isLabelWidthChosen = false;
    TimeFormat m_format;
    Density m_density = Density::Normal;
    bool m_isStopped = false;
    bool m_showsArrows = true;
    bool m_showsAllLinks = false;
    bool m_hidesResting = true;
    std::vector<TrackRef> m_boxRows;
    bool m_showsLight = true;
    bool m_showsOnlyPath = true;
    std::shared_ptr<const HighlightMask> m_light;
    HostGestures m_hosts;
    std::optional<Arrow> m_shownArrow;
    std::optional<std::uint32_t> m_hoveredHost;
    TrackRef m_pointedRow;
    std::shared_ptr<const std::vector<CulpritInterval>> m_stealIntervals;
    TimeRange m_pointedState;
    std::optional<TimeRange> m_zoomRange;
    std::optional<Timestamp> m_snapped;
    TimeRange m_beforeFit; ///< Visible range before the first fit() of a cycle; empty if there was none.
    TimeRange m_fitted; ///< Visible range after the last fit().
    TimeRange m_fittedSelection; ///< Selected range at the last fit().
    std::size_t m_nextFit = 0; ///< Step of the next fit() call. 0: selected range; 1: whole experiment; 2: m_beforeFit.
    std::shared_ptr<const SampleTimesByRow> m_rowTimes;
    std::shared_ptr<const std::vector<Timestamp>> m_moments;
    std::shared_ptr<const FindingMarks> m_findingMarks;
    LatestTask m_step;
};

} // namespace helio
