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

constexpr int OverviewBucket = 2; ///< Width in pixels of a time bucket in the overview.

/// Data of one host's lane in the overview.
struct OverviewLane {
    std::uint32_t host = 0; ///< Index of the host in hostFacts().
    HostHeading heading;
    HostFacts facts;
    std::vector<CpuUtilization> use; ///< CPU use, indexed by bucket.
    std::vector<double> density; ///< Number of events, indexed by bucket.
};

/// Smooths event counts for drawing: a bucket with fewer than eight events is averaged with its neighbours, because a sampled recording
/// with about one sample per bucket would otherwise look noisy. Empty ranges and bursts are not averaged.
std::vector<double> smoothDensity(const std::vector<double>& counts);

/// Overview of the whole experiment at the top of the window: one lane per host with event density over CPU use, marks below, and the
/// visible range as a brush that the user moves and resizes. A drag outside of the brush selects another visible range.
/// Threads: UI thread; the queries run on a thread of its own.
class OverviewStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int MarksHeight = 12; ///< Height in pixels of the marks below the lanes.

    explicit OverviewStrip(TimeAxis& axis, QWidget* parent = nullptr);

    /// Returns the height of the strip in pixels: for one host 62, or 40 in a low window; for several hosts 12 plus 30 per host, at most
    /// 150.
    static int heightFor(std::size_t hosts, bool isLow = false);
    /// Sets whether the window has little height; the strip of a single host is lower then.
    void setLow(bool isLow);

    /// Scale of the lanes over the whole experiment. While the user drags a lane, the scale from before the drag is kept, so that the lane
    /// stays under the pointer.
    TimeScale scale() const;

    /// Sets a title and a badge, for an experiment with one host: they replace the host's name, and the strip becomes one line high.
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
    void menuRequested(const QPoint& globalPos); ///< Emitted on a right click outside of the hosts' names.

private:
    /// Object that the user drags. Left, Right: the edges of the brush, i.e. of the rectangle of the visible range. Whole: the brush. New:
    /// the user pressed outside of the brush, and the pointer has not moved yet. Drawn: a new visible range. Splitter: the edge of the
    /// label column. Lane: a host's lane, to shift the host's clock.
    enum class Grip { None, Left, Right, Whole, New, Drawn, Splitter, Lane };

    void request();
    void updateHeight();
    void compose();
    void paintVoid(QPainter& painter, const OverviewLane& lane, const QRectF& rect);
    void paintUse(QPainter& painter, const OverviewLane& lane, const QRectF& rect);
    void paintDensity(QPainter& painter, const OverviewLane& lane, const QRectF& rect);
    void paintName(QPainter& painter, const OverviewLane& lane, const QRectF& rect, bool isOnly);
    void paintLoss(QPainter& painter, const LossRange& loss, double laneHeight);
    double laneHeight() const;
    bool areLanesNamed() const; ///< Returns true if each lane has room for the name of its host.
    int laneAt(double y) const; ///< Index of the lane at y; -1 if none.
    void paintMarks(QPainter& painter, const QRectF& rect);
    void paintBrush(QPainter& painter);
    Grip gripAt(const QPoint& at) const;
    void showGrip(Grip grip);
    TimeRange draggedTo(Timestamp at) const;
    /// True if the whole experiment is visible, so that the brush leaves no area beside it.
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
    QImage m_picture; ///< Cached picture without the marks and the brush, which is the rectangle of the visible range.
    bool m_isPictureOld = true;
    bool m_isLow = false;
    Grip m_grip = Grip::None;
    int m_pressed = 0; ///< x of the mouse press.
    Timestamp m_grabbed;
    TimeRange m_atGrab;
    QPointer<QWidget> m_focusBefore; ///< Widget that gets the focus back after the drag of a lane.
    TimeScale m_laneScale; ///< Scale of the strip when the drag of a lane began; used until the drag ends.
    LatestTask m_job;
};

} // namespace helio
