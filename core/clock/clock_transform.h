#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <memory>
#include <vector>

namespace helio {

class PiecewiseClock;

/// A moment with its times on a host's clock and on the experiment's clock.
struct ClockPoint {
    HostTimestamp host;
    Timestamp experiment;
    Duration error{}; ///< Error bound of `experiment` in ns, in either direction.
    bool operator==(const ClockPoint&) const = default;
};

/// Returns the points with the roles of the two clocks swapped.
std::vector<ClockPoint> inverse(std::vector<ClockPoint> points);

/// Conversion from a host's clock to the experiment's clock: the identity, a shift by an offset, or, if the clocks drift, straight lines
/// through points. Monotonic: a later host time never becomes earlier. Results saturate at the limits of Timestamp. On every clock,
/// HostTimestamp::min() is converted to a time before all times that a store may contain. Copies share the lines.
///
/// Threads: any thread at once.
/// Cost: an addition for a shift; a binary search and a 128-bit division for a piecewise linear conversion.
class ClockTransform {
public:
    ClockTransform() = default;
    explicit ClockTransform(Duration offset)
        : m_offset(offset)
    {
    }

    /// Returns the piecewise linear conversion that passes exactly through all points. The first and the last line extend to the limits of
    /// time. A single point gives a shift.
    /// Errors: Corrupt if there are no points, if time does not increase from point to point on both clocks, if an error is negative, or if
    /// one clock runs at more than twice the speed of the other.
    static Result<ClockTransform> through(std::vector<ClockPoint> points);

    Timestamp operator()(HostTimestamp t) const
    {
        return m_piecewise ? convertPiecewise(t) : Timestamp(shifted(t.time_since_epoch(), m_offset));
    }
    /// Returns the first host time that is not before `t` on the experiment's clock. Consequently, a host time is in the inverse of a range
    /// exactly if its conversion is in the range. The inverse of a converted host time is that host time or 1 ns less, unless the
    /// conversion saturated.
    HostTimestamp inverse(Timestamp t) const
    {
        return m_piecewise ? invertPiecewise(t) : HostTimestamp(shifted(t.time_since_epoch(), -m_offset));
    }
    TimeRange operator()(HostRange r) const { return {(*this)(r.begin), (*this)(r.end)}; }
    HostRange inverse(TimeRange r) const { return {inverse(r.begin), inverse(r.end)}; }

    /// Returns the error bound in ns of the converted time, in either direction; 0 for a shift by an offset. Between two points, the bound
    /// follows from the points' errors, provided that the clocks run evenly there. Outside of the points, the bound grows with the
    /// distance, at the rate error that the points' errors allow.
    Duration errorAt(HostTimestamp t) const;

    /// Experiment time minus host time in ns; at the first point if the conversion is piecewise linear.
    Duration offset() const { return m_offset; }

    /// Returns a transform whose experiment times are larger by `later` than those of this transform. Returns an equal transform if times
    /// would exceed the limits of Timestamp.
    ClockTransform shiftedBy(Duration later) const;

    /// Returns the composition: from the host clock of this transform to the experiment's clock of `next`. Error bounds add up. Requires:
    /// `next` converts from the clock that this transform converts to.
    ClockTransform composedWith(const ClockTransform& next) const;

    /// True if the offsets are equal and both transforms are copies that share their lines. Transforms that were made separately from equal
    /// points compare unequal.
    bool operator==(const ClockTransform&) const = default;

    /// True if the host's clock may run faster or slower than the experiment's, so that durations differ between the two.
    bool drifts() const { return m_piecewise && hasLines(); }

    /// Points that the lines pass through; empty for a shift by an exact offset without error.
    std::vector<ClockPoint> points() const;

private:
    static Duration shifted(Duration t, Duration by)
    {
        std::int64_t sum = 0;
        if (__builtin_add_overflow(t.count(), by.count(), &sum))
            return by < Duration{} ? Duration::min() : Duration::max();
        return Duration(sum);
    }
    bool hasLines() const;
    Timestamp convertPiecewise(HostTimestamp t) const;
    HostTimestamp invertPiecewise(Timestamp t) const;

    Duration m_offset{};
    /// Piecewise linear conversion; nullptr if the conversion is a shift by exactly `m_offset`.
    std::shared_ptr<const PiecewiseClock> m_piecewise;
};

} // namespace helio
