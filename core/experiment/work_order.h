#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// What is to be done next for the traces of an experiment: first their packets are found, of all of them, then they are indexed; of each
/// kind of work, what is preferred comes first, then the order of the traces.
///
/// Threads: guarded by its owner.
class WorkOrder {
public:
    struct Task {
        enum class Kind : std::uint8_t { Open, Index };
        Kind kind = Kind::Open;
        std::size_t trace = 0;
    };

    explicit WorkOrder(std::size_t traces)
        : m_states(traces, State::Begun)
    {
    }

    /// From now on these come first, in this order.
    void prefer(std::vector<std::uint32_t> traces) { m_preferred = std::move(traces); }

    /// Something to do, which is then taken. Nothing: there is no more, or (isOpening()) nothing yet.
    std::optional<Task> take();

    /// Somebody is finding packets: there will be something to index.
    bool isOpening() const;

    /// A taken task is done. `isGood`: of Open, that the trace can be indexed.
    void done(const Task& task, bool isGood);

private:
    enum class State : std::uint8_t { Begun, Opening, Opened, Done };
    std::optional<std::size_t> first(State state) const;

    std::vector<State> m_states;
    std::vector<std::uint32_t> m_preferred;
};

} // namespace helio
