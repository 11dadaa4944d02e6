#pragma once

#include "core/profiling/samples/call_tree.h"

#include <string>
#include <vector>

namespace helio {

/// Identifies a function in trees of different samples or names.
struct FrameKey {
    std::string name; ///< Displayed name.
    std::string module;
    std::string linkageName{}; ///< SampledFunction::linkageName; if it is empty, the name decides.
    std::string unit{};

    bool operator==(const FrameKey& other) const
    {
        const bool isSameName =
            linkageName.empty() || other.linkageName.empty() ? name == other.name : linkageName == other.linkageName && unit == other.unit;
        return isSameName && module == other.module;
    }
};
FrameKey keyOf(const SampledFunction& function);

/// Functions from the root, without the root, to a node: finds a frame again in a tree of other samples or names.
using FlamePath = std::vector<FrameKey>;
FlamePath pathOf(const CallTree& tree, std::uint32_t node);

/// Returns the node at the end of the path; the last node found if the tree does not have the whole path.
std::uint32_t findPath(const CallTree& tree, const FlamePath& path);

/// Converts a path after names replaced addresses. Requires: `before` and `after` name the same profile, or a part of it.
FlamePath renamedPath(const FlamePath& path, const StackNames& before, const StackNames& after);

} // namespace helio
