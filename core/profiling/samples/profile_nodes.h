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

/// Adds call stacks of stores to the nodes of a profile, and texts (e.g. a state) as children of their frames. Equal nodes are added once.
/// Threads: to be used by one thread.
/// Ownership: the profile must outlive the object.
/// Cost: a few ns for each stack that was added before.
class ProfileNodes {
public:
    explicit ProfileNodes(StackProfile& profile)
        : m_profile(profile)
    {
    }

    /// Sets the store of the stacks in later calls. `stacks` belongs to the store and must stay valid until the next call of setStore().
    void setStore(StoreIndex index, const StackTable& stacks);
    /// Returns the profile's node for a stack of the store; 0 if the stack has no frames.
    std::uint32_t nodeOf(StackId stack);
    /// Returns the node for a frame of the store that is called from node `parent`.
    std::uint32_t intern(std::uint32_t parent, const StackFrame& frame);
    /// Returns the index of a text in StackProfile::texts. Requires: `words` is not empty.
    std::uint32_t textOf(const std::string& words, const std::string& color = {});
    /// Returns the node for text `text` of StackProfile::texts below node `parent`.
    std::uint32_t internText(std::uint32_t parent, std::uint32_t text);

private:
    std::uint32_t intern(const CollectedNode& node);

    StackProfile& m_profile;
    StoreIndex m_index{};
    std::span<const StackNode> m_nodes;
    /// Node of the profile for each stack of the store, indexed by StackId; 0 if the stack was not added yet.
    std::vector<std::uint32_t> m_nodeOf;
    FlatIndex m_byFrame; ///< Hash index of all nodes except node 0.
    std::map<std::string, std::uint32_t> m_texts;
    std::vector<std::uint32_t> m_path; ///< Buffer of nodeOf(), kept for its capacity.
};

} // namespace helio
