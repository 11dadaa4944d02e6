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

/// Range of residuals on the y axis, from bottom to top.
struct DistanceRange {
    Duration low{};
    Duration high{};
    bool contains(Duration it) const { return low <= it && it <= high; }
    bool operator==(const DistanceRange&) const = default;
};

/// Maps residuals to positions in an area. x is the time at the host. y is the transit time: positive for packets from the other host,
/// negative for packets to the other host.
class ResidualScale {
public:
    ResidualScale() = default;
    /// `distances`: range of the y axis; values outside are drawn at the edge.
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
    /// True if the residual is outside of the y axis and is drawn at the edge.
    bool isCut(const Residual& it) const { return shown(it) < m_distances.low || shown(it) > m_distances.high; }

    /// Returns the value on the y axis: the transit time of a packet from the other host, or the negated transit time of a packet to the
    /// other host.
    static Duration shown(const Residual& it) { return -it.signedTransit; }

    bool operator==(const ResidualScale&) const = default;

private:
    TimeScale m_x;
    DistanceRange m_distances;
    QRectF m_area;
};

/// Returns the time range that contains all residuals and bounds; empty if there are none.
TimeRange timesOf(const Residuals& residuals);

/// Returns the range of the y axis for the packets in `window`:
/// - normally, a range symmetric around 0 with the error bounds and most packets
/// - a smaller range with fewer packets, if the error bounds would otherwise be as close together as a line
/// - a range with most packets but without 0, if a clock was set by hand and all packets are far from 0
DistanceRange computeDistanceRange(const Residuals& residuals, TimeRange window);

/// Returns the index of the packet nearest to `at`, at most `most` pixels away; nullopt if there is none.
std::optional<std::size_t> findResidual(const Residuals& residuals, const ResidualScale& scale, QPointF at, double most = 7);

/// Returns the bound with the smallest error; nullopt if there are no bounds or only infinite ones.
std::optional<ResidualBound> findNarrowestBound(const Residuals& residuals);

/// Returns a few round values in the range for axis labels, e.g. 0, ±200 and ±400 µs.
std::vector<Duration> distanceTicks(DistanceRange range);

} // namespace helio
