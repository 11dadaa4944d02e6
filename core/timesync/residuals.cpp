#include "core/timesync/residuals.h"

#include "core/experiment/host_alignment.h"
#include "core/timesync/clock_changes.h"

#include <algorithm>
#include <span>
#include <utility>

namespace helio {
namespace {

/// Number of equal steps into which the time range is divided when residuals are thinned; each step keeps the residuals nearest to 0.
constexpr std::size_t Steps = 200;
constexpr std::size_t BoundSteps = 240;

bool isFoundFromMessages(const TimelineHost& host) { return host.method == ClockMethod::Packets || host.method == ClockMethod::Hypercalls; }

/// Returns the transit time of the message, which is positive in both directions if the clocks are right.
Duration wayOf(const Residual& it) { return it.isArrival ? -it.signedTransit : it.signedTransit; }

/// Appends `count` residuals of `from` to `to`: outliers first, then the residuals with the shortest transit times.
void keepNearest(std::span<Residual> from, std::size_t count, std::vector<Residual>& to)
{
    const auto rank = [](const Residual& it) { return std::pair(!it.isOutlier, wayOf(it)); };
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(from, end, {}, rank);
    to.insert(to.end(), from.begin(), end);
}

/// Reduces the points to about `most`. Divides the time range into steps; in each step, keeps outliers and the messages with the shortest
/// transit times, separately for arrivals and departures, because the shortest messages bound the clock most tightly.
void thin(std::vector<Residual>& points, std::size_t most)
{
    if (points.size() <= most)
        return;
    const Timestamp begin = points.front().at;
    const std::int64_t length = std::max<std::int64_t>((points.back().at - begin).count(), 1);
    std::vector<Residual> kept;
    std::vector<Residual> step;
    const auto keep = [&] {
        const std::size_t room = most / Steps;
        const auto behind = std::ranges::stable_partition(step, &Residual::isArrival);
        const std::span departures(behind.begin(), behind.end());
        const std::span arrivals(step.begin(), behind.begin());
        const std::size_t left = room - std::min(room / 2, departures.size());
        const std::size_t arriving = std::min(arrivals.size(), left);
        keepNearest(arrivals, arriving, kept);
        keepNearest(departures, std::min(departures.size(), room - arriving), kept);
        step.clear();
    };
    std::int64_t last = 0;
    for (const Residual& point : points) {
        const auto number =
            static_cast<std::int64_t>(static_cast<long double>((point.at - begin).count()) * Steps / static_cast<long double>(length + 1));
        if (number != last)
            keep();
        last = number;
        step.push_back(point);
    }
    keep();
    std::ranges::stable_sort(kept, {}, &Residual::at);
    points = std::move(kept);
}

/// Returns `other` minus `own`, limited to 2^61 ns to avoid overflow with arbitrary clocks of the user.
Duration distanceOf(Timestamp other, Timestamp own)
{
    __extension__ using Wide = __int128;
    constexpr std::int64_t Most = std::int64_t(1) << 61;
    return Duration(static_cast<std::int64_t>(std::clamp<Wide>(Wide(nanoseconds(other)) - nanoseconds(own), -Most, Most)));
}

Residual residualOf(const Timeline& timeline, const Transmission& message, std::uint32_t host)
{
    const TimelineTrace& to = timeline.traces[message.toTrace];
    const Timestamp sent = timeline.traces[message.fromTrace].clock(message.sent);
    const Timestamp received = to.clock(message.received);
    const bool isArrival = to.host == host;
    return isArrival ? Residual{received, distanceOf(sent, received), true} : Residual{sent, distanceOf(received, sent), false};
}

void addBounds(const Timeline& timeline, const ClockTransform& clock, HostRange span, Residuals& found)
{
    for (std::size_t i = 0; i <= BoundSteps; ++i) {
        const HostTimestamp at = span.begin + (span.end - span.begin) / std::int64_t(BoundSteps) * std::int64_t(i);
        found.bounds.push_back({timeline.hosts[found.host].clock(at), clock.errorAt(at)});
    }
}

void addFoundBounds(const Timeline& timeline, const HostClockPair& pair, Residuals& found)
{
    const ClockFit fit = pair.here == found.host ? pair.fit : inverse(pair.fit);
    if (const auto clock = ClockTransform::through(fit.points))
        addBounds(timeline, *clock, fit.span, found);
}

/// Adds the error bounds that the user or a clock file gave. Adds nothing if no bound is known, or if the bound is relative to another host
/// than the neighbour.
void addGivenBounds(const Timeline& timeline, Residuals& found)
{
    const TimelineHost& host = timeline.hosts[found.host];
    const Duration error = host.path.fit.error;
    if (error > Duration{} && error != Duration::max() && !found.points.empty() && found.neighbour == host.path.hosts.front())
        addBounds(timeline, host.clock, host.clock.inverse(TimeRange{found.points.front().at, found.points.back().at}), found);
}

} // namespace

Residuals computeResiduals(const Timeline& timeline, std::uint32_t host, std::size_t most, std::stop_token stop)
{
    Residuals found;
    found.host = host;
    const auto [compared, relation, neighbour] = findClockEvidence(timeline, host);
    if (!compared)
        return found;
    found.relation = relation;
    found.neighbour = neighbour;
    found.isOfClockOverride = !isFoundFromMessages(timeline.hosts[host]);
    const ClockOverride* given = found.isOfClockOverride ? givenOf(timeline, timeline.clockSettings, host) : nullptr;
    found.isFromFile = given && given->origin;
    const Transmissions& messages = *timeline.relations[relation]->messages;
    std::vector<bool> isOutlier(compared->messages.size());
    for (const std::uint32_t place : compared->pair.fit.outliers)
        isOutlier[place] = true;
    found.all = compared->messages.size();
    for (std::size_t i = 0; i < compared->messages.size() && !stop.stop_requested(); ++i) {
        Residual& point = found.points.emplace_back(residualOf(timeline, messages.all[compared->messages[i]], host));
        point.isOutlier = isOutlier[i];
        point.transmission = compared->messages[i];
        found.early += wayOf(point) < Duration{};
    }
    std::ranges::stable_sort(found.points, {}, &Residual::at);
    if (found.isOfClockOverride)
        addGivenBounds(timeline, found);
    else
        addFoundBounds(timeline, compared->pair, found);
    thin(found.points, most);
    return found;
}

} // namespace helio
