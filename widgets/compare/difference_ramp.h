#pragma once

#include "core/compare/difference_steps.h"

#include <QWidget>

namespace helio {

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
    QRect cellOf(int step) const;

    DifferenceSteps m_steps;
    DifferenceUnit m_unit;
};

} // namespace helio
