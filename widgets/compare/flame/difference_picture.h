#pragma once

#include "core/compare/difference_steps.h"

#include <QString>

class QPainter;

namespace helio {

/// Title, remark and legend above a saved picture of a flame graph.
struct PictureHead {
    static constexpr int Height = 32;
    static constexpr int Margin = 12;

    QString title;
    QString remark;
    const DifferenceSteps* steps = nullptr; ///< Steps of the legend; nullptr for no legend.
    DifferenceUnit unit;

    void paint(QPainter& painter, int width) const;
};

} // namespace helio
