#include "core/experiment/work_order.h"

#include <algorithm>

namespace helio {

std::optional<std::size_t> WorkOrder::first(State state) const
{
    for (const std::uint32_t trace : m_preferred)
        if (trace < m_states.size() && m_states[trace] == state)
            return trace;
    const auto it = std::find(m_states.begin(), m_states.end(), state);
    return it == m_states.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - m_states.begin()));
}

std::optional<WorkOrder::Task> WorkOrder::take()
{
    if (const auto begun = first(State::Begun)) {
        m_states[*begun] = State::Opening;
        return Task{Task::Kind::Open, *begun};
    }
    // What is still being opened may be what is preferred, but a thread is better busy.
    if (const auto opened = first(State::Opened)) {
        m_states[*opened] = State::Done;
        return Task{Task::Kind::Index, *opened};
    }
    return {};
}

bool WorkOrder::isOpening() const { return std::find(m_states.begin(), m_states.end(), State::Opening) != m_states.end(); }

void WorkOrder::done(const Task& task, bool isGood)
{
    if (task.kind == Task::Kind::Open)
        m_states[task.trace] = isGood ? State::Opened : State::Done;
}

} // namespace helio
