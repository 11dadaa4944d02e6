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
    Lengths, ///< Durations are near multiples of a period (plus an offset).
    Begins, ///< Begin times of intervals.
    Ends, ///< End times of intervals.
    GapBegins, ///< Begin times of gaps, in which no interval is active.
    GapEnds, ///< End times of gaps, in which no interval is active.
};

/// A period in the durations or the times of intervals.
struct Periodicity {
    PeriodicProperty of = PeriodicProperty::Lengths;
    Duration from{}; ///< Minimum duration of the intervals or gaps that were examined; 0 if all were examined.
    /// Number of intervals or gaps of at least `from`. If found.count is less, only a part of them was searched: a sample, or the
    /// times where they are densest.
    std::uint64_t all = 0;
    FoundPeriod found;

    Duration period() const;
    /// Returns the first point at which the values gather, in ns: for durations the shortest such duration, for times the earliest such
    /// time after the first interval.
    std::int64_t phase() const;
    /// Returns true if the interval is near phase + n * period. For periods of gaps, true if the interval ends where a gap begins, or
    /// begins where a gap ends, near such a point.
    bool has(TimeRange piece) const;
};

/// Searches for periods in a stream of intervals. Examines the durations, begins and ends of all intervals, the begins and ends of the
/// longest 10 % and 1 % of the intervals, and the begins and ends of the longest 10 % of the gaps between intervals.
/// Threads: used by one thread.
/// Memory: 12 MB, for at most 262,144 intervals (a sample that is the same in each run), the 65,536 longest intervals, and as many gaps.
/// Cost: about 20 ns for each interval, and up to 3 s in find() for many intervals.
class PeriodicityDetector {
public:
    /// Adds an interval. Intervals must be added in order of begin times. An interval that ends before it begins counts as empty.
    void add(TimeRange piece);

    /// Returns the periods, the strongest first. Among equal periods and their multiples, only the strongest is returned, and also a
    /// shorter one if it covers more than twice as many intervals. A period of gaps is left out if two periods of intervals explain it.
    /// Returns an empty vector if `stop` was requested.
    std::vector<Periodicity> find(std::stop_token stop = {}) const;

private:
    /// A random sample of ranges, and the longest ranges.
    class RangeSample {
    public:
        void add(TimeRange range);
        const std::vector<TimeRange>& sample() const { return m_sample; }
        /// Returns the longest ranges, a fraction `share` of all; empty if that are too few ranges.
        std::vector<TimeRange> longest(double share) const;
        std::uint64_t count() const { return m_count; }

    private:
        std::uint64_t m_count = 0;
        std::uint64_t m_dice = 0x9e3779b97f4a7c15;
        std::vector<TimeRange> m_sample;
        std::vector<TimeRange> m_longest; ///< The longest ranges; also shorter ones until the vector is full.
    };

    RangeSample m_pieces;
    RangeSample m_gaps;
    Timestamp m_end = Timestamp::min(); ///< Latest end of the intervals added so far.
};

/// Returns a text about a period, for example "96 % of the 390 longest (100 ms and longer) end within 25 ms of 12:34:56.102 + n × 249.96
/// ms". `timeText` formats times.
std::string describePeriod(const Periodicity& period, const std::function<std::string(Timestamp)>& timeText);

/// Returns a duration as text with five digits, for example "249.96 ms".
std::string roundedDurationText(double ns);

} // namespace helio
