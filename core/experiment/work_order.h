#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// What is to be done next for the traces of an experiment: first their packets are found, of all of them, then they are indexed, then,
/// once all are, the analyses run that need others; of each kind of work, what is preferred comes first, then the order of the traces. When
/// nothing of all that is left, the relations are made, one by one, in their order.
///
/// Threads: guarded by its owner.
class WorkOrder {
public:
    struct Task {
        enum class Kind : std::uint8_t { Open, Index, Derive, Relate };
        Kind kind = Kind::Open;
        std::size_t index = 0; ///< Of the trace; of Relate: which relation.
    };

    WorkOrder(std::size_t traces, std::size_t relations)
        : m_states(traces, State::Begun)
        , m_relations(relations)
    {
    }

    /// From now on these come first, in this order.
    void prefer(std::vector<std::uint32_t> traces) { m_preferred = std::move(traces); }

    /// Something to do, which is then taken. Nothing: there is no more, or (mayCome()) nothing yet.
    std::optional<Task> take();

    /// Somebody is at work that more may follow for others: to be indexed, or derived. What relations follow, who is last makes.
    bool mayCome() const;

    /// All relations were taken.
    bool areRelationsTaken() const { return m_nextRelation == m_relations; }

    /// A taken task is done. `goesOn`: of Open, that the trace can be indexed; of Index, that there is more to derive.
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
