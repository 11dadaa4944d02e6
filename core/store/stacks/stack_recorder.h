#pragma once

#include "core/store/file/spool.h"
#include "core/store/stacks.h"

#include <unordered_map>
#include <vector>

namespace helio {

/// Collects call stacks on the write side: each once, as a tree. One thread. Memory: 90 bytes a node.
class StackRecorder final : public StackSink {
public:
    StackId stack(StackId caller, StackFrame frame) override;

    std::size_t nodes() const { return m_nodes.size(); } ///< Node 0 among them.
    bool isEmpty() const { return m_nodes.size() <= 1; }

    /// The stacks so far. Costs a copy.
    StackTable picture() const { return isEmpty() ? StackTable() : StackTable(m_nodes); }
    void write(const Spool::Out& out) const { out(std::as_bytes(std::span(m_nodes))); }

private:
    struct NodeKey {
        std::uint64_t caller;
        std::uint64_t module; ///< And whether it is a return address.
        std::uint64_t address;
        bool operator==(const NodeKey&) const = default;
    };
    struct NodeHash {
        std::size_t operator()(const NodeKey& key) const;
    };

    std::vector<StackNode> m_nodes = std::vector<StackNode>(1);
    std::unordered_map<NodeKey, std::uint32_t, NodeHash> m_index;
};

} // namespace helio
