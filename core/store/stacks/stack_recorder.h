#pragma once

#include "core/base/flat_index.h"
#include "core/store/file/spool.h"
#include "core/store/stacks.h"

#include <vector>

namespace helio {

/// Collects call stacks on the write side: each once, as a tree. One thread. Memory: 44 to 68 bytes a node.
class StackRecorder final : public StackSink {
public:
    StackId stack(StackId caller, StackFrame frame) override;

    std::size_t nodes() const { return m_nodes.size(); } ///< Node 0 among them.
    bool isEmpty() const { return m_nodes.size() <= 1; }

    /// The stacks so far. Costs a copy.
    StackTable picture() const { return isEmpty() ? StackTable() : StackTable(m_nodes); }
    void write(const Spool::Out& out) const { out(std::as_bytes(std::span(m_nodes))); }

private:
    std::vector<StackNode> m_nodes = std::vector<StackNode>(1);
    std::vector<std::uint32_t> m_lastCallee = std::vector<std::uint32_t>(1); ///< Of each node: asked for last, mostly again. 0: none.
    FlatIndex m_index; ///< All but node 0.
};

} // namespace helio
