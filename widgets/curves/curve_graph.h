#pragma once

#include "widgets/curves/curve_scene.h"
#include "widgets/curves/series_source.h"
#include "widgets/paint/empty_words.h"
#include "widgets/timegraph/axis/time_hand.h"
#include "widgets/timegraph/axis/time_marks.h"
#include "widgets/timegraph/tips/state_tip.h"
#include "widgets/work/latest_job.h"

#include <QImage>
#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <map>
#include <set>

namespace helio {

/// Series over time: their names and the scale in the label column, their curves at the right, over the axis's window. Asks off the UI
/// thread and paints what it last knew until the answer comes. Hidden series are not asked for. UI thread.
///
/// The scale shows all values in view and 0 where none is below it; it is kept while the window moves (followed() says how long).
class CurveGraph : public QWidget {
    Q_OBJECT

public:
    explicit CurveGraph(TimeAxis& axis, QWidget* parent = nullptr);
    ~CurveGraph() override;

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

    void setEmptyWords(EmptyWords words);
    int emptyTextHeight() const { return m_series.empty() ? m_empty.heightIn(m_hand.timeArea().width()) : 0; }
    /// For all names, and curves that can be read.
    int naturalHeight() const;

    /// The cursor to the next point of any series shown, or to the one before.
    void stepPoint(bool forward);
    bool isIdle() const { return !m_columnsJob.isBusy() && !m_wholeJob.isBusy() && !m_valuesJob.isBusy(); } ///< All asked for has come.
    /// Pixels from the top.
    double yOf(double value) const { return sceneNow().yOf(value); }
    int lineAt(QPoint at) const; ///< The name at a point; -1: none.

signals:
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    void eventStepRequested(bool forward);
    void hiddenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Known {
        KnownSeries series;
        TimeRange window; ///< Asked for.
        Duration resolution{};
        std::uint64_t version = 0; ///< Of the timeline.
    };
    using Answers = std::vector<std::pair<CounterRef, Known>>;

    void connectAxis();
    void onTimelineChanged();
    void onShownChanged();
    void refresh(); ///< Everything is painted anew.
    void refreshLabels();
    void requestColumns();
    void takeColumns(const Answers& answers);
    void requestWhole();
    void requestValues();
    void requestTip();
    void hideTip();
    bool isAnswered(const Known& known, const TimeScale& scale) const;
    TimeScale deviceScale() const;
    Timestamp spokenTime() const; ///< Whose values stand beside the names.
    bool isWholeWindowKnown() const;

    void compose();
    void layOutLines();
    void updateScale();
    void labelLines();
    QString valueBeside(std::size_t line, const TimeScale& scale) const;
    CurveScene sceneNow() const;
    void updateMarks();

    void hover(QPoint at);
    void click(QPoint at);
    int nearestLine(QPoint at) const; ///< The curve under a point; -1: none.
    std::optional<Timestamp> pointNear(Timestamp at) const;

    TimeAxis& m_axis;
    TimeHand m_hand;
    std::vector<NamedSeries> m_series;
    std::set<QString> m_hidden;
    std::map<CounterRef, Known> m_known;
    std::map<CounterRef, ValueRange> m_whole; ///< Of the recording, while the scale is fixed.
    std::map<CounterRef, SeriesPoint> m_points; ///< At the spoken time.
    std::uint64_t m_version = 1;
    bool m_asksAgain = false; ///< The timeline changed while it was asked for columns.
    bool m_asksWholeAgain = false; ///< The same for m_whole...
    bool m_asksValuesAgain = false; ///< ...and for m_points.
    bool m_isScaleFixed = false;
    ValueScale m_values;
    std::vector<CurveLine> m_lines; ///< As laid out for the picture.
    Ticks m_ticks;
    QImage m_picture; ///< Everything but the time marks.
    bool m_areCurvesOld = true;
    bool m_areLabelsOld = true;
    TimeMarks m_marks;
    EmptyWords m_empty;
    int m_scrollY = 0; ///< Of the names.
    int m_hoveredName = -1;
    QPoint m_hoveredAt;
    bool m_showsFocus = false;
    QTimer m_tipTimer;
    QPointer<StateTip> m_tip; ///< The window may take it along before this goes.
    LatestJob m_columnsJob;
    LatestJob m_wholeJob;
    LatestJob m_valuesJob;
    LatestJob m_tipJob;
};

} // namespace helio
