#pragma once

#include "core/base/result.h"
#include "core/base/time.h"

#include <memory>
#include <vector>

namespace helio {

class ClockPieces;

/// A moment that both clocks are known of.
struct ClockPoint {
    HostTimestamp host;
    Timestamp experiment;
    Duration error{}; ///< The experiment's time is right within this, either way.
    bool operator==(const ClockPoint&) const = default;
};

/// The same moments from the other clock to this one.
std::vector<ClockPoint> inverse(std::vector<ClockPoint> points);

/// From one host's clock to the experiment's: the same time, one that is shifted, or, for clocks that drift, straight lines through points.
/// Later never becomes earlier. Saturates at the ends of time: "from the beginning" stays before all that a store may hold, on every clock.
///
/// Threads: any at once. Cost: of a shift one addition; of lines a search among them, and a division of 128 bits. Copies share the lines.
class ClockTransform {
public:
    ClockTransform() = default;
    explicit ClockTransform(Duration offset)
        : m_offset(offset)
    {
    }

    /// Exactly through all points, on straight lines between them; the first and the last line go on to the ends of time. One point is a
    /// shift. Corrupt: no points, points that do not go forward on both clocks, a negative error, or one clock that runs at more than twice
    /// the other's speed.
    static Result<ClockTransform> through(std::vector<ClockPoint> points);

    Timestamp operator()(HostTimestamp t) const { return m_pieces ? byPieces(t) : Timestamp(shifted(t.time_since_epoch(), m_offset)); }
    /// The first host time that is not before `t` on the experiment's clock: a host's time is in a range of the experiment's exactly if
    /// it is in the inverse range. From a host's time and back it is the same or one nanosecond less, where time did not saturate.
    HostTimestamp inverse(Timestamp t) const
    {
        return m_pieces ? inverseByPieces(t) : HostTimestamp(shifted(t.time_since_epoch(), -m_offset));
    }
    TimeRange operator()(HostRange r) const { return {(*this)(r.begin), (*this)(r.end)}; }
    HostRange inverse(TimeRange r) const { return {inverse(r.begin), inverse(r.end)}; }

    /// What the experiment's time is right within, either way: of a shift by itself nothing; between points what follows from theirs,
    /// where the clocks run evenly from one to the next; outside of them it grows with the distance, as far as their errors allow
    /// another speed.
    Duration errorAt(HostTimestamp t) const;

    /// The experiment's time less the host's; of lines, at the first point.
    Duration offset() const { return m_offset; }

    /// The same, all of the experiment's times later by so much.
    ClockTransform shiftedBy(Duration later) const;

    /// From this one's host to the experiment's clock of `next`, whose host's clock this one leads to: times go through both, errors add
    /// up.
    ClockTransform followedBy(const ClockTransform& next) const;

    /// The same by construction: two that were made by themselves of equal lines are not found to be equal.
    bool operator==(const ClockTransform&) const = default;

    /// It may run faster or slower than the experiment's: what lasts on it lasts another time there.
    bool drifts() const { return m_pieces && hasLines(); }

    /// Those that its lines go through; none of a shift that is exact.
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
    Timestamp byPieces(HostTimestamp t) const;
    HostTimestamp inverseByPieces(Timestamp t) const;

    Duration m_offset{};
    std::shared_ptr<const ClockPieces> m_pieces; ///< Null: a shift that is exact.
};

} // namespace helio
