#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace helio {

using Duration = std::chrono::nanoseconds;

/// The one timeline every view shows: nanoseconds since the Unix epoch (or the clock's own zero where nothing
/// ties it to one), with every host's clock corrected.
struct ExperimentClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    static constexpr bool is_steady = true;
};

/// One host's own clock, before correction. A type of its own, so that a raw time cannot reach a view without
/// passing through a ClockTransform.
struct HostClock {
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    static constexpr bool is_steady = true;
};

using Timestamp = std::chrono::time_point<ExperimentClock, Duration>;
using HostTimestamp = std::chrono::time_point<HostClock, Duration>;

/// Half-open: `begin` belongs to the range, `end` does not. Adjacent ranges meet without overlap and without a gap.
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

/// Nanoseconds as a plain number, for output.
template <typename Time> constexpr std::int64_t nanoseconds(Time t) { return t.time_since_epoch().count(); }

/// The largest or the smallest one where it is beyond.
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
