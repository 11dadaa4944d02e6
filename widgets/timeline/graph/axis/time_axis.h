#pragma once

#include "core/profiling/samples/row_times.h"
#include "core/query/rows/row_light.h"
#include "core/virtualization/taken_by.h"
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

constexpr int SnapPixels = 12; ///< How far what is dragged jumps to an edge near it.

struct Timeline;

/// What the ruler, the overview and every time panel of a window have in common: the label column's width, how times are written, how
/// dense rows are, and what they all show. Refers to the window's shared objects. UI thread.
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

    /// Reading was stopped: what is not known yet will not come.
    bool isStopped() const { return m_isStopped; }
    void setStopped(bool isStopped);

    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width); ///< 180 to 520.
    const TimeFormat& format() const { return m_format; }
    void setFormat(const TimeFormat& format);
    Density density() const { return m_density; }
    void setDensity(Density density);
    bool showsArrows() const { return m_showsArrows; }
    void setShowsArrows(bool shows);
    /// Also the kinds that are hidden at first.
    bool showsAllLinks() const { return m_showsAllLinks; }
    void setShowsAllLinks(bool shows);

    /// Threads that rest in the visible window are hidden.
    bool hidesResting() const { return m_hidesResting; }
    void setHidesResting(bool hides);

    /// Moments that are marked on the rows: when a function was sampled. Null: none.
    const std::shared_ptr<const RowTimes>& rowTimes() const { return m_rowTimes; }
    void setRowTimes(std::shared_ptr<const RowTimes> times)
    {
        m_rowTimes = std::move(times);
        emit rowTimesChanged();
    }

    /// What of rows is in the light, where it is on. Null: all is.
    std::shared_ptr<const RowLight> light() const { return m_showsLight ? m_light : nullptr; }
    void setLight(std::shared_ptr<const RowLight> light);
    bool showsLight() const { return m_showsLight; }
    void setShowsLight(bool shows);

    /// Moments that ruler and overview mark, in time order. Null: none.
    const std::shared_ptr<const std::vector<Timestamp>>& moments() const { return m_moments; }
    void setMoments(std::shared_ptr<const std::vector<Timestamp>> moments)
    {
        m_moments = std::move(moments);
        emit momentsChanged();
    }
    /// Those in a range, one at most in each stretch of `resolution`.
    std::vector<Timestamp> momentsIn(TimeRange range, Duration resolution) const;

    /// A range being dragged to be zoomed to; shown as a range until it is let go.
    std::optional<TimeRange> zoomRange() const { return m_zoomRange; }
    void setZoomRange(std::optional<TimeRange> range);
    HostGestures& hosts() { return m_hosts; } ///< What a person does to hosts.
    /// The host of the row under the pointer, in whichever panel. None: the pointer is over none.
    std::optional<std::uint32_t> hoveredHost() const { return m_hoveredHost; }
    void setHoveredHost(std::optional<std::uint32_t> host);
    /// The row of states under the pointer, in whichever panel. Not valid: the pointer is over none.
    TrackRef pointedRow() const { return m_pointedRow; }
    void setPointedRow(TrackRef row)
    {
        if (std::exchange(m_pointedRow, row) != row)
            emit pointedRowChanged();
    }
    /// Where those are who had the CPU that what is pointed at, or selected, did not get: their rows have an edge there. Null: nowhere.
    const std::shared_ptr<const std::vector<TakenStretch>>& takenStretches() const { return m_takenStretches; }
    /// The state of the pointed row that they took the CPU in. Empty: it is another row's, or there are none.
    TimeRange pointedState() const { return m_pointedState; }
    void setTakenStretches(std::shared_ptr<const std::vector<TakenStretch>> stretches, TimeRange pointedState)
    {
        const bool isOther = std::exchange(m_pointedState, pointedState) != pointedState;
        if (std::exchange(m_takenStretches, stretches) != stretches || isOther)
            emit takenStretchesChanged();
    }
    /// A person chose an arrow to know more of it.
    void chooseArrow(const Arrow& arrow) { emit arrowChosen(arrow); }

    /// That panels show however many others there are: the one that a person chose or came along. None: there is none.
    const std::optional<Arrow>& shownArrow() const { return m_shownArrow; }
    void setShownArrow(std::optional<Arrow> arrow)
    {
        if (std::exchange(m_shownArrow, arrow) != arrow)
            emit shownArrowChanged();
    }

    /// What the panels show as the range.
    TimeRange shownRange() const { return m_zoomRange ? *m_zoomRange : m_window.selection(); }
    /// An edge of the range that Alt holds to a boundary.
    std::optional<Timestamp> snapped() const { return m_snapped; }
    void setSnapped(std::optional<Timestamp> at);

    /// The visible window over the time area of a panel that is `width` wide.
    TimeScale scale(int width) const { return {m_window.visible(), double(std::max(1, width - m_labelWidth))}; }
    /// Digits behind the second at this zoom.
    int digits(int width) const { return digitsFor(scale(width).resolution()); }

public slots:
    void zoomIn(); ///< Around the cursor where it is in view, else the middle.
    void zoomOut();
    void panLeft();
    void panRight();
    void fit(); ///< The whole experiment; again: back to what was shown before.
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
    void lightChanged(); ///< light() or showsLight().
    void hoveredHostChanged();
    void pointedRowChanged();
    void takenStretchesChanged();
    void arrowChosen(const helio::Arrow& arrow);
    void shownArrowChanged();
    void rangeShownChanged(); ///< shownRange() or snapped().

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
    std::shared_ptr<const RowLight> m_light;
    HostGestures m_hosts;
    std::optional<Arrow> m_shownArrow;
    std::optional<std::uint32_t> m_hoveredHost;
    TrackRef m_pointedRow;
    std::shared_ptr<const std::vector<TakenStretch>> m_takenStretches;
    TimeRange m_pointedState;
    std::optional<TimeRange> m_zoomRange;
    std::optional<Timestamp> m_snapped;
    TimeRange m_beforeFit;
    std::shared_ptr<const RowTimes> m_rowTimes;
    std::shared_ptr<const std::vector<Timestamp>> m_moments;
};

} // namespace helio
