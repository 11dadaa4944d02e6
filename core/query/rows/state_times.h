#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace helio {

/// Computes the time that a row spent in each state, for many ranges of one row.
///
/// Threads: to be used by one thread.
/// Cost: construction reads the row's intervals, about 30 ns for each.
/// Memory: 24 bytes per interval.
class StateTimes {
public:
    /// Reads the states of a row. If `row` is not valid, visit() finds no states.
    StateTimes(const Timeline& timeline, TrackRef row, std::stop_token stop = {});

    using Take = std::function<void(State state, std::uint32_t value, Duration time)>;
    /// Calls `take` with the time spent in each state and value within the range. A state and value may be passed several times; the caller
    /// adds up the times.
    /// Cost: two binary searches and a few ns for each interval in the range. For ranges with very many intervals, a few ns for each
    /// distinct state and value of the row instead.
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
    /// Times in each state and value, summed up over all intervals before the interval with index `stay`.
    struct Checkpoint {
        std::size_t stay = 0;
        std::vector<Duration> sums; ///< sums[i] is the time of m_keys[i]. Shorter than m_keys if keys first occur in later intervals.
    };

    void add(const Interval& interval, std::uint32_t key);
    void takeRangeData(const Checkpoint& from, const Checkpoint& to, const Take& take) const;

    std::vector<Stay> m_stays; ///< Intervals of the row, in time order.
    std::vector<Key> m_keys;
    std::vector<Checkpoint> m_checkpoints;
    std::vector<Duration> m_sums; ///< Times in each state and value, summed up over all intervals; indexed like m_keys.
};

} // namespace helio
