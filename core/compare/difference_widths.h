#pragma once

#include "core/compare/tree_difference.h"

namespace helio {

/// How the widths of frames in a differential flame graph are computed.
struct DifferenceWidths {
    enum class Of : std::uint8_t {
        B,
        A,
        Widest, ///< Larger self amount (without callees) of both sides, for each frame. Callers are at least as wide as their callees.
    };
    Of of = Of::B;
    bool keepsElided = false; ///< True if frames that exist only on the other side keep the width they have on that side.
    bool operator==(const DifferenceWidths&) const = default;
};

/// Returns a call tree with the frames of the difference and their widths as weights, for the layout of flame graphs. Nodes and functions
/// keep their indices. The weights are in a unit of their own.
CallTree widthTree(const DifferenceTree& tree, DifferenceWidths widths);

/// Returns true if the frame exists only on the side whose widths are not shown. For DifferenceWidths::Widest: only in A.
bool isOnHiddenSide(const DifferenceNode& node, DifferenceWidths widths);

} // namespace helio
