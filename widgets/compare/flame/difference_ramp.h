#pragma once

#include "core/compare/difference_steps.h"

#include <QWidget>

class QPainter;

namespace helio {

/// Paints the legend of the nine steps of change, 17 pixels high, and returns its width. If `painter` is nullptr, only returns the width.
int paintDifferenceRamp(QPainter* painter, QPoint topLeft, const DifferenceSteps& steps, const DifferenceUnit& unit);

/// Legend of a differential flame graph: the colours of the nine steps of change with their names.
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
