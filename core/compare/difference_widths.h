#pragma once

#include "core/compare/tree_difference.h"

namespace helio {

/// By what frames of a difference are as wide as they are.
struct DifferenceWidths {
    enum class Of : std::uint8_t {
        B,
        A,
        Widest, ///< Of both: a frame is as wide as what was widest in it, so its callers are at least as wide.
    };
    Of of = Of::B;
    bool keepsElided = false; ///< What the other side alone has is as wide as it is there, not gone.
    bool operator==(const DifferenceWidths&) const = default;
};

/// The frames of a difference as a call tree whose weights are those widths: what flame graphs lay out. Nodes and functions are the same by
/// their indices; weights are in units of their own.
CallTree widthTree(const DifferenceTree& tree, DifferenceWidths widths);

/// The frame is on one side only, and it is not the one whose widths are shown.
bool isElided(const DifferenceNode& node, DifferenceWidths widths);

} // namespace helio
