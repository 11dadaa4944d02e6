#pragma once

#include "core/base/flat_index.h"
#include "core/query/samples/sample_stacks.h"
#include "core/store/stacks.h"

#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Puts the frames of stores' call stacks into a profile's nodes, each once. One thread; the profile outlives it. Cost: some ns a stack
/// that was met before.
class ProfileNodes {
public:
    explicit ProfileNodes(StackProfile& profile)
        : m_profile(profile)
    {
    }

    /// The store whose stacks are next. `stacks` are its own, and outlive that.
    void setStore(StoreIndex index, const StackTable& stacks);
    /// The profile's node for a stack of that store. 0: no frames.
    std::uint32_t nodeOf(StackId stack);
    /// The node of a frame of that store called from `parent`.
    std::uint32_t intern(std::uint32_t parent, const StackFrame& frame);

private:
    StackProfile& m_profile;
    StoreIndex m_index{};
    std::span<const StackNode> m_nodes;
    std::vector<std::uint32_t> m_nodeOf; ///< By the store's StackId; 0: not met yet.
    FlatIndex m_byFrame; ///< All but node 0.
    std::vector<std::uint32_t> m_path; ///< For nodeOf(); kept for its room.
};

} // namespace helio
