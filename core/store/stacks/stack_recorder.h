#pragma once

#include "core/base/flat_index.h"
#include "core/store/file/spool.h"
#include "core/store/stacks.h"

#include <vector>

namespace helio {

/// Collects the call stacks of a store that is being built, each once, as a tree.
/// Threads: to be used by one thread. Cost: 44 to 68 bytes of memory a node.
class StackRecorder final : public StackSink {
public:
    StackId stack(StackId caller, StackFrame frame) override;

    std::size_t nodes() const { return m_nodes.size(); } ///< Number of nodes, including node 0.
    bool isEmpty() const { return m_nodes.size() <= 1; }

    /// Returns the stacks so far. Cost: a copy.
    StackTable picture() const { return isEmpty() ? StackTable() : StackTable(m_nodes); }
    void write(const Spool::Out& out) const { out(std::as_bytes(std::span(m_nodes))); }

private:
    std::vector<StackNode> m_nodes = std::vector<StackNode>(1);
    /// Callee that was last requested for each node, because the same one is mostly requested again; 0 if none.
    std::vector<std::uint32_t> m_lastCallee = std::vector<std::uint32_t>(1);
    FlatIndex m_index; ///< Finds nodes by content; node 0 is not in it.
};

} // namespace helio
