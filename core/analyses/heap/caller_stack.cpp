#include "core/analyses/heap/caller_stack.h"

namespace helio::heap {

void CallerStack::enter(const RecordedFunction& function)
{
    if (m_calls.enter(function.source, function.key))
        m_callers.push_back({function.frame, NoStack});
}

void CallerStack::leave(std::uint16_t source, bool hasKey, std::uint64_t key)
{
    m_callers.resize(m_callers.size() - m_calls.leave(source, hasKey, key).closed);
}

void CallerStack::clear()
{
    m_calls.clear();
    m_callers.clear();
}

StackId CallerStack::stack(StackSink& stacks)
{
    std::size_t known = m_callers.size();
    while (known > 0 && m_callers[known - 1].stack == NoStack)
        --known;
    StackId stack = known > 0 ? m_callers[known - 1].stack : NoStack;
    for (; known < m_callers.size(); ++known)
        stack = m_callers[known].stack = stacks.stack(stack, m_callers[known].frame);
    return stack;
}

} // namespace helio::heap
