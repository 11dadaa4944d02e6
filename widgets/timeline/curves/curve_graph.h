#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/paint/empty_words.h"
#include "widgets/timeline/curves/curve_scene.h"
#include "widgets/timeline/curves/own_scales.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/time_body.h"

#include <QImage>

#include <map>
#include <set>

namespace helio {

/// Series over time: their names and the scale in the label column, their curves at the right, over the axis's window. Asks off the UI
/// thread and paints what it last knew until the answer comes. Hidden series are not asked for. UI thread.
///
/// The scale shows all values in view and 0 where none is below it; it is kept while the window moves (followed() says how long).
class CurveGraph : public TimeBody {
    Q_OBJECT

public:
    explicit CurveGraph(TimeAxis& axis, QWidget* parent = nullptr);

    void setSeries(std::vector<NamedSeries> series);
    const std::vector<NamedSeries>& series() const { return m_series; }

    /// By keyOf().
    const std::set<QString>& hidden() const { return m_hidden; }
    void setHidden(std::set<QString> keys);
    void setShown(int line, bool isShown);
    bool isShown(int line) const { return !m_hidden.contains(keyOf(m_series[std::size_t(line)].series)); }
    /// What a session file calls a series.
    static QString keyOf(const ViewSeries& series);

    /// The scale shows all values of the recording, wherever the window is; of rates those that it has at this zoom.
    bool isScaleFixed() const { return m_isScaleFixed; }
    void setScaleFixed(bool isFixed);
    const ValueScale& values() const { return m_values; }
    /// Where several titles are shown each has a scale of its own, whose top stands beside the names.
    void setOwnScales(bool hasOwn);

    void setEmptyWords(EmptyWords words);
    /// Of so much what shows no half of a name, where there are more than fit.
    int heightOfWholeNames(int most) const;
    int emptyTextHeight() const { return m_series.empty() ? m_empty.heightIn(timeArea().width()) : 0; }
    /// For all names, and curves that can be read.
    int naturalHeight() const;

    /// The cursor to the next point of any series shown, or to the one before.
    void stepPoint(bool forward);
    bool isIdle() const { return !m_columnsJob.isBusy() && !m_wholeJob.isBusy() && !m_valuesJob.isBusy(); } ///< All asked for has come.
    /// Pixels from the top.
    double yOf(double value) const { return sceneNow().yOf(value); }
    int lineAt(QPoint at) const; ///< The name at a point; -1: none.
    QString tipOf(QPoint at) const; ///< What the pointer there has said of a name. Of "+2" behind them: all. Empty: nothing.

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
    struct Known {
        KnownSeries series;
        TimeRange window; ///< Asked for.
        Duration resolution{};
        std::uint64_t version = 0; ///< Of the timeline.
    };
    using Answers = std::vector<std::pair<CurveKey, Known>>;

    void connectAxis();
    void onTimelineChanged();
    void onShownChanged();
    void refresh(); ///< Everything is painted anew.
    void refreshLabels();
    void requestColumns();
    void takeColumns(const Answers& answers);
    void requestWhole();
    void requestValues();
    void requestRatioTip(const NamedSeries& named, const std::vector<RatioStretch>& stretches);
    bool isAnswered(const Known& known, const TimeScale& scale) const;
    Timestamp spokenTime() const; ///< Whose values stand beside the names.
    bool isWholeWindowKnown() const;

    void compose();
    void layOutLines();
    void updateScale();
    void labelLines();
    QString valueBeside(std::size_t line, const TimeScale& scale) const;
    CurveScene sceneNow() const;
    QString nameOf(std::size_t line) const;
    QString allNames() const;
    int nearestLine(QPoint at) const; ///< The curve under a point; -1: none.

    std::vector<NamedSeries> m_series;
    std::set<QString> m_hidden;
    std::map<CurveKey, Known> m_known;
    std::map<CurveKey, ValueRange> m_whole; ///< Of the recording, while the scale is fixed.
    std::map<CounterRef, SeriesPoint> m_points; ///< At the spoken time.
    std::uint64_t m_version = 1;
    bool m_asksAgain = false; ///< The timeline changed while it was asked for columns.
    bool m_asksWholeAgain = false; ///< The same for m_whole...
    bool m_asksValuesAgain = false; ///< ...and for m_points.
    bool m_isScaleFixed = false;
    ValueScale m_values;
    bool m_hasOwnScales = false;
    OwnScales m_ownScales;
    std::vector<CurveLine> m_lines; ///< As laid out for the picture.
    Ticks m_ticks;
    QImage m_picture; ///< Everything but the time marks.
    bool m_areCurvesOld = true;
    bool m_areLabelsOld = true;
    EmptyWords m_empty;
    int m_scrollY = 0; ///< Of the names.
    int m_hoveredName = -1;
    LatestJob m_columnsJob;
    LatestJob m_wholeJob;
    LatestJob m_valuesJob;
};

} // namespace helio
