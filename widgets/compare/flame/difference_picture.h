#pragma once

#include "core/compare/difference_steps.h"

#include <QString>

class QPainter;

namespace helio {

/// What stands above the frames of a saved flame graph.
struct PictureHead {
    static constexpr int Height = 32;
    static constexpr int Margin = 12;

    QString title;
    QString remark;
    const DifferenceSteps* steps = nullptr; ///< The legend. Null: none.
    DifferenceUnit unit;

    void paint(QPainter& painter, int width) const;
};

} // namespace helio
