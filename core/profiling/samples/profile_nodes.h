#pragma once

#include "core/base/flat_index.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/store/stacks.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// Puts the frames of stores' call stacks, and what stands below them, into a profile's nodes, each once. One thread; the profile outlives
/// it. Cost: some ns a stack that was met before.
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
    /// The place of a text in the profile's. Requires: not empty.
    std::uint32_t textOf(const std::string& words, const std::string& color = {});
    /// The node of one of those texts below `parent`.
    std::uint32_t internText(std::uint32_t parent, std::uint32_t text);

private:
    std::uint32_t intern(const CollectedNode& node);

    StackProfile& m_profile;
    StoreIndex m_index{};
    std::span<const StackNode> m_nodes;
    std::vector<std::uint32_t> m_nodeOf; ///< By the store's StackId; 0: not met yet.
    FlatIndex m_byFrame; ///< All but node 0.
    std::map<std::string, std::uint32_t> m_texts;
    std::vector<std::uint32_t> m_path; ///< For nodeOf(); kept for its room.
};

} // namespace helio
