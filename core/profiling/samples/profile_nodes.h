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

/// Adds frames of stores' call stacks, and texts below them, to a profile's nodes, each once.
/// Threads: to be used by one thread; the profile outlives the object.
/// Cost: a few ns per stack that was met before.
class ProfileNodes {
public:
    explicit ProfileNodes(StackProfile& profile)
        : m_profile(profile)
    {
    }

    /// Sets the store of the following stacks. `stacks` belongs to the store, and must live until the next call.
    void setStore(StoreIndex index, const StackTable& stacks);
    /// Returns the profile's node for a stack of the store; 0 if it has no frames.
    std::uint32_t nodeOf(StackId stack);
    /// Returns the node of a frame of the store, called from `parent`.
    std::uint32_t intern(std::uint32_t parent, const StackFrame& frame);
    /// Returns the index of a text in StackProfile::texts. Requires: not empty.
    std::uint32_t textOf(const std::string& words, const std::string& color = {});
    /// Returns the node of such a text below `parent`.
    std::uint32_t internText(std::uint32_t parent, std::uint32_t text);

private:
    std::uint32_t intern(const CollectedNode& node);

    StackProfile& m_profile;
    StoreIndex m_index{};
    std::span<const StackNode> m_nodes;
    std::vector<std::uint32_t> m_nodeOf; ///< Indexed by the store's StackId; 0 if not met yet.
    FlatIndex m_byFrame; ///< Index of all nodes but node 0.
    std::map<std::string, std::uint32_t> m_texts;
    std::vector<std::uint32_t> m_path; ///< Buffer of nodeOf(), kept for its capacity.
};

} // namespace helio
