#pragma once

#include "widgets/flame/view/flame_colors.h"
#include "widgets/flame/view/flame_layout.h"
#include "widgets/flame/view/frame_style.h"

#include <QRectF>

#include <memory>

class QPainter;

namespace helio {

/// A row's height with its gap of one pixel.
constexpr int FlameRowHeight = 18;

/// A tree as it lies in the picture. A sandwich has two: callers that grow up, and callees that grow down.
struct FlamePart {
    std::shared_ptr<const CallTree> tree;
    FlameLayout layout;
    FlameColors colors;
    std::shared_ptr<const FrameStyle> style; ///< Null: colours and shares of a call tree.
    std::vector<FlameColors::Paint> dressPaints; ///< By the style's roles.
    std::vector<bool> matches; ///< By FunctionId. Empty: nothing is searched for.
    bool growsUp = false;
    int skippedRows = 0; ///< Of the layout, from the root: not shown.
    int top = 0; ///< Pixels, in the picture.

    /// Takes the colours from a theme. After another one was set: again.
    void resolve(const Theme& theme);
    const FlameColors::Paint& paintOf(std::uint32_t node) const
    {
        return style ? dressPaints[style->roleOf(node)] : colors.paintOf(*tree, node);
    }

    int shownRows() const { return std::max(0, layout.rowCount() - skippedRows); }
    int height() const { return shownRows() * FlameRowHeight; }
    int rowTop(int row) const { return top + (growsUp ? shownRows() - 1 - (row - skippedRows) : row - skippedRows) * FlameRowHeight; }
    /// -1: none there.
    int rowAt(double y) const;
    /// As it is painted: on whole pixels, without the gap.
    QRectF rectOf(const FlameBox& box, int row) const;
};

/// "58.0 %". With more decimals where it would else look like nothing.
QString shareText(std::uint64_t part, std::uint64_t whole, int decimals = 1);

/// Paints the rows that meet [top, bottom) of the picture.
void paintFlame(QPainter& painter, const FlamePart& part, WeightBy by, double top, double bottom);

} // namespace helio
