#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// The order of the indexing tasks of an experiment: first the packets of all traces are found, then the traces are indexed, and once all
/// are, the analyses run that need other analyses. Within each kind of task, preferred traces come first, then the order of the traces.
/// After all that the correlators run, one by one, in their order.
///
/// Threads: not thread-safe; the owner guards it.
class IndexScheduler {
public:
    struct Task {
        enum class Kind : std::uint8_t { Open, Index, Derive, Relate };
        Kind kind = Kind::Open;
        std::size_t index = 0; ///< Index of the trace; for Relate, of the correlator.
    };

    IndexScheduler(std::size_t traces, std::size_t relations)
        : m_states(traces, State::Begun)
        , m_relations(relations)
    {
    }

    /// Gives these traces priority over other traces from now on, in this order.
    void prefer(std::vector<std::uint32_t> traces) { m_preferred = std::move(traces); }

    /// Takes the next task. Empty if no task is left. Also empty while mayUnlockTasks(), if no task is ready yet.
    std::optional<Task> take();

    /// True if a running task may unlock more tasks: indexing or deriving. The thread that finishes last runs the correlators.
    bool mayUnlockTasks() const;

    /// True if all correlators were taken.
    bool areRelationsTaken() const { return m_nextRelation == m_relations; }

    /// Reports a taken task as done. `goesOn`: after Open, true if the trace can be indexed; after Index, true if there is more to derive.
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
