#pragma once

#include "widgets/flame/view/flame_colors.h"
#include "widgets/flame/view/flame_layout.h"
#include "widgets/flame/view/frame_style.h"

#include <QRectF>

#include <memory>

class QPainter;

namespace helio {

/// Height of a row in pixels, including a gap of one pixel.
constexpr int FlameRowHeight = 18;

/// Call tree with its position in the picture. A sandwich has two parts: callers growing upwards, and callees growing downwards.
struct FlamePart {
    std::shared_ptr<const CallTree> tree;
    FlameLayout layout;
    FlameColors colors;
    std::shared_ptr<const FrameStyle> style; ///< Style of the frames; nullptr for frames with the colours and shares of a call tree.
    std::vector<FlameColors::Paint> stylePaints; ///< Colours, indexed like style->roles().
    std::vector<bool> matches; ///< Matches of the search, indexed by FunctionId; empty if there is no search.
    bool growsUp = false;
    int skippedRows = 0; ///< Number of rows that are not shown, counted from the root.
    int top = 0; ///< Top of the part in the picture, in pixels.

    /// Reads the colours from a theme. Must be called again when the theme changed.
    void resolve(const Theme& theme);
    const FlameColors::Paint& paintOf(std::uint32_t node) const
    {
        return style ? stylePaints[style->roleOf(node)] : colors.paintOf(*tree, node);
    }

    int shownRows() const { return std::max(0, layout.rowCount() - skippedRows); }
    int height() const { return shownRows() * FlameRowHeight; }
    int rowTop(int row) const { return top + (growsUp ? shownRows() - 1 - (row - skippedRows) : row - skippedRows) * FlameRowHeight; }
    /// Row at y of the picture; -1 if there is none.
    int rowAt(double y) const;
    /// Returns the rectangle in which a frame is painted, in whole pixels, without the gap between rows.
    QRectF rectOf(const FlameBox& box, int row) const;
};

/// Returns a percentage, e.g. "58.0 %". If the text would read 0 for a part above 0, it has more decimals.
QString shareText(std::uint64_t part, std::uint64_t whole, int decimals = 1);

/// Paints the rows that overlap [top, bottom) of the picture.
void paintFlame(QPainter& painter, const FlamePart& part, WeightBy by, double top, double bottom);

} // namespace helio
