#pragma once

#include "widgets/flame/view/flame_colors.h"
#include "widgets/flame/view/flame_layout.h"
#include "widgets/flame/view/frame_style.h"

#include <QRectF>

#include <memory>

class QPainter;

namespace helio {

/// Height of a row in pixels, with its gap of one pixel.
constexpr int FlameRowHeight = 18;

/// A call tree with its position in the picture. A sandwich has two parts: callers growing upwards and callees growing downwards.
struct FlamePart {
    std::shared_ptr<const CallTree> tree;
    FlameLayout layout;
    FlameColors colors;
    std::shared_ptr<const FrameStyle> style; ///< nullptr: frames have colours and shares of a call tree.
    std::vector<FlameColors::Paint> stylePaints; ///< Indexed like style->roles().
    std::vector<bool> matches; ///< Indexed by FunctionId; empty if there is no search.
    bool growsUp = false;
    int skippedRows = 0; ///< Number of rows of the layout, from the root, that are not shown.
    int top = 0; ///< Position in the picture, in pixels.

    /// Reads the colours from a theme. To be called again when the theme changed.
    void resolve(const Theme& theme);
    const FlameColors::Paint& paintOf(std::uint32_t node) const
    {
        return style ? stylePaints[style->roleOf(node)] : colors.paintOf(*tree, node);
    }

    int shownRows() const { return std::max(0, layout.rowCount() - skippedRows); }
    int height() const { return shownRows() * FlameRowHeight; }
    int rowTop(int row) const { return top + (growsUp ? shownRows() - 1 - (row - skippedRows) : row - skippedRows) * FlameRowHeight; }
    /// Row at a position of the picture; -1 if there is none.
    int rowAt(double y) const;
    /// Rectangle of the painted frame: on whole pixels, without the gap.
    QRectF rectOf(const FlameBox& box, int row) const;
};

/// E.g. "58.0 %". Uses more decimals if the text would otherwise read 0.
QString shareText(std::uint64_t part, std::uint64_t whole, int decimals = 1);

/// Paints the rows that intersect [top, bottom) of the picture.
void paintFlame(QPainter& painter, const FlamePart& part, WeightBy by, double top, double bottom);

} // namespace helio
