#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// Schedules the indexing tasks of an experiment. First the CTF packets of all traces are found, then the traces are indexed, and finally
/// the analyses run that need other analyses. Within each kind of task, preferred traces come first; all other traces follow in their
/// order. After all these tasks the correlators run one at a time, in their order.
///
/// Threads: not thread-safe; the owner synchronizes calls.
class IndexScheduler {
public:
    struct Task {
        enum class Kind : std::uint8_t { Open, Index, Derive, Relate };
        Kind kind = Kind::Open;
        std::size_t index = 0; ///< Index of the trace; for tasks of kind Relate, index of the correlator.
    };

    IndexScheduler(std::size_t traces, std::size_t relations)
        : m_states(traces, State::Begun)
        , m_relations(relations)
    {
    }

    /// Gives these traces priority over other traces from the next task on, in the order of the list.
    void prefer(std::vector<std::uint32_t> traces) { m_preferred = std::move(traces); }

    /// Returns the next task and marks it as running. Returns nullopt if no task is left. Also returns nullopt if the remaining tasks must
    /// wait for running tasks (mayUnlockTasks()); the caller then tries again when a task is done.
    std::optional<Task> take();

    /// True if a running task (Open or Index) may unlock further tasks for several threads. Tasks of kind Derive unlock only the
    /// correlators, which the thread with the last of these tasks runs itself.
    bool mayUnlockTasks() const;

    /// True if take() has returned all correlators.
    bool areRelationsTaken() const { return m_nextRelation == m_relations; }

    /// Marks a task as done. `goesOn`: after Open, true if the trace can be indexed; after Index, true if it needs Derive.
    void done(const Task& task, bool goesOn);

private:
    enum class State : std::uint8_t { Begun, Opening, Opened, Indexing, Indexed, Deriving, Done };
    std::optional<std::size_t> first(State state) const;
    std::optional<Task> takeRelation();

    std::vector<State> m_states;
    std::size_t m_relations;
    std::size_t m_nextRelation = 0;
    bool m_isRelating = false;
    std::vector<std::uint32_t> m_preferred;
};

} // namespace helio
