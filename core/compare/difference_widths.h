#pragma once

#include "core/compare/tree_difference.h"

namespace helio {

/// Widths of the frames of a difference.
struct DifferenceWidths {
    enum class Of : std::uint8_t {
        B,
        A,
        Widest, ///< The larger amount of both sides in each frame without its callees. Callers are at least as wide as their callees.
    };
    Of of = Of::B;
    bool keepsElided = false; ///< Frames that exist only on the other side keep that side's width.
    bool operator==(const DifferenceWidths&) const = default;
};

/// Returns the frames of a difference as a call tree with the widths as weights, for the layout of flame graphs. Nodes and functions keep
/// their indices; weights have their own unit.
CallTree widthTree(const DifferenceTree& tree, DifferenceWidths widths);

/// True if the frame exists only on the side with widths that are not shown; for Widest: only in A.
bool isOnHiddenSide(const DifferenceNode& node, DifferenceWidths widths);

} // namespace helio
