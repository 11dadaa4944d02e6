#pragma once

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/highlight_mask.h"
#include "core/virtualization/steal_breakdown.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/time_format.h"
#include "widgets/time/time_scale.h"
#include "widgets/time/time_window.h"
#include "widgets/timeline/graph/axis/hit_rows.h"
#include "widgets/timeline/graph/axis/host_gestures.h"
#include "widgets/timeline/graph/rows/row_metrics.h"

#include <QObject>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace helio {

constexpr int SnapPixels = 12; ///< Distance in pixels within which a dragged edge snaps to an edge of another item.

struct Timeline;

/// State that the ruler, the overview and every time panel of a window share: width of the label column, time format, density of rows,
/// highlighting, and what is hovered.
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
    }

    TimeWindow& window() const { return m_window; }
    Bookmarks& bookmarks() const { return m_bookmarks; }
    SearchHits& hits() const { return m_hits; }
    const HitRows& hitRows() const { return m_hitRows; }

    const std::shared_ptr<const Timeline>& timeline() const { return m_timeline; }
    void setTimeline(std::shared_ptr<const Timeline> timeline);

    /// True if indexing was stopped: parts of the experiment that are not indexed yet stay unknown.
    bool isStopped() const { return m_isStopped; }
    void setStopped(bool isStopped);

    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width); ///< Clamped to 180 to 520 pixels.
    const TimeFormat& format() const { return m_format; }
    void setFormat(const TimeFormat& format);
    Density density() const { return m_density; }
    void setDensity(Density density);
    bool showsArrows() const { return m_showsArrows; }
    void setShowsArrows(bool shows);
    /// True if link kinds that are hidden by default are shown too.
    bool showsAllLinks() const { return m_showsAllLinks; }
    void setShowsAllLinks(bool shows);

    /// True if threads that only rest in the visible range are hidden.
    bool hidesResting() const { return m_hidesResting; }
    void setHidesResting(bool hides);

    /// Times to mark on rows, e.g. the samples of a function; nullptr if none.
    const std::shared_ptr<const RowTimes>& rowTimes() const { return m_rowTimes; }
    void setRowTimes(std::shared_ptr<const RowTimes> times)
    {
        m_rowTimes = std::move(times);
        emit rowTimesChanged();
    }

    /// Highlighted intervals of rows; everything else is faded. nullptr if nothing is highlighted or showsLight() is false.
    std::shared_ptr<const HighlightMask> light() const { return m_showsLight ? m_light : nullptr; }
    void setLight(std::shared_ptr<const HighlightMask> light);
    bool showsLight() const { return m_showsLight; }
    void setShowsLight(bool shows);

    /// Times that the ruler and the overview mark, in ascending order; nullptr if none.
    const std::shared_ptr<const std::vector<Timestamp>>& moments() const { return m_moments; }
    void setMoments(std::shared_ptr<const std::vector<Timestamp>> moments)
    {
        m_moments = std::move(moments);
        emit momentsChanged();
    }
    /// Returns the moments() in `range`, at most one per `resolution`.
    std::vector<Timestamp> momentsIn(TimeRange range, Duration resolution) const;

    /// Range that the user is dragging to zoom to; shown in place of the selected range until the button is released.
    std::optional<TimeRange> zoomRange() const { return m_zoomRange; }
    void setZoomRange(std::optional<TimeRange> range);
    HostGestures& hosts() { return m_hosts; } ///< Gestures of the user on hosts.
    /// Host of the row under the pointer in any panel; nullopt if the pointer is over none.
    std::optional<std::uint32_t> hoveredHost() const { return m_hoveredHost; }
    void setHoveredHost(std::optional<std::uint32_t> host);
    /// Row with states under the pointer in any panel; invalid if the pointer is over none.
    TrackRef pointedRow() const { return m_pointedRow; }
    void setPointedRow(TrackRef row)
    {
        if (std::exchange(m_pointedRow, row) != row)
            emit pointedRowChanged();
    }
    /// Intervals of the rows that had the CPU while the hovered or selected state did not get it. Panels mark them with an edge. nullptr if
    /// none.
    const std::shared_ptr<const std::vector<CulpritInterval>>& findCulpritIntervals() const { return m_stealIntervals; }
    /// State interval of the hovered row that findCulpritIntervals() belongs to; empty if findCulpritIntervals() is nullptr or belongs to
    /// the selected row.
    TimeRange pointedState() const { return m_pointedState; }
    void setStealIntervals(std::shared_ptr<const std::vector<CulpritInterval>> stretches, TimeRange pointedState)
    {
        const bool isOther = std::exchange(m_pointedState, pointedState) != pointedState;
        if (std::exchange(m_stealIntervals, stretches) != stretches || isOther)
            emit stealIntervalsChanged();
    }
    /// Reports that the user clicked `arrow` to see its details.
    void chooseArrow(const Arrow& arrow) { emit arrowChosen(arrow); }

    /// Arrow that all panels draw even where arrows are too many: the one that the user clicked or followed. nullopt if none.
    const std::optional<Arrow>& shownArrow() const { return m_shownArrow; }
    void setShownArrow(std::optional<Arrow> arrow)
    {
        if (std::exchange(m_shownArrow, arrow) != arrow)
            emit shownArrowChanged();
    }

    /// Range that the panels show as selected: zoomRange(), otherwise the selected range.
    TimeRange shownRange() const { return m_zoomRange ? *m_zoomRange : m_window.selection(); }
    /// Edge of the range that snaps to a boundary while Alt or Shift is held; nullopt if none.
    std::optional<Timestamp> snapped() const { return m_snapped; }
    void setSnapped(std::optional<Timestamp> at);

    /// Scale of the visible range for a panel `width` pixels wide, label column included.
    TimeScale scale(int width) const { return {m_window.visible(), double(std::max(1, width - m_labelWidth))}; }
    /// Number of decimals of seconds at the current zoom.
    int digits(int width) const { return digitsFor(scale(width).resolution()); }

public slots:
    void zoomIn(); ///< Zooms around the cursor if it is in view, otherwise around the middle.
    void zoomOut();
    void panLeft();
    void panRight();
    void fit(); ///< Shows the whole experiment; called again, returns to the previous visible range.
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
    void rowTimesChanged();
    void momentsChanged();
    void lightChanged(); ///< Emitted when light() or showsLight() changes.
    void hoveredHostChanged();
    void pointedRowChanged();
    void stealIntervalsChanged();
    void arrowChosen(const helio::Arrow& arrow);
    void shownArrowChanged();
    void rangeShownChanged(); ///< Emitted when shownRange() or snapped() changes.

private:
    Timestamp zoomCentre() const;

    TimeWindow& m_window;
    Bookmarks& m_bookmarks;
    SearchHits& m_hits;
    HitRows m_hitRows;
    std::shared_ptr<const Timeline> m_timeline;
    int m_labelWidth = 300;
    TimeFormat m_format;
    Density m_density = Density::Normal;
    bool m_isStopped = false;
    bool m_showsArrows = true;
    bool m_showsAllLinks = false;
    bool m_hidesResting = true;
    bool m_showsLight = true;
    std::shared_ptr<const HighlightMask> m_light;
    HostGestures m_hosts;
    std::optional<Arrow> m_shownArrow;
    std::optional<std::uint32_t> m_hoveredHost;
    TrackRef m_pointedRow;
    std::shared_ptr<const std::vector<CulpritInterval>> m_stealIntervals;
    TimeRange m_pointedState;
    std::optional<TimeRange> m_zoomRange;
    std::optional<Timestamp> m_snapped;
    TimeRange m_beforeFit;
    std::shared_ptr<const RowTimes> m_rowTimes;
    std::shared_ptr<const std::vector<Timestamp>> m_moments;
};

} // namespace helio
