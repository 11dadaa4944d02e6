#include "core/profiling/samples/profile_nodes.h"

namespace helio {

void ProfileNodes::setStore(StoreIndex index, const StackTable& stacks)
{
    m_index = index;
    m_nodes = stacks.nodes();
    m_nodeOf.assign(m_nodes.size(), 0);
}

std::uint32_t ProfileNodes::nodeOf(StackId stack)
{
    m_path.clear();
    auto id = static_cast<std::uint32_t>(stack);
    while (id != 0 && id < m_nodes.size() && m_nodeOf[id] == 0) {
        m_path.push_back(id);
        const auto parent = static_cast<std::uint32_t>(m_nodes[id].parent());
        id = parent < id ? parent : 0;
    }
    std::uint32_t node = id < m_nodes.size() ? m_nodeOf[id] : 0;
    for (auto it = m_path.rbegin(); it != m_path.rend(); ++it) {
        node = intern(node, m_nodes[*it].frame());
        m_nodeOf[*it] = node;
    }
    return node;
}

std::uint32_t ProfileNodes::intern(std::uint32_t parent, const StackFrame& frame) { return intern({parent, m_index, frame}); }

std::uint32_t ProfileNodes::textOf(const std::string& words, const std::string& color)
{
    const auto [place, isNew] = m_texts.try_emplace(words, static_cast<std::uint32_t>(m_profile.texts.size()));
    if (isNew)
        m_profile.texts.push_back({words, color});
    return place->second;
}

std::uint32_t ProfileNodes::internText(std::uint32_t parent, std::uint32_t text) { return intern({parent, m_index, {}, text}); }

std::uint32_t ProfileNodes::intern(const CollectedNode& node)
{
    const StackFrame& frame = node.frame;
    const std::uint64_t hash = mixed(std::uint64_t(node.parent) << 32 | std::uint32_t(node.store) << 1 | (frame.isReturnAddress ? 1 : 0),
                                     mixed(std::uint64_t(node.text) << 32 | static_cast<std::uint64_t>(frame.module), frame.address));
    const std::uint32_t index = m_byFrame.findOrAdd(hash, [&](std::uint32_t i) {
        const CollectedNode& other = m_profile.nodes[i + 1];
        return other.parent == node.parent && other.store == node.store && other.frame == frame && other.text == node.text;
    });
    if (index + 1 == m_profile.nodes.size())
        m_profile.nodes.push_back(node);
    return index + 1;
}

} // namespace helio
