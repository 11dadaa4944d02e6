#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// A frame in its row, or a column: adjacent frames that are too narrow to be distinguished.
struct FlameBox {
    std::uint32_t node = 0; ///< First node if the box is a column.
    std::uint32_t count = 1; ///< Number of frames; may exceed 1 if the box is a column.
    double left = 0; ///< In pixels.
    double width = 0;
    bool isColumn = false;
    bool operator==(const FlameBox&) const = default;
};

/// Positions of the frames of a call tree. Row n holds the frames of depth n. Rows above the zoomed frame hold its ancestors, which are as
/// wide as the zoomed frame.
struct FlameLayout {
    std::vector<FlameBox> boxes; ///< Row by row, each from left to right.
    std::vector<std::uint32_t> rowBegins; ///< Index of each row's first box, and the number of boxes; empty if there is nothing to show.
    std::uint32_t zoom = 0;

    int rowCount() const { return rowBegins.empty() ? 0 : int(rowBegins.size()) - 1; }
    std::span<const FlameBox> row(int index) const
    {
        const auto at = std::size_t(index);
        return std::span(boxes).subspan(rowBegins[at], rowBegins[at + 1] - rowBegins[at]);
    }
    /// nullptr if there is no frame.
    const FlameBox* at(int row, double x) const;
    /// nullptr if the frame is not shown or is part of a column.
    const FlameBox* find(const CallTree& tree, std::uint32_t node) const;
};

/// Least width of a frame in pixels; narrower frames become columns.
constexpr double NarrowestFrame = 0.7;

/// Lays out a tree with the total of `zoom` as full width. Cost: a few ns for each child of a frame that is wide enough to see, whatever
/// the size of the tree.
FlameLayout layOutFlame(const CallTree& tree, WeightBy by, std::uint32_t zoom, double width);

} // namespace helio
