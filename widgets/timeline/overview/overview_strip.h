#pragma once

#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/timesync/host_headings.h"
#include "widgets/async/latest_job.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QPixmap>
#include <QPointer>
#include <QWidget>

#include <vector>

namespace helio {

constexpr int OverviewBucket = 2; ///< Pixels wide.

/// What the overview knows of one host.
struct OverviewLane {
    std::uint32_t host = 0; ///< An index in hostFacts().
    HostHeading heading;
    HostFacts facts;
    std::vector<CpuUse> use; ///< By bucket.
    std::vector<double> density; ///< Events by bucket.
};

/// Counts a bucket as a line is drawn through them: buckets of fewer than eight are averaged with their neighbours. A sampled recording
/// with about one sample a bucket would else look like a storm. Neither empty stretches nor bursts are mixed with what is beside them.
std::vector<double> calmDensity(const std::vector<double>& counts);

/// The whole experiment on top of the window: event density over CPU use, one lane a host, the visible window as a brush to move and
/// resize, marks below. A drag beside the brush draws another window. Asks off the UI thread. UI thread.
class OverviewStrip : public QWidget {
    Q_OBJECT

public:
    static constexpr int MarksHeight = 12; ///< Below the lanes.

    explicit OverviewStrip(TimeAxis& axis, QWidget* parent = nullptr);

    static int heightFor(std::size_t hosts); ///< 62 for one host, 30 a host for more, at most 150.

    /// That its lanes are over: all of the experiment; while a lane is dragged, what that was before, so that the lane is under the
    /// pointer.
    TimeScale scale() const;

    /// What an experiment of one host is called, instead of the host, behind a badge; the strip is then one line high.
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
    void menuRequested(const QPoint& globalPos); ///< Right click beside the hosts' names.

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
    int laneAt(double y) const; ///< -1: none.
    void paintMarks(QPainter& painter, const QRectF& rect);
    void paintBrush(QPainter& painter);
    Grip gripAt(const QPoint& at) const;
    void showGrip(Grip grip);
    TimeRange draggedTo(Timestamp at) const;
    bool isWholeShown() const; ///< There is nothing beside the brush.
    QRectF timeArea() const
    {
        return {double(m_axis.labelWidth()), 0, double(std::max(0, width() - m_axis.labelWidth())), double(height() - 1)};
    }
    double x(Timestamp t) const { return m_axis.labelWidth() + scale().xAt(t); }
    bool pressHost(const QMouseEvent& event);
    void letGoOfLane(bool isKept);
    Timestamp timeAt(int at) const { return scale().timeAt(at - m_axis.labelWidth()); }

    TimeAxis& m_axis;
    QString m_title;
    QPixmap m_badge;
    std::vector<OverviewLane> m_lanes;
    std::vector<LossRange> m_losses;
    QImage m_picture; ///< Without brush and marks.
    bool m_isPictureOld = true;
    Grip m_grip = Grip::None;
    int m_pressed = 0; ///< Where, in x.
    Timestamp m_grabbed;
    TimeRange m_atGrab;
    QPointer<QWidget> m_focusBefore; ///< Has the keys again once a lane is let go.
    TimeScale m_laneScale; ///< While a lane is dragged.
    LatestJob m_job;
};

} // namespace helio
