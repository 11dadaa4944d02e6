#pragma once

#include "core/compare/cpu_difference.h"
#include "widgets/async/debounced_query.h"
#include "widgets/compare/compare_context.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QWidget>

#include <vector>

namespace helio {

/// Lane below the panels of both sides, on the time axis of A: number of CPUs that do the selected work in B minus that in A, over time.
/// Threads: UI thread; computes on another thread.
class DifferenceLane : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 46;

    DifferenceLane(CompareContext& context, TimeAxis& axisOfA, QWidget* parent = nullptr);

    CpuWork work() const { return m_work; }
    void setWork(CpuWork work);
    static QString textOf(CpuWork work); ///< Returns the text that names `work` in the window, e.g. "CPUs in the kernel".

    /// Reason for the user why there is no curve; empty if there is a curve or it is being computed.
    QString missing() const;
    const std::vector<double>& values() const { return m_values; } ///< Values of B minus A in CPUs, by pixel; NaN if unknown.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fetch();
    void chooseWork(const QPoint& at);
    void paintLabel(QPainter& painter) const;
    void paintCurve(QPainter& painter) const;
    int left() const { return RailWidth + m_axis.labelWidth(); }
    bool isUnknown() const; ///< True if the computation is done and all values are unknown.
    double most() const; ///< Number of CPUs at the upper edge of the lane's scale; the lower edge has the same number with a minus sign.
    double y(double value) const;

    CompareContext& m_context;
    TimeAxis& m_axis;
    CpuWork m_work = CpuWork::Busy;
    std::vector<double> m_values;
    TimeRange m_window; ///< Time range of m_values.
    DebouncedQuery m_answer;
};

} // namespace helio
