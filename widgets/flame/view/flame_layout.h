#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// Box in a row of a flame graph: a frame, or a column of adjacent frames that are too narrow to be distinguished.
struct FlameBox {
    std::uint32_t node = 0; ///< Node of the frame; for a column, the node of its first frame.
    std::uint32_t count = 1; ///< Number of frames; above 1 only for a column.
    double left = 0; ///< Position in the row, in pixels.
    double width = 0;
    bool isColumn = false;
    bool operator==(const FlameBox&) const = default;
};

/// Positions of the frames of a call tree. Row n has the frames of depth n. Rows above the zoomed frame have its ancestors, which are as
/// wide as the zoomed frame.
struct FlameLayout {
    std::vector<FlameBox> boxes; ///< Boxes, row by row, each row from left to right.
    /// Index of the first box of each row, followed by the number of all boxes as the last element; empty if there is nothing to show.
    std::vector<std::uint32_t> rowBegins;
    std::uint32_t zoom = 0;

    int rowCount() const { return rowBegins.empty() ? 0 : int(rowBegins.size()) - 1; }
    std::span<const FlameBox> row(int index) const
    {
        const auto at = std::size_t(index);
        return std::span(boxes).subspan(rowBegins[at], rowBegins[at + 1] - rowBegins[at]);
    }
    /// Returns the box at the horizontal position `x`, in pixels, of a row; nullptr if there is no box.
    const FlameBox* at(int row, double x) const;
    /// Returns the box of a frame. nullptr if the frame is not shown, or if it is only part of a column of frames that are too narrow to be
    /// distinguished.
    const FlameBox* find(const CallTree& tree, std::uint32_t node) const;
};

/// Minimum width of a frame in pixels; narrower frames are combined into columns.
constexpr double NarrowestFrame = 0.7;

/// Lays out a tree; the frame `zoom` has the full width.
/// Cost: a few ns per child of a visible frame, regardless of the size of the tree.
FlameLayout layOutFlame(const CallTree& tree, WeightBy by, std::uint32_t zoom, double width);

} // namespace helio
