#include "core/timesync/clock_changes.h"

#include "core/experiment/clock_settings.h"
#include "core/experiment/host_alignment.h"

#include <algorithm>

namespace helio {
namespace {

__extension__ using Int128 = __int128;

/// Limit of times in ns, larger than times of real clocks and small enough that sums of two times do not overflow.
constexpr std::int64_t Farthest = std::int64_t(1) << 61;

Timestamp later(Timestamp at, Duration by)
{
    return timestamp(static_cast<std::int64_t>(std::clamp<Int128>(Int128(nanoseconds(at)) + by.count(), -Farthest, Farthest)));
}

bool isNear(Timestamp at, Duration by) { return later(later(at, by), -by) == at; }

void forget(const Timeline& timeline, ClockSettings& choice, std::uint32_t host)
{
    choice.hosts.erase(timeline.hosts[host].id);
    choice.hosts.erase(timeline.hosts[host].label);
}

ClockSettings withGiven(const Timeline& timeline, ClockSettings choice, std::uint32_t host, ClockOverride given)
{
    if (host == timeline.reference)
        return choice;
    forget(timeline, choice, host);
    choice.hosts[timeline.hosts[host].id] = std::move(given);
    return choice;
}

} // namespace

const ClockOverride* givenOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host)
{
    return findOverride(timeline.hosts[host], choice.hosts);
}

ClockLine lineOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host)
{
    const HostTimestamp middle = middleOfHost(timeline, host);
    const ClockLine asItIs{middle, timestamp(nanoseconds(middle)), 0};
    if (host == timeline.reference)
        return asItIs;
    if (const ClockOverride* given = givenOf(timeline, choice, host))
        return given->line.value_or(asItIs);
    const HostClockPath& path = timeline.hosts[host].path;
    return !path.hosts.empty() && timeline.appliesClocks ? path.fit.line : asItIs;
}

namespace {

/// Returns the host's current clock with all its segments: the clock that the user set, else the computed clock.
ClockOverride clockNow(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host)
{
    ClockOverride now{lineOf(timeline, choice, host)};
    const ClockOverride* given = givenOf(timeline, choice, host);
    if (given && given->line)
        return *given;
    const TimelineHost& it = timeline.hosts[host];
    if (host == timeline.reference)
        now.error = {};
    if (given || host == timeline.reference || !timeline.appliesClocks || it.path.hosts.empty())
        return now;
    now.error = it.path.fit.lineError;
    now.points = it.clock.points();
    now.isBent = !it.path.fit.intervals.empty();
    return now;
}

/// Returns the time on the reference's clock in the middle of the host's traces.
Timestamp middleNow(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host)
{
    const HostTimestamp middle = middleOfHost(timeline, host);
    const ClockOverride now = clockNow(timeline, choice, host);
    const auto clock = ClockTransform::through(now.points);
    return clock ? (*clock)(middle) : (*now.line)(middle);
}

} // namespace

Duration offsetOf(const Timeline& timeline, const ClockSettings& choice, std::uint32_t host)
{
    return middleNow(timeline, choice, host).time_since_epoch() - middleOfHost(timeline, host).time_since_epoch();
}

ClockSettings withMoment(const Timeline& timeline, ClockSettings choice, std::uint32_t host, HostTimestamp at, Timestamp is)
{
    const std::int64_t gain = lineOf(timeline, choice, host).gain;
    return withGiven(timeline, std::move(choice), host, {ClockLine{at, is, gain}});
}

ClockSettings withOffset(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration offset)
{
    const HostTimestamp middle = middleOfHost(timeline, host);
    return withMoment(timeline, std::move(choice), host, middle, later(timestamp(nanoseconds(middle)), offset));
}

ClockSettings shifted(const Timeline& timeline, ClockSettings choice, std::uint32_t host, Duration by)
{
    ClockOverride now = clockNow(timeline, choice, host);
    const bool isBent = now.isBent && std::ranges::all_of(now.points, [&](const ClockPoint& it) { return isNear(it.experiment, by); });
    if (!isBent) {
        const Timestamp is = later(middleNow(timeline, choice, host), by);
        return withMoment(timeline, std::move(choice), host, middleOfHost(timeline, host), is);
    }
    now.line->is = later(now.line->is, by);
    now.error = Duration::max(); // The user moved the clock by hand, so its error is unknown.
    now.origin.reset();
    for (ClockPoint& point : now.points)
        point = {point.host, point.experiment + by, Duration::max()};
    return withGiven(timeline, std::move(choice), host, std::move(now));
}

ClockSettings withGain(const Timeline& timeline, ClockSettings choice, std::uint32_t host, std::int64_t gain)
{
    const ClockLine line{middleOfHost(timeline, host), middleNow(timeline, choice, host), gain};
    return withGiven(timeline, std::move(choice), host, {line});
}

ClockSettings withRawTimes(const Timeline& timeline, ClockSettings choice, std::uint32_t host)
{
    return withGiven(timeline, std::move(choice), host, {});
}

ClockSettings withoutClockOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t host)
{
    forget(timeline, choice, host);
    return choice;
}

ClockSettings withReference(const Timeline& timeline, ClockSettings choice, std::uint32_t host)
{
    const std::uint32_t before = timeline.reference;
    if (host == before)
        return choice;
    const ClockOverride back = inverse(clockNow(timeline, choice, host));
    const ClockOverride* given = givenOf(timeline, choice, host);
    // New clock of the former reference host, relative to the new reference; nullopt if the user has not set the clock of `host`.
    std::optional<ClockOverride> turned;
    if (given)
        turned = given->line ? back : ClockOverride{};
    forget(timeline, choice, host);
    forget(timeline, choice, before);
    for (auto& [name, it] : choice.hosts)
        it = composed(it, back);
    if (turned)
        choice.hosts[timeline.hosts[before].id] = *turned;
    choice.reference = timeline.hosts[host].id;
    return choice;
}

namespace {

std::string namesIn(const ClockSettings& choice)
{
    std::string names = choice.reference;
    for (const auto& [name, given] : choice.hosts)
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

} // namespace

std::optional<ClockSettings> onAvailableClock(const Timeline& timeline, const ClockSettings& more)
{
    const auto isHere = [&](const std::string& name) { return findHostByName(timeline, name).has_value(); };
    const auto anyIsHere = [&](const auto& named) { return std::ranges::any_of(named, [&](const auto& it) { return isHere(it.first); }); };
    if (more.reference.empty() ? anyIsHere(more.hosts) || anyIsHere(more.guests) : isHere(more.reference))
        return more;
    const std::string* best = nullptr;
    for (const auto& [name, given] : more.hosts)
        if (given.line && isHere(name) && (!best || findHostByName(timeline, name) == timeline.reference))
            best = &name;
    if (!best && anyIsHere(more.guests))
        return ClockSettings{{}, {}, more.guests};
    return best ? onClockOf(*best, more) : std::nullopt;
}

Result<ClockSettings> withAll(const Timeline& timeline, ClockSettings choice, const ClockSettings& more)
{
    const auto theirs = onAvailableClock(timeline, more);
    if (!theirs)
        return Error{Error::Kind::NotFound, "none of its hosts is open: " + namesIn(more)};
    std::uint32_t reference = timeline.reference;
    if (const auto host = findHostByName(timeline, theirs->reference)) {
        choice = withReference(timeline, std::move(choice), *host);
        reference = *host;
    }
    for (const auto& [name, given] : theirs->hosts) {
        const auto host = findHostByName(timeline, name);
        if (!host || *host == reference)
            continue;
        forget(timeline, choice, *host);
        choice.hosts[timeline.hosts[*host].id] = given;
    }
    for (const auto& [name, guest] : theirs->guests)
        if (const auto host = findHostByName(timeline, name)) {
            choice.guests.erase(timeline.hosts[*host].label);
            choice.guests[timeline.hosts[*host].id] = guest;
        }
    return choice;
}

Timestamp convertTimeBetween(const Timeline& timeline, const Timeline& from, Timestamp at)
{
    const std::uint32_t reference = timeline.reference;
    if (reference == from.reference || reference >= from.hosts.size() || from.hosts[reference].id != timeline.hosts[reference].id)
        return at;
    return timestamp(nanoseconds(from.hosts[reference].clock.inverse(at)));
}

} // namespace helio
