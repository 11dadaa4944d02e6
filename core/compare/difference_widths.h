#pragma once

#include "core/compare/tree_difference.h"

namespace helio {

/// How the widths of frames in a differential flame graph are computed.
struct DifferenceWidths {
    enum class Of : std::uint8_t {
        B,
        A,
        Widest, ///< For each frame, the larger of the self amounts (without callees) of A and B. Callers include their callees.
    };
    Of of = Of::B;
    bool keepsElided = false; ///< True if frames that exist only on the other side keep the width they have on that side.
    bool operator==(const DifferenceWidths&) const = default;
};

/// Returns a call tree for the layout of a flame graph: it has the nodes and functions of `tree`, with equal indices, and the width of each
/// frame as its weight. The widths have no unit; only their ratios have a meaning.
CallTree widthTree(const DifferenceTree& tree, DifferenceWidths widths);

/// Returns true if the frame exists only on the side whose widths are not shown: only in B for DifferenceWidths::Of::A, only in A for Of::B
/// and Of::Widest.
bool isOnHiddenSide(const DifferenceNode& node, DifferenceWidths widths);

} // namespace helio
