#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace helio {

/// How long a row was in which states, for any number of ranges.
///
/// One thread. Cost of making: as reading the row's intervals, and some 30 ns for each. Memory: 24 bytes an interval.
class StateTimes {
public:
    /// Of a row that is not valid no states are known.
    StateTimes(const Timeline& timeline, TrackRef row, std::stop_token stop = {});

    using Take = std::function<void(State state, std::uint32_t value, Duration time)>;
    /// Hands over parts of the range's time, a state and value in one or several of them. Cost: two binary searches and some ns for each
    /// state in the range; where there are very many, for each different one that the row has.
    void visit(TimeRange range, const Take& take) const;

private:
    struct Stay {
        TimeRange range;
        std::uint32_t key = 0;
    };
    struct Key {
        State state{};
        std::uint32_t value = 0;
    };
    /// The sums of all stays before one.
    struct Checkpoint {
        std::size_t stay = 0;
        std::vector<Duration> sums; ///< By key; of those that were met until then.
    };

    void add(const Interval& interval, std::uint32_t key);
    void takeWhole(const Checkpoint& from, const Checkpoint& to, const Take& take) const;

    std::vector<Stay> m_stays; ///< In time order.
    std::vector<Key> m_keys;
    std::vector<Checkpoint> m_checkpoints;
    std::vector<Duration> m_sums; ///< Of all stays, by key.
};

} // namespace helio
