#pragma once

#include "core/timesync/residuals.h"
#include "widgets/time/time_scale.h"

#include <QPointF>
#include <QRectF>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace helio {

/// From the foot of a plot to its top.
struct DistanceRange {
    Duration low{};
    Duration high{};
    bool contains(Duration it) const { return low <= it && it <= high; }
    bool operator==(const DistanceRange&) const = default;
};

/// Residuals laid over an area: the host's moments along it, and upwards how much later a packet reached it than it left the other host;
/// for those that went the other way, how much earlier it left than it was there, below 0. A value.
class ResidualScale {
public:
    ResidualScale() = default;
    /// `distances`: what foot and top stand for. Beyond them all is at the edge.
    ResidualScale(TimeRange window, DistanceRange distances, const QRectF& area);

    bool isValid() const { return m_x.isValid() && m_distances.low < m_distances.high; }
    const QRectF& area() const { return m_area; }
    TimeRange window() const { return m_x.window(); }
    const DistanceRange& distances() const { return m_distances; }
    Duration most() const { return std::max(std::chrono::abs(m_distances.low), std::chrono::abs(m_distances.high)); }
    const TimeScale& times() const { return m_x; }

    double xOf(Timestamp at) const { return m_area.left() + m_x.xAt(at); }
    double yOf(Duration distance) const;
    QPointF placeOf(const Residual& it) const { return {xOf(it.at), yOf(shown(it))}; }
    bool isCut(const Residual& it) const { return shown(it) < m_distances.low || shown(it) > m_distances.high; } ///< At the edge.

    /// Up: it took time from the other host to this one.
    static Duration shown(const Residual& it) { return -it.distance; }

    bool operator==(const ResidualScale&) const = default;

private:
    TimeScale m_x;
    DistanceRange m_distances;
    QRectF m_area;
};

/// All of the time that the residuals and their bounds are of. Empty: there are none.
TimeRange timesOf(const Residuals& residuals);

/// How far the scale has to go so that the bounds in the window are in view, and most of the packets there, as long as the corridor
/// between the bounds is still more than a line: as far down as up. Where a clock that was set by hand has all of them far from 0: most of
/// the packets, without 0.
DistanceRange distancesFor(const Residuals& residuals, TimeRange window);

/// The packet at a place, or the one that is nearest to it and at most so many pixels away.
std::optional<std::size_t> residualAt(const Residuals& residuals, const ResidualScale& scale, QPointF at, double most = 7);

/// Where the bounds are narrowest. Nothing: there are none, or they say nothing.
std::optional<ResidualBound> narrowestOf(const Residuals& residuals);

/// Round distances in the range, of which there are few: 0, 200, 400 µs and as many below.
std::vector<Duration> distanceTicks(DistanceRange range);

} // namespace helio
