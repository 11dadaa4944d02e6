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

/// The property of intervals that repeats.
enum class PeriodicProperty : std::uint8_t {
    Lengths, ///< Durations gather at equidistant values.
    Begins, ///< Intervals begin regularly.
    Ends, ///< Intervals end regularly.
    GapBegins, ///< Gaps without intervals begin regularly.
    GapEnds, ///< Gaps without intervals end regularly.
};

/// A period in the durations or in the times of intervals.
struct Periodicity {
    PeriodicProperty of = PeriodicProperty::Lengths;
    Duration from{}; ///< Minimum duration of the intervals or gaps examined; 0 for all of them.
    /// Count of these intervals or gaps. If found.count is less, the period was found in a part of them: in a sample, or where they are
    /// densest.
    std::uint64_t all = 0;
    FoundPeriod found;

    Duration period() const;
    /// For durations, the shortest value at which they gather, in ns. For times, the first time after the first interval at which they
    /// gather, in ns.
    std::int64_t phase() const;
    /// True if the interval is near phase + n * period. For gaps, true if the interval ends or begins there.
    bool has(TimeRange piece) const;
};

/// Searches for periods in a stream of intervals. Examines durations, beginnings and ends of all intervals, beginnings and ends of the
/// longest 10 % and 1 % of them, and beginnings and ends of the longest 10 % of the gaps without intervals.
/// Threads: to be used by one thread.
/// Memory: 12 MB. Keeps at most 262,144 intervals, a sample that is the same in each run, and the 65,536 longest ones; likewise for gaps.
/// Cost: about 20 ns for each interval, and up to 3 s in find() for many intervals.
class PeriodicityDetector {
public:
    /// Adds an interval. Intervals must be added in the order of their beginnings. An interval with its end before its beginning counts as
    /// empty.
    void add(TimeRange piece);

    /// Returns the periods, the strongest first. Of equal periods and multiples, only the strongest is returned; a shorter one is returned,
    /// too, if it covers more than twice as many intervals. A period of gaps is left out if two periods of intervals explain it. Returns an
    /// empty vector if `stop` was requested.
    std::vector<Periodicity> find(std::stop_token stop = {}) const;

private:
    /// A sample of ranges, and the longest ranges.
    class RangeSample {
    public:
        void add(TimeRange range);
        const std::vector<TimeRange>& sample() const { return m_sample; }
        /// Returns the longest ranges, `share` of all; empty if they are too few.
        std::vector<TimeRange> longest(double share) const;
        std::uint64_t count() const { return m_count; }

    private:
        std::uint64_t m_count = 0;
        std::uint64_t m_dice = 0x9e3779b97f4a7c15;
        std::vector<TimeRange> m_sample;
        std::vector<TimeRange> m_longest; ///< Also contains shorter ranges until there are many.
    };

    RangeSample m_pieces;
    RangeSample m_gaps;
    Timestamp m_end = Timestamp::min(); ///< Latest end so far.
};

/// Describes a period, for example "96 % of the 390 longest (100 ms and longer) end within 25 ms of 12:34:56.102 + n x 249.96 ms".
/// `timeText` formats times.
std::string describePeriod(const Periodicity& period, const std::function<std::string(Timestamp)>& timeText);

/// Returns a duration with five digits, for example "249.96 ms".
std::string roundedDurationText(double ns);

} // namespace helio
