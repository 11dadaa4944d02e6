#pragma once

#include "core/base/time.h"
#include "core/latency/periods/find_periods.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Property of intervals that repeats periodically.
enum class PeriodicProperty : std::uint8_t {
    Lengths, ///< Durations of intervals, which are near multiples of a period (plus an offset).
    Begins, ///< Begin times of intervals.
    Ends, ///< End times of intervals.
    GapBegins, ///< Begin times of gaps, in which no interval is active.
    GapEnds, ///< End times of gaps, in which no interval is active.
};

/// A period in the durations or the times of intervals.
struct Periodicity {
    PeriodicProperty of = PeriodicProperty::Lengths;
    Duration from{}; ///< Minimum duration of the intervals or gaps that were examined; 0 if all were examined.
    /// Number of intervals or gaps of at least `from`. If found.count is less, only some of them were searched: a random selection,
    /// or those in the range where the values are densest.
    std::uint64_t all = 0;
    FoundPeriod found;

    Duration period() const;
    /// Returns the phase in ns: for each integer n, values lie near phase() + n * period(). For durations, the phase is at least 0 and less
    /// than the period. For times, the phase is itself a time: the first time of this series at or after the first searched time.
    std::int64_t phase() const;
    /// Returns true if the interval is near phase() + n * period for an integer n. For periods of gaps, returns true if the interval
    /// ends where a gap begins, or begins where a gap ends, near such a point.
    bool has(TimeRange interval) const;
};

/// Searches for periods in a stream of intervals: in the durations of all intervals, in the start and end times of all intervals, of the
/// longest 10 % and of the longest 1 %, and in the start and end times of the longest 10 % of the gaps between intervals.
/// Threads: used by one thread.
/// Memory: 12 MB, for at most 262,144 randomly selected intervals (the same ones in each run), the 65,536 longest intervals, and as many
/// gaps.
/// Cost: about 20 ns for each interval, and up to 3 s in find() for many intervals.
class PeriodicityDetector {
public:
    /// Adds an interval. Intervals must be added in order of start times. An interval that ends before it begins counts as empty.
    void add(TimeRange interval);

    /// Returns the periods, the strongest first; empty if `stop` was requested. If one period is a multiple of another, only the stronger
    /// one is returned. The weaker one is returned too if it is shorter and covers at least twice as many intervals.
    /// A gap is a time without an active interval. A period of gaps is left out if its frequency is only a sum or difference of
    /// multiples of the frequencies of two periods of intervals.
    std::vector<Periodicity> find(std::stop_token stop = {}) const;

private:
    /// Keeps a part of the ranges that add() receives: a random sample of at most 262,144 ranges, and the 65,536 longest ranges.
    class RangeSample {
    public:
        void add(TimeRange range);
        const std::vector<TimeRange>& sample() const { return m_sample; }
        /// Returns the longest ranges, as many as the fraction `share` of all ranges; empty if these are fewer than 8.
        std::vector<TimeRange> longest(double share) const;
        std::uint64_t count() const { return m_count; }

    private:
        std::uint64_t m_count = 0;
        std::uint64_t m_dice = 0x9e3779b97f4a7c15;
        std::vector<TimeRange> m_sample;
        /// Contains the longest ranges. Once the vector has 2 * MostLongest ranges, the shorter half is removed.
        std::vector<TimeRange> m_longest;
    };

    RangeSample m_intervals;
    RangeSample m_gaps;
    Timestamp m_end = Timestamp::min(); ///< Latest end of the intervals added so far.
};

/// Returns a text about a period, for example "96 % of the 390 longest (100 ms and longer) end within 24.996 ms of 12:34:56.102 + n ×
/// 249.96 ms; 20 % expected by chance, p < 1/1000". `timeText` formats times.
std::string describePeriod(const Periodicity& period, const std::function<std::string(Timestamp)>& timeText);

/// Returns a duration as text with five digits, for example "249.96 ms".
std::string roundedDurationText(double ns);

} // namespace helio
