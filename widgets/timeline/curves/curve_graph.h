#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/paint/empty_message.h"
#include "widgets/timeline/curves/curve_scene.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/time_body.h"

#include <QImage>

#include <map>
#include <set>

namespace helio {

/// Graph of series over time: names and scale in the label column, and curves at the right over the axis's visible range. Queries the
/// series off the UI thread, and paints cached data until new data arrives. Hidden series are not queried.
/// The scale contains all values in view. It also contains 0, unless a value is negative. It is kept while the visible range moves; see
/// followed().
/// Threads: UI thread.
class CurveGraph : public TimeBody {
    Q_OBJECT

public:
    explicit CurveGraph(TimeAxis& axis, QWidget* parent = nullptr);

    void setSeries(std::vector<NamedSeries> series);
    const std::vector<NamedSeries>& series() const { return m_series; }

    /// Keys of the hidden series, as returned by keyOf().
    const std::set<QString>& hidden() const { return m_hidden; }
    void setHidden(std::set<QString> keys);
    void setShown(int line, bool isShown);
    bool isShown(int line) const { return !m_hidden.contains(keyOf(m_series[std::size_t(line)].series)); }
    /// Returns the key that identifies a series in session files: trace and id.
    static QString keyOf(const ViewSeries& series);

    /// True if the scale is fixed: it contains the values of the whole recording, not only those in the visible range. Rates depend on the
    /// width of a pixel column, so a fixed scale contains the rates of a view of the whole recording and the rates of the current view.
    bool isScaleFixed() const { return m_isScaleFixed; }
    void setScaleFixed(bool isFixed);
    const ValueScale& values() const { return m_values; }
    /// Sets whether series with different titles have different scales. The top of each scale is shown beside the names.
    void setOwnScales(bool hasOwn);

    void setEmptyWords(EmptyMessage words);
    /// Returns the largest height up to `most` at which no name is cut. Only needed if not all names fit.
    int heightOfWholeNames(int most) const;
    int emptyTextHeight() const { return m_series.empty() ? m_empty.heightIn(timeArea().width()) : 0; }
    /// Height in pixels at which all names fit and curves are readable.
    int naturalHeight() const;

    /// Moves the cursor to the next or previous recorded point of any shown series.
    void stepPoint(bool forward);
    /// True if no request is pending.
    bool isIdle() const { return !m_columnsJob.isBusy() && !m_wholeJob.isBusy() && !m_valuesJob.isBusy(); }
    /// y of a value in pixels from the top of the graph.
    double yOf(double value) const { return sceneNow().yOf(value); }
    int lineAt(QPoint at) const; ///< Index of the series whose name is at the point; -1 if none.
    /// Tooltip for the name at a point: its full text, or all names for the chip "+2" that replaces names without room; empty if no name is
    /// there.
    QString tipOf(QPoint at) const;

signals:
    void hiddenChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hoverOver(std::optional<QPoint> at) override;
    void requestTip() override;
    bool scrollBy(QPoint at, double notches) override;
    void pressLabel(QPoint at) override;
    void click(QPoint at) override;
    TrackRef trackAt(QPoint at) const override;
    std::optional<Timestamp> snapped(QPoint at, Timestamp time) const override;
    bool pressKey(const QKeyEvent& event) override;
    Qt::CursorShape shapeAt(QPoint at) const override;
    MarkBands bandsOf(const TimeMarks& marks) const override;

private:
    struct CachedSeries {
        CurveData series;
        TimeRange window; ///< Time range of the cached data.
        Duration resolution{};
        std::uint64_t version = 0; ///< Version of the timeline that the data was read from.
    };
    using FetchedSeries = std::vector<std::pair<CurveKey, CachedSeries>>;

    void connectAxis();
    void onTimelineChanged();
    void onShownChanged();
    void refresh(); ///< Marks curves and labels for repainting.
    void refreshLabels();
    void requestColumns();
    void takeColumns(const FetchedSeries& answers);
    void requestFullRanges();
    void requestValues();
    void requestRatioTip(const NamedSeries& named, const std::vector<RatioInterval>& intervals);
    bool isAnswered(const CachedSeries& known, const TimeScale& scale) const;
    Timestamp valueTime() const; ///< Time of the values that are shown beside the names.
    bool isWholeWindowKnown() const;

    void compose();
    void layOutLines();
    void updateScale();
    void labelLines();
    QString valueBeside(std::size_t line, const TimeScale& scale) const;
    CurveScene sceneNow() const;
    QString nameOf(std::size_t line) const;
    QString allNames() const;
    int nearestLine(QPoint at) const; ///< Index of the curve at the point; -1 if none.

    std::vector<NamedSeries> m_series;
    std::set<QString> m_hidden;
    std::map<CurveKey, CachedSeries> m_known;
    /// Range of each series' values in the whole recording; only filled while the scale is fixed.
    std::map<CurveKey, ValueRange> m_fullRanges;
    std::map<CounterRef, SeriesPoint> m_points; ///< Last point of each recorded series at or before valueTime().
    std::uint64_t m_version = 1;
    bool m_asksAgain = false; ///< True if the columns must be requested again, because the timeline changed while they were read.
    bool m_asksWholeAgain = false; ///< True if m_fullRanges must be requested again, because the timeline changed while they were read.
    bool m_asksValuesAgain = false; ///< True if m_points must be requested again, because the timeline changed while they were read.
    bool m_isScaleFixed = false;
    ValueScale m_values;
    bool m_hasOwnScales = false;
    OwnScales m_ownScales;
    std::vector<CurveLine> m_lines; ///< Curves and names as painted in m_picture.
    Ticks m_ticks;
    QImage m_picture; ///< Cached picture of names and curves, without the time marks.
    bool m_areCurvesOld = true;
    bool m_areLabelsOld = true;
    EmptyMessage m_empty;
    int m_scrollY = 0; ///< Scroll offset of the list of names, in pixels.
    int m_hoveredName = -1;
    LatestTask m_columnsJob;
    LatestTask m_wholeJob;
    LatestTask m_valuesJob;
};

} // namespace helio
