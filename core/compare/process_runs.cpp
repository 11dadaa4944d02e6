#include "core/compare/process_runs.h"

#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/thread_summary.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace helio {
namespace {

bool isLeader(const Row& row) { return !row.isKernelThread && (row.pid < 0 || row.pid == row.tid); }

/// Calls `take` for each range inside `within` in which the process has the same name.
void forEachProcessRun(const Timeline& timeline, const Row& leader, TimeRange within,
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
        const bool isBetweenForkAndExec =
            range.begin <= leader.life.begin && leader.life.begin > whole.begin && range.end < leader.life.end;
        if (!seen.isEmpty() && !isBetweenForkAndExec)
            take(std::move(name),
                 {leader, seen, range.begin == seen.begin && seen.end >= std::min(range.end, whole.end) && isRecorded(range)});
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
    for (const Row& row : threads(timeline))
        if (!stop.stop_requested() && isLeader(row) && row.life.overlaps(within))
            forEachProcessRun(timeline, row, within, take);
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
    std::map<std::string, bool> others; // Programs of B, keyed by name; true if at least one run is complete.
    for (const ProgramRuns& program : programs(b, withinB, stop))
        others[program.name] = program.hasWholeRun;
    std::vector<ProgramRuns> common;
    for (ProgramRuns& program : programs(a, withinA, stop))
        if (const auto other = others.find(program.name); other != others.end()) {
            program.hasWholeRun = program.hasWholeRun || other->second;
            common.push_back(std::move(program));
        }
    // Programs that were started during the recording come first, because users usually record these; recorders and other services run all
    // the time, however busy. The minimum busy time excludes short commands (a shell, sleep) that were started beside a program that
    // already ran.
    constexpr int Parts = 10;
    Duration least{};
    for (const ProgramRuns& program : common)
        if (!isRecorder(program.name))
            least = std::max(least, program.busy / Parts);
    const auto rank = [least](const ProgramRuns& it) { return isRecorder(it.name) ? 2 : it.hasWholeRun && it.busy >= least ? 0 : 1; };
    std::ranges::stable_sort(common, {}, rank); // `common` is already sorted by busy time and name.
    std::vector<std::string> names;
    for (ProgramRuns& program : common)
        names.push_back(std::move(program.name));
    return names;
}

} // namespace helio
