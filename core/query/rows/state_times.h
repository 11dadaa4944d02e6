#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace helio {

/// Time that a row spent in each state, for any number of ranges.
///
/// Threads: to be used by one thread.
/// Cost: construction reads the row's intervals and takes about 30 ns for each. Memory: 24 bytes per interval.
class StateTimes {
public:
    /// If the row is not valid, no states are known.
    StateTimes(const Timeline& timeline, TrackRef row, std::stop_token stop = {});

    using Take = std::function<void(State state, std::uint32_t value, Duration time)>;
    /// Calls `take` with parts of the range's time; a state and value may come in several parts.
    /// Cost: two binary searches and a few ns for each interval in the range; if there are very many, for each distinct state and value of
    /// the row instead.
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
    /// Sums over all intervals before the interval `stay`.
    struct Checkpoint {
        std::size_t stay = 0;
        std::vector<Duration> sums; ///< Indexed by key; only keys met until then.
    };

    void add(const Interval& interval, std::uint32_t key);
    void takeRangeData(const Checkpoint& from, const Checkpoint& to, const Take& take) const;

    std::vector<Stay> m_stays; ///< In time order.
    std::vector<Key> m_keys;
    std::vector<Checkpoint> m_checkpoints;
    std::vector<Duration> m_sums; ///< Sums over all intervals, by key.
};

} // namespace helio
