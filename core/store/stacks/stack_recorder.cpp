#include "core/store/stacks/stack_recorder.h"

namespace helio {

StackId StackRecorder::stack(StackId caller, StackFrame frame)
{
    const StackNode node(caller, frame);
    const auto parent = static_cast<std::size_t>(caller);
    const std::uint32_t last = parent < m_lastCallee.size() ? m_lastCallee[parent] : 0;
    if (last != 0 && m_nodes[last] == node)
        return StackId{last};
    const std::uint64_t module = std::uint64_t(static_cast<std::uint32_t>(frame.module)) << 1 | (frame.isReturnAddress ? 1 : 0);
    const std::uint64_t hash = mixed(mixed(static_cast<std::uint64_t>(caller), module), frame.address);
    const auto isIt = [&](std::uint32_t i) { return m_nodes[i + 1] == node; };
    if (m_nodes.size() >= MaxStackNodes) {
        const auto known = m_index.find(hash, isIt);
        return known ? StackId{*known + 1} : caller;
    }
    const std::uint32_t index = m_index.findOrAdd(hash, isIt);
    if (index + 1 == m_nodes.size()) {
        m_nodes.push_back(node);
        m_lastCallee.push_back(0);
    }
    if (parent < m_lastCallee.size())
        m_lastCallee[parent] = index + 1;
    return StackId{index + 1};
}

} // namespace helio
