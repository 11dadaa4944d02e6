#pragma once

#include "core/profiling/samples/call_tree.h"

#include <string>
#include <vector>

namespace helio {

/// Key that identifies the same function in different call trees, e.g. of another time range or of another recording.
struct FrameKey {
    std::string name; ///< Displayed name of the function.
    std::string module;
    std::string linkageName{}; ///< SampledFunction::linkageName; if empty, functions are identified by `name`.
    std::string unit{};

    bool operator==(const FrameKey& other) const
    {
        const bool isSameName =
            linkageName.empty() || other.linkageName.empty() ? name == other.name : linkageName == other.linkageName && unit == other.unit;
        return isSameName && module == other.module;
    }
};
FrameKey keyOf(const SampledFunction& function);

/// Functions on the path from the root, without the root, to a node; identifies a frame in a tree of other samples or names.
using FlamePath = std::vector<FrameKey>;
FlamePath pathOf(const CallTree& tree, std::uint32_t node);

/// Returns the node at the end of the path; if the tree does not have the whole path, the last node that it has.
std::uint32_t findPath(const CallTree& tree, const FlamePath& path);

/// Converts a path after addresses were replaced by names. Requires: `before` and `after` are names of the same profile, or of a part of
/// it.
FlamePath renamedPath(const FlamePath& path, const StackNames& before, const StackNames& after);

} // namespace helio
