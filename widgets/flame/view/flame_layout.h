#pragma once

#include "core/profiling/samples/call_tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace helio {

/// A frame as it lies in its row, or a column of neighbours too narrow to be distinguished.
struct FlameBox {
    std::uint32_t node = 0; ///< Of a column: the first.
    std::uint32_t count = 1; ///< More than one, or narrow: a column.
    double left = 0; ///< Pixels.
    double width = 0;
    bool isColumn = false;
    bool operator==(const FlameBox&) const = default;
};

/// Where the frames of a call tree lie. Row n holds those of depth n; rows above the zoomed frame hold its ancestors, as wide as it is.
struct FlameLayout {
    std::vector<FlameBox> boxes; ///< Row by row, from the left.
    std::vector<std::uint32_t> rowBegins; ///< In boxes, and one more for the end. Empty: nothing to show.
    std::uint32_t zoom = 0;

    int rowCount() const { return rowBegins.empty() ? 0 : int(rowBegins.size()) - 1; }
    std::span<const FlameBox> row(int index) const
    {
        const auto at = std::size_t(index);
        return std::span(boxes).subspan(rowBegins[at], rowBegins[at + 1] - rowBegins[at]);
    }
    /// Null: nothing there.
    const FlameBox* at(int row, double x) const;
    /// Null: it is not shown, or part of a column.
    const FlameBox* find(const CallTree& tree, std::uint32_t node) const;
};

/// Frames narrower than this become columns.
constexpr double NarrowestFrame = 0.7;

/// Cost: a few ns for each child of a frame that is wide enough to see, whatever the size of the tree.
FlameLayout layOutFlame(const CallTree& tree, WeightBy by, std::uint32_t zoom, double width);

} // namespace helio
