#pragma once

#include "core/compare/difference_steps.h"

#include <QWidget>

class QPainter;

namespace helio {

/// Paints the nine steps with their names, 17 high; returns their width. Without painter: only that.
int paintDifferenceRamp(QPainter* painter, QPoint topLeft, const DifferenceSteps& steps, const DifferenceUnit& unit);

/// The nine steps of change with their names: the legend of differential colours.
class DifferenceRamp : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceRamp(QWidget* parent = nullptr);

    void setSteps(const DifferenceSteps& steps, const DifferenceUnit& unit);
    QString nameOf(int step) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    DifferenceSteps m_steps;
    DifferenceUnit m_unit;
};

} // namespace helio
