#include "core/symbol/unwinding/unwound_stacks.h"

namespace helio {

std::optional<UnwoundStack> UnwoundStacks::find(std::uint64_t event) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_stacks.find(event);
    if (found == m_stacks.end())
        return {};
    UnwoundStack stack;
    stack.end = found->second.second;
    for (std::uint32_t number = found->second.first; number != 0; number = m_frames[number].caller)
        stack.frames.push_back(m_frames[number].frame);
    return stack;
}

void UnwoundStacks::add(std::uint64_t event, const UnwoundStack& stack)
{
    const std::lock_guard lock(m_mutex);
    if (m_stacks.size() >= MostSamples || m_frames.size() + stack.frames.size() > MostFrames)
        return;
    std::uint32_t number = 0;
    for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
        const auto [known, isNew] =
            m_numbers.try_emplace(Key{number, frame->module, frame->address, frame->ip, frame->isReturnAddress, frame->isGuessed},
                                  std::uint32_t(m_frames.size()));
        if (isNew)
            m_frames.push_back({number, *frame});
        number = known->second;
    }
    m_stacks.emplace(event, std::pair(number, stack.end));
}

} // namespace helio
