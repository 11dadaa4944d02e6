#include "core/compare/process_runs.h"

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/thread_summary.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace helio {
namespace {

bool isLeader(const Row& row) { return !row.isKernelThread && (row.pid < 0 || row.pid == row.tid); }

/// Returns the first name of a process within `range`, and the end of the time in which the process has this name.
std::pair<std::string, Timestamp> nameIn(const Timeline& timeline, const Row& leader, TimeRange range)
{
    const TrackRef names = attributeOf(timeline, leader.ref, TrackRole::Name);
    const auto held = names.isValid() ? intervals(timeline, names, range) : std::vector<Interval>();
    if (held.empty())
        return {leader.label, leader.life.end};
    return {valueText(timeline, names, held.front().value), held.front().range.end};
}

/// Times at which processes executed programs (exec), according to the traces' process records. If a program has the same name as the
/// process that executes it, only these records show the exec.
class ExecRecords {
public:
    explicit ExecRecords(const Timeline& timeline)
    {
        for (std::size_t trace = 0; trace < timeline.traces.size(); ++trace)
            if (timeline.traces[trace].trace)
                for (const ProcessRecord& it : timeline.traces[trace].trace->processRecords())
                    if (it.kind == ProcessRecord::Kind::Exec && it.guest == NoGuest)
                        m_times[{trace, it.tid}].push_back(it.time);
        for (auto& [thread, times] : m_times)
            std::ranges::sort(times);
    }

    bool contains(const Timeline& timeline, const Row& leader) const
    {
        const Track& track = *trackOf(timeline, leader.ref);
        const auto found = m_times.find({traceOf(timeline, leader.ref), track.tid});
        if (found == m_times.end())
            return false;
        const auto first = std::ranges::lower_bound(found->second, track.life.begin);
        return first != found->second.end() && *first <= track.life.end;
    }

private:
    std::map<std::pair<std::size_t, std::int64_t>, std::vector<HostTimestamp>> m_times; ///< Times of exec, sorted, keyed by trace and TID.
};

/// Processes that were forked during the recording by processes with the same name.
class ForkedProcesses {
public:
    ForkedProcesses(const Timeline& timeline, std::span<const Row> threads, const std::stop_token& stop)
    {
        const ExecRecords execs(timeline);
        for (const Row& row : threads)
            if (isLeader(row))
                m_leaders[processOf(row)].push_back(&row);
        for (const Row& row : threads)
            if (isLeader(row) && !stop.stop_requested())
                addFork(timeline, row, execs);
        for (const auto& [leader, fork] : m_forks) {
            if (stop.stop_requested())
                return;
            // Follow the forks to the first parent, while each parent still had its inherited name. Parents begin before their children, so
            // that the chain ends.
            const Fork* first = &fork;
            for (auto it = m_forks.find(first->parent->ref); it != m_forks.end() && first->child->life.begin < it->second.inheritedUntil;
                 it = m_forks.find(first->parent->ref))
                first = &it->second;
            const Timestamp at = first->child->life.begin;
            const Timestamp until = std::min(first->parent->life.end, nameIn(timeline, *first->parent, {at, at + Duration(1)}).second);
            // A child that outlives its parent's run, e.g. a daemon, is a run of its own.
            if (fork.keepsName && fork.child->life.end <= until) {
                m_children[first->parent->ref].emplace_back(at, *fork.child);
                m_assigned.insert(leader);
            }
        }
    }

    /// Returns true if the process belongs to the run of a process that forked it.
    bool contains(const Row& leader) const { return m_assigned.contains(leader.ref); }

    /// Returns the descendants of `leader` that belong to its run in `range`: `leader` forked them or their ancestors in this range.
    std::vector<Row> of(const Row& leader, TimeRange range) const
    {
        std::vector<Row> forked;
        if (const auto found = m_children.find(leader.ref); found != m_children.end())
            for (const auto& [at, child] : found->second)
                if (range.contains(at))
                    forked.push_back(child);
        return forked;
    }

private:
    struct Fork {
        const Row* parent;
        const Row* child;
        Timestamp inheritedUntil; ///< End of the time in which the child has the name of its parent.
        bool keepsName; ///< True if the child has the name of its parent until the child ends.
    };

    void addFork(const Timeline& timeline, const Row& leader, const ExecRecords& execs)
    {
        const Timestamp at = leader.life.begin;
        const Track* track = trackOf(timeline, leader.ref);
        const Track* forking = track && at > rangeOf(timeline).begin ? trackOf(timeline, {leader.ref.store, track->parent}) : nullptr;
        if (!forking || forking->role != TrackRole::Thread)
            return;
        const auto found = m_leaders.find({leader.host, forking->pid >= 0 ? forking->pid : forking->tid});
        if (found == m_leaders.end() || found->first == processOf(leader))
            return;
        const auto parent = std::ranges::find_if(found->second, [&](const Row* row) { return row->life.begin < at && at < row->life.end; });
        if (parent == found->second.end())
            return;
        const auto [name, end] = nameIn(timeline, leader, leader.life);
        if (name == nameIn(timeline, **parent, {at, at + Duration(1)}).first && !execs.contains(timeline, leader))
            m_forks.emplace(leader.ref, Fork{*parent, &leader, end, end >= leader.life.end});
    }

    std::map<ProcessOfRow, std::vector<const Row*>> m_leaders; ///< All processes; several with one PID lived one after the other.
    std::map<TrackRef, Fork> m_forks; ///< Forks, keyed by the row of the child.
    std::set<TrackRef> m_assigned; ///< Processes that belong to the run of another process.
    /// Children and later descendants of each process, keyed by the process's row. The time is a fork by the process itself: it created the
    /// descendant, or the child from which the descendant comes.
    std::map<TrackRef, std::vector<std::pair<Timestamp, Row>>> m_children;
};

/// Calls `take` for each range inside `within` in which the process has the same name.
void forEachProcessRun(const Timeline& timeline, const Row& leader, TimeRange within, const ForkedProcesses& forked,
                       const std::function<void(std::string, ProcessRun)>& take)
{
    const TimeRange whole = rangeOf(timeline);
    const auto isRecorded = [&](TimeRange range) {
        if (range.begin > whole.begin && range.end < whole.end)
            return true;
        const RecordedEnds ends = recordedEnds(timeline, leader.ref);
        return (range.begin > whole.begin || ends.begin) && (range.end < whole.end || ends.end);
    };
    const auto takeRun = [&](std::string name, TimeRange range) {
        const TimeRange seen = range.clippedTo(leader.life).clippedTo(within);
        // A process that starts during the recording has its parent's name first, until it executes another program.
        const bool isInherited = range.begin <= leader.life.begin && leader.life.begin > whole.begin;
        // The process belongs to its parent's run in the time between fork and exec, or always if it executes no other program.
        const bool isOfAnotherRun = isInherited && (range.end < leader.life.end || forked.contains(leader));
        if (!seen.isEmpty() && !isOfAnotherRun)
            take(std::move(name),
                 {leader, seen, range.begin == seen.begin && seen.end >= std::min(range.end, whole.end) && isRecorded(range), false,
                  forked.of(leader, range)});
    };
    const TrackRef names = attributeOf(timeline, leader.ref, TrackRole::Name);
    const auto held = names.isValid() ? intervals(timeline, names, leader.life.clippedTo(within)) : std::vector<Interval>();
    if (held.empty())
        return takeRun(leader.label, leader.life);
    for (const Interval& name : held)
        takeRun(valueText(timeline, names, name.value), name.range);
}

void forEachProcessRun(const Timeline& timeline, TimeRange within, const std::stop_token& stop,
                       const std::function<void(std::string, ProcessRun)>& take)
{
    const std::vector<Row> all = threads(timeline);
    const ForkedProcesses forked(timeline, all, stop);
    for (const Row& row : all)
        if (!stop.stop_requested() && isLeader(row) && row.life.overlaps(within))
            forEachProcessRun(timeline, row, within, forked, take);
}

using RunsOfProcess = std::map<ProcessOfRow, std::vector<std::pair<std::string, TimeRange>>>;

/// Adds busy times from samples: CPU time if the samples measure it, else the samples' weights, which also rank programs by activity.
void addSampledTime(const Timeline& timeline, TimeRange within, const RunsOfProcess& runs, std::map<std::string, ProgramRuns>& byName,
                    const std::stop_token& stop)
{
    constexpr std::int64_t Most = INT64_MAX / 4;
    SampleFilter filter;
    filter.ranges = {within};
    const StackProfile profile = collectStacks(timeline, filter, nullptr, stop);
    for (const CollectedStack& stack : profile.stacks) {
        const SampledThread& thread = profile.threads[stack.thread];
        const auto found = runs.find({hostOf(timeline, thread.trace), thread.pid >= 0 ? thread.pid : thread.tid});
        if (found == runs.end())
            continue;
        for (const auto& [name, range] : found->second)
            if (range.contains(stack.first)) {
                Duration& busy = byName[name].busy;
                busy = Duration(std::min(Most, busy.count() + static_cast<std::int64_t>(std::min<std::uint64_t>(stack.weight, Most))));
            }
    }
}

/// Returns true for recording programs, which are in every recording of a whole host but are not the subject of a comparison.
bool isRecorder(std::string_view program)
{
    constexpr std::array<std::string_view, 7> Recorders{"perf", "perf-exec", "trace-cmd", "bpftrace", "strace", "ltrace", "uftrace"};
    return program.starts_with("lttng") || std::ranges::find(Recorders, program) != Recorders.end();
}

} // namespace

std::vector<ProcessRun> processRuns(const Timeline& timeline, std::string_view program, TimeRange within, std::stop_token stop)
{
    std::vector<ProcessRun> runs;
    forEachProcessRun(timeline, within, stop, [&](const std::string& name, ProcessRun run) {
        if (name == program)
            runs.push_back(std::move(run));
    });
    std::ranges::stable_sort(runs, {}, [](const ProcessRun& run) { return run.range.begin; });
    return runs;
}

std::vector<ProgramRuns> programs(const Timeline& timeline, TimeRange within, std::stop_token stop)
{
    std::map<std::string, ProgramRuns> byName;
    RunsOfProcess runs;
    forEachProcessRun(timeline, within, stop, [&](const std::string& name, const ProcessRun& run) {
        ProgramRuns& program = byName[name];
        program.name = name;
        ++program.runs;
        program.wall += run.range.duration();
        program.hasWholeRun = program.hasWholeRun || run.isWhole;
        runs[processOf(run.leader)].emplace_back(name, run.range);
        for (const Row& child : run.children)
            runs[processOf(child)].emplace_back(name, run.range.clippedTo(child.life));
    });
    bool areStatesKnown = false;
    for (const Row& row : threads(timeline)) {
        const auto found = !stop.stop_requested() ? runs.find(processOf(row)) : runs.end();
        if (found == runs.end())
            continue;
        for (const auto& [name, range] : found->second)
            byName[name].busy += busyTime(timeline, row.ref, range.clippedTo(row.life)).busy;
        areStatesKnown = areStatesKnown || byName[found->second.front().first].busy > Duration::zero();
    }
    if (!areStatesKnown)
        addSampledTime(timeline, within, runs, byName, stop);
    std::vector<ProgramRuns> all;
    for (auto& [name, program] : byName)
        all.push_back(std::move(program));
    std::ranges::stable_sort(all, std::greater(), &ProgramRuns::busy);
    return all;
}

TimeRange sampledRange(const Timeline& timeline, const ProcessRun& run)
{
    return run.range.end == rangeOf(timeline).end ? TimeRange{run.range.begin, run.range.end + Duration(1)} : run.range;
}

std::vector<std::string> commonPrograms(const Timeline& a, TimeRange withinA, const Timeline& b, TimeRange withinB, std::stop_token stop)
{
    // Programs of side B, keyed by name. The value is true if at least one run of the program is complete.
    std::map<std::string, bool> others;
    for (const ProgramRuns& program : programs(b, withinB, stop))
        others[program.name] = program.hasWholeRun;
    std::vector<ProgramRuns> common;
    for (ProgramRuns& program : programs(a, withinA, stop))
        if (const auto other = others.find(program.name); other != others.end()) {
            program.hasWholeRun = program.hasWholeRun || other->second;
            common.push_back(std::move(program));
        }
    // Put programs first that began and ended during a recording, because users usually record these. Recorders and other services run all
    // the time, however busy they are. To come first, a program also needs at least 1 / LeastBusyPart of the busiest program's CPU time.
    // This excludes short commands, e.g. a shell, that the user starts while the recorded program is already running.
    constexpr int LeastBusyPart = 10;
    Duration least{};
    for (const ProgramRuns& program : common)
        if (!isRecorder(program.name))
            least = std::max(least, program.busy / LeastBusyPart);
    const auto rank = [least](const ProgramRuns& it) { return isRecorder(it.name) ? 2 : it.hasWholeRun && it.busy >= least ? 0 : 1; };
    // Use a stable sort: `common` is sorted by busy time and name, and programs of equal rank must stay in this order.
    std::ranges::stable_sort(common, {}, rank);
    std::vector<std::string> names;
    for (ProgramRuns& program : common)
        names.push_back(std::move(program.name));
    return names;
}

} // namespace helio
