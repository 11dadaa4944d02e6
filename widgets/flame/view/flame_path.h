#pragma once

#include "core/profiling/samples/call_tree.h"

#include <string>
#include <vector>

namespace helio {

/// What distinguishes a function from others, in whatever tree.
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

/// The functions from the root (not in it) to a node: how a place is found again in a tree of other samples or names.
using FlamePath = std::vector<FrameKey>;
FlamePath pathOf(const CallTree& tree, std::uint32_t node);

/// The node that the path leads to; where it ends early, the last one on it.
std::uint32_t findPath(const CallTree& tree, const FlamePath& path);

/// The same path after names took the place of addresses. Requires: both name `profile`, or part of it.
FlamePath renamedPath(const FlamePath& path, const StackNames& before, const StackNames& after);

} // namespace helio
