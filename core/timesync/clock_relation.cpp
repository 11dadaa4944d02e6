#include "core/timesync/clock_relation.h"

#include "core/experiment/host_alignment.h"
#include "core/experiment/timeline.h"
#include "core/timesync/host_clocks.h"

#include <algorithm>

namespace helio {
namespace {

/// Returns the index of the first trace of the reference host; 0 if the reference host has no trace.
std::uint32_t referenceTrace(const Timeline& timeline)
{
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i)
        if (timeline.traces[i].host == timeline.reference)
            return i;
    return 0;
}

} // namespace

std::string clockRelation(const Timeline& timeline, std::uint32_t trace)
{
    const TimelineTrace& it = timeline.traces[trace];
    if (timeline.traces.size() < 2 || !it.trace->info().hasTimes)
        return {};
    const std::uint32_t reference = referenceTrace(timeline);
    const std::string name = timeline.traces[reference].trace->info().name;
    if (it.given)
        return "offset set by hand";
    if (it.clockReference && timeline.appliesClocks) {
        const std::string other = timeline.traces[*it.clockReference].trace->info().name;
        if (it.trace->info().clock.name == "ts")
            return "taken to be the same clock as " + other;
        if (!it.trace->info().session.hostId.empty() && timeline.traces[*it.clockReference].host != it.host)
            return "times converted to the clock of " + other + " by the recording";
        return (it.trace->info().clock.uuid.empty() && it.ownClock == ClockTransform{} ? "same wall clock as " : "same clock as ") + other;
    }
    if (trace == reference)
        return "the reference of the others";
    if (const auto other = findOtherClock(timeline, trace))
        return "another clock than " + timeline.traces[*other].trace->info().name + ", offset unknown: set it by hand";
    if (it.host == timeline.reference)
        return "same host as " + name;
    const TimelineHost& host = timeline.hosts[it.host];
    if (host.method == ClockMethod::Manual)
        return "clock set by hand";
    if (host.method == ClockMethod::SameBoot)
        return "same clock as " + name;
    if (host.method != ClockMethod::None)
        return "offset computed from " + std::string(wordOf(host.method));
    if (it.trace->info().clock.isAbsolute && timeline.traces[reference].trace->info().clock.isAbsolute)
        return "wall clock; its difference to that of " + name + " is unknown";
    const auto isRelated = [&](const TimelineTrace& other) { return other.clockReference == trace; };
    const auto related = std::ranges::find_if(timeline.traces, isRelated);
    if (related != timeline.traces.end() && timeline.appliesClocks)
        return "the reference of " + related->trace->info().name;
    return "offset unknown: set it by hand";
}

} // namespace helio
