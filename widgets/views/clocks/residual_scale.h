#pragma once

#include "core/query/hosts/residuals.h"
#include "widgets/time/time_scale.h"

#include <QPointF>
#include <QRectF>

#include <cstddef>
#include <optional>
#include <vector>

namespace helio {

/// Residuals laid over an area: the host's moments along it, and upwards how much later a packet reached it than it left the other host;
/// for those that went the other way, how much earlier it left than it was there, below 0. A value.
class ResidualScale {
public:
    ResidualScale() = default;
    /// `most`: what the top stands for, as the foot stands for its opposite. Beyond it all is at the edge.
    ResidualScale(TimeRange window, Duration most, const QRectF& area);

    bool isValid() const { return m_x.isValid() && m_most > Duration{}; }
    const QRectF& area() const { return m_area; }
    TimeRange window() const { return m_x.window(); }
    Duration most() const { return m_most; }
    const TimeScale& times() const { return m_x; }

    double xOf(Timestamp at) const { return m_area.left() + m_x.xAt(at); }
    double yOf(Duration distance) const;
    QPointF placeOf(const Residual& it) const { return {xOf(it.at), yOf(shown(it))}; }
    bool isCut(const Residual& it) const { return std::chrono::abs(it.distance) > m_most; } ///< At the edge.

    /// Up: it took time from the other host to this one.
    static Duration shown(const Residual& it) { return -it.distance; }

    bool operator==(const ResidualScale&) const = default;

private:
    TimeScale m_x;
    Duration m_most{};
    QRectF m_area;
};

/// All of the time that the residuals and their bounds are of. Empty: there are none.
TimeRange timesOf(const Residuals& residuals);

/// How far up the scale has to go so that the bounds in the window are in view, and most of the packets there, as long as the corridor
/// between the bounds is still more than a line.
Duration heightFor(const Residuals& residuals, TimeRange window);

/// The packet at a place, or the one that is nearest to it and at most so many pixels away.
std::optional<std::size_t> residualAt(const Residuals& residuals, const ResidualScale& scale, QPointF at, double most = 7);

/// Where the bounds are narrowest. Nothing: there are none, or they say nothing.
std::optional<ResidualBound> narrowestOf(const Residuals& residuals);

/// Round distances from below to above 0, of which there are few: 0, 200, 400 µs and as many below.
std::vector<Duration> distanceTicks(Duration most);

} // namespace helio
