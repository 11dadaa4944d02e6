#include "core/store/stacks/stack_recorder.h"

namespace helio {
namespace {

std::uint64_t mixed(std::uint64_t h, std::uint64_t value)
{
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

} // namespace

std::size_t StackRecorder::NodeHash::operator()(const NodeKey& key) const
{
    return mixed(mixed(mixed(0x632be59bd9b4e019u, key.caller), key.module), key.address);
}

StackId StackRecorder::stack(StackId caller, StackFrame frame)
{
    const NodeKey key{static_cast<std::uint64_t>(caller),
                      std::uint64_t(static_cast<std::uint32_t>(frame.module)) << 1 | (frame.isReturnAddress ? 1 : 0), frame.address};
    if (m_nodes.size() >= MaxStackNodes) {
        const auto known = m_index.find(key);
        return known == m_index.end() ? caller : StackId{known->second};
    }
    const auto [place, isNew] = m_index.emplace(key, static_cast<std::uint32_t>(m_nodes.size()));
    if (isNew)
        m_nodes.emplace_back(caller, frame);
    return StackId{place->second};
}

} // namespace helio
