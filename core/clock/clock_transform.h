#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <memory>
#include <vector>

namespace helio {

class PiecewiseClock;

/// A moment for which the times of both clocks are known.
struct ClockPoint {
    HostTimestamp host;
    Timestamp experiment;
    Duration error{}; ///< Error bound of `experiment` in ns, in either direction.
    bool operator==(const ClockPoint&) const = default;
};

/// Returns the same moments with the roles of the clocks swapped.
std::vector<ClockPoint> inverse(std::vector<ClockPoint> points);

/// Conversion from one host's clock to the experiment's clock: the identity, a shift by an offset, or, if the clocks drift, straight lines
/// through points. Monotonic: a later host time never becomes earlier. Saturates at the ends of time: the smallest host time stays before
/// all times that a store may hold, on every clock. Copies share the lines.
///
/// Threads: any thread at once.
/// Cost: an addition for a shift; a binary search and a 128-bit division for lines.
class ClockTransform {
public:
    ClockTransform() = default;
    explicit ClockTransform(Duration offset)
        : m_offset(offset)
    {
    }

    /// Returns the piecewise linear conversion that passes exactly through all points. The first and the last line continue to the ends of
    /// time. One point gives a shift.
    /// Errors: Corrupt if there are no points, if points do not advance on both clocks, if an error is negative, or if one clock runs at
    /// more than twice the speed of the other.
    static Result<ClockTransform> through(std::vector<ClockPoint> points);

    Timestamp operator()(HostTimestamp t) const
    {
        return m_pieces ? convertPiecewise(t) : Timestamp(shifted(t.time_since_epoch(), m_offset));
    }
    /// Returns the first host time that is not before `t` on the experiment's clock. A host time is therefore in a range of the
    /// experiment's clock exactly if it is in the inverse range. The inverse of a converted host time is that time or 1 ns less, unless the
    /// conversion saturated.
    HostTimestamp inverse(Timestamp t) const
    {
        return m_pieces ? invertPiecewise(t) : HostTimestamp(shifted(t.time_since_epoch(), -m_offset));
    }
    TimeRange operator()(HostRange r) const { return {(*this)(r.begin), (*this)(r.end)}; }
    HostRange inverse(TimeRange r) const { return {inverse(r.begin), inverse(r.end)}; }

    /// Error bound in ns of the converted time, in either direction. 0 for a shift by an offset. Between two points it follows from their
    /// errors, provided that the clocks run evenly between them. Outside of the points it grows with the distance, by the change of
    /// speed that the points' errors allow.
    Duration errorAt(HostTimestamp t) const;

    /// Experiment time minus host time in ns; for lines, at the first point.
    Duration offset() const { return m_offset; }

    /// Returns this conversion with all experiment times later by `later`.
    ClockTransform shiftedBy(Duration later) const;

    /// Returns the composition: from this transform's host to the experiment's clock of `next`. Requires: this transform leads to the
    /// clock of the host of `next`. Error bounds add up.
    ClockTransform composedWith(const ClockTransform& next) const;

    /// True if the offsets are equal and the lines are shared. Transforms that were made separately from equal points compare unequal.
    bool operator==(const ClockTransform&) const = default;

    /// True if the host's clock may run faster or slower than the experiment's, so that durations differ between the two.
    bool drifts() const { return m_pieces && hasLines(); }

    /// Points that the lines pass through; empty for a shift by an exact offset.
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
    std::shared_ptr<const PiecewiseClock> m_pieces; ///< Lines; nullptr if the conversion is a shift by the exact `m_offset`.
};

} // namespace helio
