#include "core/sql/model/scheduling.h"

#include "core/event_model/scheduler_letter.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio::sql {
namespace {

/// Texts of the states, indexed by SchedulerState.
constexpr std::array<std::string_view, 11> StateTexts{"", "", "Running", "R", "R+", "S", "D", "I", "T", "P", "X"};

std::vector<TrackRef> rowsOf(const RecordedThings& things)
{
    std::vector<TrackRef> rows;
    for (const ThreadEntry& thread : things.threads())
        rows.push_back(thread.row);
    return rows;
}

std::vector<TrackRef> threadTracksOf(const RecordedThings& things)
{
    std::vector<TrackRef> tracks;
    for (const CpuEntry& cpu : things.cpus())
        tracks.push_back(cpu.threads);
    return tracks;
}

} // namespace

std::string_view textOf(SchedulerState state) { return StateTexts[static_cast<std::size_t>(state)]; }

SchedulerState schedulerStateOf(const StateKind& state)
{
    if (const std::string_view letter = schedulerLetterOf(state.name); !letter.empty())
        return static_cast<SchedulerState>(std::ranges::find(StateTexts, letter) - StateTexts.begin());
    if (isOnCpu(state.meaning))
        return SchedulerState::Running;
    if (state.meaning == StateCategory::Preempted)
        return SchedulerState::Preempted;
    if (isRunnable(state.meaning))
        return SchedulerState::Runnable;
    return isOffCpu(state.meaning) ? SchedulerState::OffCpu : SchedulerState::None;
}

Scheduling::Scheduling(std::shared_ptr<const RecordedThings> things)
    : m_things(std::move(things))
    , m_threadRows(rowsOf(*m_things))
    , m_cpuThreads(threadTracksOf(*m_things))
    , m_stateIds(m_things->timeline(), m_threadRows)
    , m_runIds(m_things->timeline(), m_cpuThreads)
{
}

SchedulerState Scheduling::stateOf(TrackRef row, State state) const
{
    return schedulerStateOf(stateKind(m_things->timeline(), row, state));
}

/// Returns the end of the recording that a track belongs to: intervals that end there go on, for all that is known.
Timestamp Scheduling::recordedUntil(TrackRef track) const
{
    return coveredRange(m_things->timeline(), traceOf(m_things->timeline(), track)).end;
}

void Scheduling::appendStates(std::uint32_t thread, TimeRange part, std::vector<ThreadStateRow>& out, RunningCounts* counts,
                              const std::stop_token& stop) const
{
    const TrackRef row = m_threadRows[thread];
    if (!row.isValid() || !m_things->threads()[thread].life.overlaps(part))
        return;
    const Timeline& timeline = m_things->timeline();
    std::uint64_t number = counts ? counts->before(timeline, thread, row, part.begin) : 0;
    SchedulerState before = SchedulerState::None;
    Timestamp beforeEnd = Timestamp::min();
    if (const auto previous = previousInterval(timeline, row, part.begin); !previous.empty() && previous.front().range.end == part.begin) {
        before = stateOf(row, previous.front().state);
        beforeEnd = part.begin;
    }
    bool isOpen = false; // True if the last row of `out` belongs to this thread and may go on.
    const auto take = [&](const Interval& interval) {
        const SchedulerState state = stateOf(row, interval.state);
        const bool continues = state == before && interval.range.begin == beforeEnd;
        if (interval.range.begin >= part.begin && interval.range.begin < part.end && !continues && state != SchedulerState::None) {
            out.push_back({interval.range.begin, interval.range.end, number, thread, state});
            isOpen = true;
        } else if (continues && isOpen) {
            out.back().end = interval.range.end;
        } else {
            isOpen = false;
        }
        before = state;
        beforeEnd = interval.range.end;
    };
    for (const Interval& interval : intervals(timeline, row, part, stop)) {
        take(interval);
        number += interval.range.begin >= part.begin;
    }
    if (counts)
        counts->addUpTo(thread, part.end, number);
    // The last state may go on in later intervals.
    while (isOpen && beforeEnd >= part.end && !stop.stop_requested()) {
        const auto next = intervalAt(timeline, row, beforeEnd);
        if (next.empty() || stateOf(row, next.front().state) != before)
            break;
        take(next.front());
    }
    const Timestamp last = recordedUntil(row);
    for (auto it = out.rbegin(); it != out.rend() && it->thread == thread; ++it)
        if (it->end && *it->end >= last)
            it->end.reset();
}

void Scheduling::appendRuns(std::uint32_t cpu, TimeRange part, std::vector<ScheduledRow>& out, RunningCounts* counts,
                            const std::stop_token& stop) const
{
    const TrackRef track = m_cpuThreads[cpu];
    if (!track.isValid())
        return;
    const Timeline& timeline = m_things->timeline();
    std::uint64_t number = counts ? counts->before(timeline, cpu, track, part.begin) : 0;
    const Timestamp last = recordedUntil(track);
    for (const Interval& interval : intervals(timeline, track, part, stop)) {
        if (interval.range.begin < part.begin)
            continue;
        const std::uint64_t own = number++;
        const StateCategory meaning = meaningOf(timeline, track, interval.state);
        std::optional<std::uint32_t> thread;
        if (meaning == StateCategory::Rests)
            thread = m_things->idleThread(m_things->cpus()[cpu].host);
        else if (isOnCpu(meaning))
            thread = m_things->threadOf({track.store, TrackId{interval.value}}, interval.range.begin);
        if (thread)
            out.push_back(
                {interval.range.begin, interval.range.end < last ? std::optional(interval.range.end) : std::nullopt, own, cpu, *thread});
    }
    if (counts)
        counts->addUpTo(cpu, part.end, number);
}

SchedulerState Scheduling::stateAfterRun(std::uint32_t thread, Timestamp end) const
{
    const Timeline& timeline = m_things->timeline();
    if (m_things->threads()[thread].isIdle)
        return SchedulerState::Runnable; // The idle thread is always runnable; so the kernel reports it.
    const TrackRef row = m_threadRows[thread];
    if (const auto next = intervalAt(timeline, row, end); !next.empty())
        return stateOf(row, next.front().state);
    const auto previous = previousInterval(timeline, row, end);
    const bool hasExited = !previous.empty() && meaningOf(timeline, row, previous.front().state) == StateCategory::OnCpuExit;
    return hasExited ? SchedulerState::Dead : SchedulerState::None;
}

SchedulerState Scheduling::kindAt(std::uint32_t thread, Timestamp at) const
{
    const TrackRef row = m_threadRows[thread];
    const auto found = intervalAt(m_things->timeline(), row, at);
    return found.empty() ? SchedulerState::None : stateOf(row, found.front().state);
}

std::optional<ThreadStateRow> Scheduling::stateAt(std::uint32_t thread, Timestamp at) const
{
    const Timeline& timeline = m_things->timeline();
    const TrackRef row = m_threadRows[thread];
    const auto found = intervalAt(timeline, row, at);
    if (found.empty())
        return {};
    const SchedulerState state = stateOf(row, found.front().state);
    if (state == SchedulerState::None)
        return {};
    Timestamp begin = found.front().range.begin;
    for (;;) {
        const auto previous = previousInterval(timeline, row, begin);
        if (previous.empty() || previous.front().range.end != begin || stateOf(row, previous.front().state) != state)
            break;
        begin = previous.front().range.begin;
    }
    std::vector<ThreadStateRow> rows;
    RunningCounts counts(m_threadRows.size());
    appendStates(thread, {begin, begin + Duration(1)}, rows, &counts, {});
    return rows.empty() ? std::nullopt : std::optional(rows.front());
}

} // namespace helio::sql
