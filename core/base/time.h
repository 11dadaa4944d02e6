#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace helio {

using Duration = std::chrono::nanoseconds;

/// Time axis that all views show: ns since the Unix epoch, after the correction of every host's clock. If no clock of the experiment is
/// tied to the epoch, times count from the zero of the reference host's clock.
struct ExperimentClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    static constexpr bool is_steady = true;
};

/// Clock of one host before correction. HostClock is a separate type, so that uncorrected times cannot reach a view without a
/// ClockTransform.
struct HostClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    static constexpr bool is_steady = true;
};

using Timestamp = std::chrono::time_point<ExperimentClock, Duration>;
using HostTimestamp = std::chrono::time_point<HostClock, Duration>;

/// Half-open time range: `begin` belongs to the range, `end` does not. Adjacent ranges share a bound, without overlap or gap.
template <typename Time> struct Range {
    Time begin{};
    Time end{};

    Duration duration() const { return end - begin; }
    bool isEmpty() const { return end <= begin; }
    bool contains(Time t) const { return begin <= t && t < end; }
    bool overlaps(Range o) const { return begin < o.end && o.begin < end; }
    Range clippedTo(Range o) const { return {std::max(begin, o.begin), std::min(end, o.end)}; }
    bool operator==(const Range&) const = default;
};

using TimeRange = Range<Timestamp>;
using HostRange = Range<HostTimestamp>;

/// Returns the time as a plain number of ns, for output.
template <typename Time> constexpr std::int64_t nanoseconds(Time t) { return t.time_since_epoch().count(); }

/// Returns a + b; Duration::max() or Duration::min() if the sum overflows.
constexpr Duration sumOf(Duration a, Duration b)
{
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.count(), b.count(), &sum))
        return b < Duration{} ? Duration::min() : Duration::max();
    return Duration(sum);
}

constexpr HostTimestamp hostTime(std::int64_t ns) { return HostTimestamp(Duration(ns)); }
constexpr Timestamp timestamp(std::int64_t ns) { return Timestamp(Duration(ns)); }

} // namespace helio
