#include "core/experiment/index_scheduler.h"

#include <algorithm>

namespace helio {

std::optional<std::size_t> IndexScheduler::first(State state) const
{
    for (const std::uint32_t trace : m_preferred)
        if (trace < m_states.size() && m_states[trace] == state)
            return trace;
    const auto it = std::find(m_states.begin(), m_states.end(), state);
    return it == m_states.end() ? std::nullopt : std::optional(static_cast<std::size_t>(it - m_states.begin()));
}

std::optional<IndexScheduler::Task> IndexScheduler::take()
{
    // Kinds of tasks, in the order in which they are given out. While a preferred trace is still being opened, the calling thread does not
    // wait, but gets a task of another trace.
    struct Step {
        State waiting;
        State taken;
        Task::Kind kind;
    };
    constexpr Step Steps[] = {{State::Begun, State::Opening, Task::Kind::Open},
                              {State::Opened, State::Indexing, Task::Kind::Index},
                              {State::Indexed, State::Deriving, Task::Kind::Derive}};
    for (const Step& step : Steps) {
        if (step.kind == Task::Kind::Derive && mayUnlockTasks())
            return {}; // A task of kind Derive also reads the stores of other traces, so all traces must be indexed first.
        if (const auto trace = first(step.waiting)) {
            m_states[*trace] = step.taken;
            return Task{step.kind, *trace};
        }
    }
    return takeRelation();
}

std::optional<IndexScheduler::Task> IndexScheduler::takeRelation()
{
    if (m_isRelating || m_nextRelation == m_relations || std::ranges::any_of(m_states, [](State state) { return state != State::Done; }))
        return {};
    m_isRelating = true;
    return Task{Task::Kind::Relate, m_nextRelation++};
}

bool IndexScheduler::mayUnlockTasks() const
{
    return std::ranges::any_of(m_states, [](State state) { return state == State::Opening || state == State::Indexing; });
}

void IndexScheduler::done(const Task& task, bool goesOn)
{
    if (task.kind == Task::Kind::Relate) {
        m_isRelating = false;
        return;
    }
    const State next = task.kind == Task::Kind::Open ? State::Opened : State::Indexed;
    m_states[task.index] = goesOn && task.kind != Task::Kind::Derive ? next : State::Done;
}

} // namespace helio
