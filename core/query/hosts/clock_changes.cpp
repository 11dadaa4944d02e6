#include "core/query/hosts/clock_changes.h"

#include "core/experiment/host_alignment.h"
#include "core/query/hosts/host_range.h"

#include <algorithm>

namespace helio {
namespace {

__extension__ using Int128 = __int128;

/// Times beyond are no computer's: sums of two such do not overflow.
constexpr std::int64_t Farthest = std::int64_t(1) << 61;

Timestamp later(Timestamp at, Duration by)
{
    return timestamp(static_cast<std::int64_t>(std::clamp<Int128>(Int128(nanoseconds(at)) + by.count(), -Farthest, Farthest)));
}

void forget(const Timeline& timeline, ClockChoice& choice, std::uint32_t host)
{
    choice.hosts.erase(timeline.hosts[host].id);
    choice.hosts.erase(timeline.hosts[host].label);
}

ClockChoice withGiven(const Timeline& timeline, ClockChoice choice, std::uint32_t host, GivenClock given)
{
    if (host == timeline.reference)
        return choice;
    forget(timeline, choice, host);
    choice.hosts[timeline.hosts[host].id] = std::move(given);
    return choice;
}

} // namespace

HostTimestamp middleOf(const Timeline& timeline, std::uint32_t host)
{
    const HostRange range = rangeOfHost(timeline, host);
    return range.begin + (range.end - range.begin) / 2;
}

const GivenClock* givenOf(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host)
{
    for (const std::string* name : {&timeline.hosts[host].id, &timeline.hosts[host].label})
        if (const auto found = choice.hosts.find(*name); found != choice.hosts.end())
            return &found->second;
    return nullptr;
}

bool isSetByHand(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host)
{
    const GivenClock* given = givenOf(timeline, choice, host);
    return given && given->line;
}

ClockLine lineOf(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host)
{
    const HostTimestamp middle = middleOf(timeline, host);
    const ClockLine asItIs{middle, timestamp(nanoseconds(middle)), 0};
    if (host == timeline.reference)
        return asItIs;
    if (const GivenClock* given = givenOf(timeline, choice, host))
        return given->line.value_or(asItIs);
    const HostPath& path = timeline.hosts[host].path;
    return path.isReached && !path.hosts.empty() && timeline.takesClocks ? path.fit.line : asItIs;
}

namespace {

/// Where the middle of its traces is: on its line, or, where it was found, on as many pieces as that took.
Timestamp middleNow(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host)
{
    const HostTimestamp middle = middleOf(timeline, host);
    const bool isFound = host != timeline.reference && !givenOf(timeline, choice, host) && timeline.takesClocks;
    return isFound ? timeline.hosts[host].clock(middle) : lineOf(timeline, choice, host)(middle);
}

} // namespace

Duration offsetOf(const Timeline& timeline, const ClockChoice& choice, std::uint32_t host)
{
    return middleNow(timeline, choice, host).time_since_epoch() - middleOf(timeline, host).time_since_epoch();
}

ClockChoice withMoment(const Timeline& timeline, ClockChoice choice, std::uint32_t host, HostTimestamp at, Timestamp is)
{
    const std::int64_t gain = lineOf(timeline, choice, host).gain;
    return withGiven(timeline, std::move(choice), host, {ClockLine{at, is, gain}, {}});
}

ClockChoice withOffset(const Timeline& timeline, ClockChoice choice, std::uint32_t host, Duration offset)
{
    const HostTimestamp middle = middleOf(timeline, host);
    return withMoment(timeline, std::move(choice), host, middle, later(timestamp(nanoseconds(middle)), offset));
}

ClockChoice shifted(const Timeline& timeline, ClockChoice choice, std::uint32_t host, Duration by)
{
    const Timestamp is = later(middleNow(timeline, choice, host), by);
    return withMoment(timeline, std::move(choice), host, middleOf(timeline, host), is);
}

ClockChoice withGain(const Timeline& timeline, ClockChoice choice, std::uint32_t host, std::int64_t gain)
{
    const ClockLine line{middleOf(timeline, host), middleNow(timeline, choice, host), gain};
    return withGiven(timeline, std::move(choice), host, {line, {}});
}

ClockChoice withRawTimes(const Timeline& timeline, ClockChoice choice, std::uint32_t host)
{
    return withGiven(timeline, std::move(choice), host, {});
}

ClockChoice asFound(const Timeline& timeline, ClockChoice choice, std::uint32_t host)
{
    forget(timeline, choice, host);
    return choice;
}

namespace {

/// From the host's clock to the reference's, as a person gave it. Nothing: no clock goes through its points.
std::optional<ClockTransform> transformOf(const GivenClock& given)
{
    constexpr Duration Apart = std::chrono::hours(24);
    std::vector<ClockPoint> points = given.points;
    if (points.empty())
        for (const Duration at : {-Apart, Apart})
            points.push_back({given.line->at + at, (*given.line)(given.line->at + at), given.error});
    const auto clock = ClockTransform::through(std::move(points));
    return clock ? std::optional(*clock) : std::nullopt;
}

/// From the reference's clock to the host's.
GivenClock turned(const GivenClock& given)
{
    GivenClock back = given;
    back.line = inverse(*given.line);
    for (ClockPoint& it : back.points)
        it = {hostTime(nanoseconds(it.experiment)), timestamp(nanoseconds(it.host)), it.error};
    return back;
}

/// A host's clock, on the reference's, on a third one: by its points where it or the other one has any.
GivenClock onOther(const GivenClock& given, const GivenClock& other)
{
    GivenClock all = given;
    all.line = composed(*given.line, *other.line);
    if (given.points.empty() && other.points.empty())
        return all;
    const auto first = transformOf(given);
    const auto second = transformOf(other);
    if (!first || !second)
        return all;
    all.points = first->followedBy(*second).points();
    all.isBent = given.isBent || other.isBent;
    return all;
}

} // namespace

ClockChoice withReference(const Timeline& timeline, ClockChoice choice, std::uint32_t host)
{
    const std::uint32_t before = timeline.reference;
    if (host == before)
        return choice;
    const GivenClock* given = givenOf(timeline, choice, host);
    const GivenClock back = given && given->line ? turned(*given) : GivenClock{inverse(lineOf(timeline, choice, host))};
    std::optional<GivenClock> former; // What is said of the reference so far.
    if (given)
        former = given->line ? back : GivenClock{};
    forget(timeline, choice, host);
    forget(timeline, choice, before);
    for (auto& [name, it] : choice.hosts)
        if (it.line)
            it = onOther(it, back);
    if (former)
        choice.hosts[timeline.hosts[before].id] = *former;
    choice.reference = timeline.hosts[host].id;
    return choice;
}

ClockChoice withAll(const Timeline& timeline, ClockChoice choice, const ClockChoice& more)
{
    std::uint32_t reference = timeline.reference;
    if (const auto host = hostNamed(timeline, more.reference)) {
        choice = withReference(timeline, std::move(choice), *host);
        reference = *host;
    }
    for (const auto& [name, given] : more.hosts) {
        const auto host = hostNamed(timeline, name);
        if (!host || *host == reference)
            continue;
        forget(timeline, choice, *host);
        choice.hosts[timeline.hosts[*host].id] = given;
    }
    return choice;
}

Timestamp movedTo(const Timeline& timeline, const Timeline& from, Timestamp at)
{
    const std::uint32_t reference = timeline.reference;
    if (reference == from.reference || reference >= from.hosts.size() || from.hosts[reference].id != timeline.hosts[reference].id)
        return at;
    return timestamp(nanoseconds(from.hosts[reference].clock.inverse(at)));
}

} // namespace helio
