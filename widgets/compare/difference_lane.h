#pragma once

#include "core/compare/cpu_difference.h"
#include "widgets/async/fresh_answer.h"
#include "widgets/compare/compare_context.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QWidget>

#include <vector>

namespace helio {

/// Under both stacks, on their axis: how many more CPUs than A's B keeps at some work. Asks off the UI thread. UI thread.
class DifferenceLane : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 46;

    DifferenceLane(CompareContext& context, TimeAxis& axisOfA, QWidget* parent = nullptr);

    CpuWork work() const { return m_work; }
    void setWork(CpuWork work);
    static QString textOf(CpuWork work); ///< "CPUs in the kernel".

    /// Why there is no curve. Empty: there is one, or it is on its way.
    QString missing() const;
    const std::vector<double>& values() const { return m_values; } ///< By pixel; NaN: not known.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fetch();
    void chooseWork(const QPoint& at);
    void paintLabel(QPainter& painter) const;
    void paintCurve(QPainter& painter) const;
    int left() const { return RailWidth + m_axis.labelWidth(); }
    bool isUnknown() const; ///< All values are there, and none is known.
    double most() const; ///< What the height stands for, up and down.
    double y(double value) const;

    CompareContext& m_context;
    TimeAxis& m_axis;
    CpuWork m_work = CpuWork::Busy;
    std::vector<double> m_values;
    TimeRange m_window; ///< Of the values.
    FreshAnswer m_answer;
};

} // namespace helio
