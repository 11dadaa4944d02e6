#include "core/query/rows/state_causes.h"

#include "core/query/rows/priorities.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

constexpr LinkFilter WakeUpsOf{bitOf(LinkKind::Wakeup), false, true};
/// Maximum number of states or arrows that a search visits. A search goes back from one state of a thread to the previous state, or skips
/// arrows from a row to itself.
constexpr int MostSteps = 64;

enum class SchedulingState { OnCpu, Queued, Waiting, Other };

SchedulingState standOf(const Timeline& timeline, TrackRef thread, State state)
{
    const StateCategory meaning = meaningOf(timeline, thread, state);
    return isOnCpu(meaning)   ? SchedulingState::OnCpu
        : isRunnable(meaning) ? SchedulingState::Queued
        : isOffCpu(meaning)   ? SchedulingState::Waiting
                              : SchedulingState::Other;
}

SchedulingState standOf(const Timeline& timeline, TrackRef thread, const std::vector<Interval>& found)
{
    return found.empty() ? SchedulingState::Other : standOf(timeline, thread, found.front().state);
}

std::vector<Interval> before(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    auto found = previousInterval(timeline, thread, at);
    // Drop an interval that ends before `at`: the thread did not exist right before `at`.
    if (!found.empty() && found.front().range.end < at)
        found.clear();
    return found;
}

/// Returns the start of the adjacent states that end at `at` and all have the scheduling state `stand`. Visits MostSteps states at
/// most.
Timestamp beginOf(SchedulingState stand, const Timeline& timeline, TrackRef thread, Timestamp at)
{
    for (int i = 0; i < MostSteps; ++i) {
        const auto found = before(timeline, thread, at);
        if (standOf(timeline, thread, found) != stand)
            break;
        at = found.front().range.begin;
    }
    return at;
}

/// Returns the time at which the thread got the CPU that it had until `end`.
Timestamp runBegin(const Timeline& timeline, TrackRef thread, Timestamp end)
{
    return beginOf(SchedulingState::OnCpu, timeline, thread, end);
}

/// Returns the start of the wait for a CPU that includes a runnable state beginning at `at`.
Timestamp runnableSince(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    return beginOf(SchedulingState::Queued, timeline, thread, at);
}

/// Returns the wake-up that ends a wait. A thread that is about to sleep may be woken while it is still on its CPU. Then sched_waking comes
/// before the switch-out, and sched_wakeup, which ends the wait, comes after it (kernel/sched/core.c: try_to_wake_up() waits for
/// p->on_cpu).
std::optional<Arrow> wakingThatEnds(const Timeline& timeline, TrackRef thread, TimeRange wait)
{
    const auto found = previousArrow(timeline, thread, wait.end + Duration(1), WakeUpsOf);
    if (found.empty())
        return {};
    const Arrow& last = found.front();
    if (last.toTime == wait.end)
        return last;
    const auto after = intervalAt(timeline, thread, wait.end);
    const bool isLate =
        standOf(timeline, thread, after) == SchedulingState::Queued && last.toTime >= runBegin(timeline, thread, wait.begin);
    return isLate ? std::optional(last) : std::nullopt;
}

/// True if the state is a new thread's wait for its first CPU: the first state of a thread that was created within the trace.
bool isFirstWakeup(const Timeline& timeline, TrackRef thread, const Interval& state)
{
    const HostTimestamp recordedFrom = storeOf(timeline, thread)->summary().range.begin;
    const StateCategory meaning = meaningOf(timeline, thread, state.state);
    return (meaning == StateCategory::WaitsForCpu || meaning == StateCategory::Throttled)
        && state.range.begin > clockOf(timeline, thread.store)(recordedFrom) && before(timeline, thread, state.range.begin).empty();
}

std::optional<Arrow> wakingOfNew(const Timeline& timeline, TrackRef thread, const Interval& state)
{
    const auto found = nextArrow(timeline, thread, state.range.begin - Duration(1), WakeUpsOf);
    return !found.empty() && found.front().toTime <= state.range.end ? std::optional(found.front()) : std::nullopt;
}

/// The thread on a CPU: the CPU's row of threads, and the interval found on that row.
struct CurrentThread {
    TrackRef row;
    std::vector<Interval> found; ///< Interval of `row` whose value is the thread, as the only element; empty if the thread is unknown.

    TrackRef thread() const { return found.empty() ? TrackRef() : TrackRef{row.store, TrackId{found.front().value}}; }
};

CurrentThread currentOn(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at)
{
    CurrentThread current{
        findTrack(timeline, trace, TrackRole::CpuThread, [cpu](TrackRef, const Track& track) { return track.cpu == cpu; }), {}};
    current.found = intervalAt(timeline, current.row, at);
    if (!current.found.empty() && meaningOf(timeline, current.row, current.found.front().state) == StateCategory::Unknown)
        current.found.clear();
    return current;
}

} // namespace

TrackRef threadOn(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at)
{
    return currentOn(timeline, trace, cpu, at).thread();
}

bool isIdle(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu, Timestamp at)
{
    const CurrentThread current = currentOn(timeline, trace, cpu, at);
    return !current.found.empty() && !current.thread().isValid();
}

std::int32_t cpuOf(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    const auto has = [&](TrackRef row, const Track&) {
        const auto found = intervalAt(timeline, row, at);
        return !found.empty() && TrackRef{row.store, TrackId{found.front().value}} == thread
            && isOnCpu(meaningOf(timeline, row, found.front().state));
    };
    const Track* row = trackOf(timeline, findTrack(timeline, traceOf(timeline, thread), TrackRole::CpuThread, has));
    return row ? row->cpu : NoCpu;
}

TrackRef cpuRow(const Timeline& timeline, std::uint32_t trace, std::int32_t cpu)
{
    TrackRef found;
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        if (const auto rows = store.tracksOf(TrackRole::Cpu, cpu); !found.isValid() && !rows.empty())
            found = {index, rows.front()};
    });
    return found;
}

TrackRef threadRow(const Timeline& timeline, std::uint32_t trace, std::int64_t tid, Timestamp at)
{
    TrackRef last;
    if (tid <= 0)
        return last;
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        forEachTrack(index, store, TrackRole::Thread, [&](TrackRef ref, const Track& track) {
            if (track.tid != tid || track.view.empty())
                return;
            const TimeRange life = clockOf(timeline, index)(track.life);
            // If one thread ends and another thread with the same TID begins at `at`, return the later one: a dead thread has no events
            // after its last switch-out.
            if (life.begin <= at && at <= life.end)
                last = ref;
        });
    });
    return last;
}

bool isOfThread(const Timeline& timeline, const Arrow& waking)
{
    const Track* from = trackOf(timeline, waking.from);
    return from && from->role == TrackRole::Thread;
}

Timestamp runnableUntil(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    for (int i = 0; i < MostSteps; ++i) {
        const auto found = intervalAt(timeline, thread, at);
        if (standOf(timeline, thread, found) != SchedulingState::Queued)
            break;
        at = found.front().range.end;
    }
    return at;
}

std::optional<Arrow> findWakeup(const Timeline& timeline, TrackRef thread, const Interval& state)
{
    switch (standOf(timeline, thread, state.state)) {
    case SchedulingState::Waiting: return wakingThatEnds(timeline, thread, state.range);
    case SchedulingState::Queued: {
        Interval first = state;
        if (const Timestamp begin = runnableSince(timeline, thread, state.range.begin); begin != state.range.begin)
            first = intervalAt(timeline, thread, begin).front();
        if (isFirstWakeup(timeline, thread, first))
            return wakingOfNew(timeline, thread, first);
        const auto wait = before(timeline, thread, first.range.begin);
        if (standOf(timeline, thread, wait) == SchedulingState::Waiting)
            return wakingThatEnds(timeline, thread, wait.front().range);
        // Use a wake-up at the exact begin of the wait for a CPU, because the state before the wait is unknown.
        const auto found = previousArrow(timeline, thread, first.range.begin + Duration(1), WakeUpsOf);
        return !found.empty() && found.front().toTime == first.range.begin ? std::optional(found.front()) : std::nullopt;
    }
    default: return {};
    }
}

namespace {

/// Returns the next or previous arrow between `row` and another row, starting at the time `at`. Arrows from the row to itself are skipped.
/// `ends` selects which end of the arrow lies on `row`.
std::vector<Arrow> toOrFromOther(const Timeline& timeline, TrackRef row, Timestamp at, bool isForward, const LinkIds& kinds, ArrowEnds ends)
{
    for (int i = 0; i < MostSteps; ++i) {
        auto found = isForward ? nextArrow(timeline, row, at, kinds, ends) : previousArrow(timeline, row, at, kinds, ends);
        if (found.empty() || found.front().from != found.front().to)
            return found;
        at = ends.isFrom ? found.front().fromTime : found.front().toTime;
    }
    return {};
}

} // namespace

std::vector<Arrow> findArrowToFollow(const Timeline& timeline, TrackRef row, Timestamp at, bool isForward, const LinkIds& ids)
{
    if (!isForward && hasLinkKind(timeline, row, ids, LinkKind::Wakeup)) {
        const auto here = intervalAt(timeline, row, at);
        if (const auto waking = here.empty() ? std::nullopt : findWakeup(timeline, row, here.front()))
            return {*waking};
    }
    // Include arrows at exactly `at`, because both ends of a wake-up have the same time. A forward search includes arrows that leave
    // the row at `at`, a backward search arrows that reach the row at `at`.
    const Duration now(1);
    auto leaving = toOrFromOther(timeline, row, isForward ? at - now : at, isForward, ids, {true, false});
    auto reaching = toOrFromOther(timeline, row, isForward ? at : at + now, isForward, ids, {false, true});
    if (leaving.empty() || reaching.empty())
        return leaving.empty() ? reaching : leaving;
    const Timestamp leaves = leaving.front().fromTime;
    const Timestamp reaches = reaching.front().toTime;
    return (isForward ? leaves <= reaches : leaves > reaches) ? leaving : reaching;
}

StateCause findStateCause(const Timeline& timeline, TrackRef thread, const Interval& state)
{
    StateCause cause;
    if (!storeOf(timeline, thread))
        return cause;
    const SchedulingState stand = standOf(timeline, thread, state.state);
    const Timestamp begin = stand == SchedulingState::Queued ? runnableSince(timeline, thread, state.range.begin) : state.range.begin;
    cause.waking = findWakeup(timeline, thread, state);
    const auto first = begin == state.range.begin ? std::vector<Interval>() : intervalAt(timeline, thread, begin);
    cause.isFirstWakeup = cause.waking && isFirstWakeup(timeline, thread, first.empty() ? state : first.front());
    cause.priority = priorityAt(timeline, thread, begin);
    if (stand == SchedulingState::OnCpu)
        cause.cpu = cpuOf(timeline, thread, begin);
    else if (standOf(timeline, thread, before(timeline, thread, begin)) == SchedulingState::OnCpu)
        cause.cpu = cpuOf(timeline, thread, begin - Duration(1));
    if (stand != SchedulingState::Queued)
        return cause;
    const Timestamp end = runnableUntil(timeline, thread, state.range.end);
    if (standOf(timeline, thread, intervalAt(timeline, thread, end)) == SchedulingState::OnCpu)
        cause.nextCpu = cpuOf(timeline, thread, end);
    const bool isThrottled = meaningOf(timeline, thread, state.state) == StateCategory::Throttled;
    if (cause.cpu != NoCpu && !cause.waking && !isThrottled)
        cause.successor = threadOn(timeline, traceOf(timeline, thread), cause.cpu, begin);
    return cause;
}

} // namespace helio
