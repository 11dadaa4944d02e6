#include "core/sql/model/wakers.h"

#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"

namespace helio::sql {

std::optional<Waker> findWaker(const RecordedThings& things, const Arrow& wakeup)
{
    if (!wakeup.from.isValid())
        return {};
    const Timeline& timeline = things.timeline();
    Waker waker{0, wakeup.fromTime, !wakeup.detail.empty()}; // The detail names the interrupt.
    if (const auto found = things.threadOf(wakeup.from, wakeup.fromTime)) {
        waker.thread = *found;
        return waker;
    }
    // The arrow begins at a CPU: an interrupt woke the thread, or the idle thread did.
    const std::uint32_t trace = traceOf(timeline, wakeup.from);
    const auto cpu = static_cast<std::int32_t>(wakeup.cpu);
    const TrackRef interrupted = threadOn(timeline, trace, cpu, wakeup.fromTime);
    const auto running = interrupted.isValid() ? things.threadOf(interrupted, wakeup.fromTime) : std::nullopt;
    if (!running && !isIdle(timeline, trace, cpu, wakeup.fromTime))
        return {};
    waker.thread = running.value_or(things.idleThread(timeline.traces[trace].host));
    return waker;
}

} // namespace helio::sql
