#pragma once

#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/timesync/host_headings.h"
#include "widgets/async/latest_task.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QPixmap>
#include <QPointer>
#include <QWidget>

#include <vector>

namespace helio {

constexpr int OverviewBucket = 2; ///< Width of a bucket in pixels.

/// Data of one host in the overview.
struct OverviewLane {
    std::uint32_t host = 0; ///< Index into hostFacts().
    HostHeading heading;
    HostFacts facts;
    std::vector<CpuUtilization> use; ///< Indexed by bucket.
    std::vector<double> density; ///< Number of events by bucket.
};

/// Smooths the event counts for a line: buckets with fewer than eight events are averaged with their neighbours. Otherwise a sampled
/// recording with about one sample per bucket would look like a storm. Empty ranges and bursts are not mixed with the buckets around them.
std::vector<double> smoothDensity(const std::vector<double>& counts);

/// Overview of the whole experiment at the top of the window: one lane per host with event density over CPU use, marks below, and the
/// visible range as a brush that the user moves and resizes. A drag beside the brush selects another visible range.
/// Threads: UI thread; the queries run on a thread of its own.
class OverviewStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int MarksHeight = 12; ///< Height of the marks below the lanes.

    explicit OverviewStrip(TimeAxis& axis, QWidget* parent = nullptr);

    static int heightFor(std::size_t hosts); ///< 62 pixels for one host, 30 per host for more, at most 150.

    /// Scale of the lanes: the whole experiment. While a lane is dragged, the scale from before the drag, so that the lane stays under the
    /// pointer.
    TimeScale scale() const;

    /// Sets a title and a badge that replace the host's name if the experiment has one host; the strip is then one line high.
    void setTitle(const QString& title, const QPixmap& badge);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

signals:
    void menuRequested(const QPoint& globalPos); ///< Emitted on a right click beside the hosts' names.

private:
    enum class Grip { None, Left, Right, Whole, New, Drawn, Splitter, Lane }; ///< New: pressed beside the brush; Drawn: dragged from there.

    void request();
    void updateHeight();
    void compose();
    void paintVoid(QPainter& painter, const OverviewLane& lane, const QRectF& rect);
    void paintUse(QPainter& painter, const OverviewLane& lane, const QRectF& rect);
    void paintDensity(QPainter& painter, const OverviewLane& lane, const QRectF& rect);
    void paintName(QPainter& painter, const OverviewLane& lane, const QRectF& rect, bool isOnly);
    void paintLoss(QPainter& painter, const LossRange& loss, double laneHeight);
    double laneHeight() const;
    int laneAt(double y) const; ///< Index of the lane at a height; -1 if none.
    void paintMarks(QPainter& painter, const QRectF& rect);
    void paintBrush(QPainter& painter);
    Grip gripAt(const QPoint& at) const;
    void showGrip(Grip grip);
    TimeRange draggedTo(Timestamp at) const;
    /// True if the visible range is the whole experiment, so that nothing is beside the brush.
    bool isWholeShown() const;
    QRectF timeArea() const
    {
        return {double(m_axis.labelWidth()), 0, double(std::max(0, width() - m_axis.labelWidth())), double(height() - 1)};
    }
    double x(Timestamp t) const { return m_axis.labelWidth() + scale().xAt(t); }
    bool pressHost(const QMouseEvent& event);
    void dropLane(bool isKept);
    Timestamp timeAt(int at) const { return scale().timeAt(at - m_axis.labelWidth()); }

    TimeAxis& m_axis;
    QString m_title;
    QPixmap m_badge;
    std::vector<OverviewLane> m_lanes;
    std::vector<LossRange> m_losses;
    QImage m_picture; ///< Picture without brush and marks.
    bool m_isPictureOld = true;
    Grip m_grip = Grip::None;
    int m_pressed = 0; ///< x of the press.
    Timestamp m_grabbed;
    TimeRange m_atGrab;
    QPointer<QWidget> m_focusBefore; ///< Widget that had the focus before a lane was dragged, and gets it back afterwards.
    TimeScale m_laneScale; ///< Scale while a lane is dragged.
    LatestTask m_job;
};

} // namespace helio
