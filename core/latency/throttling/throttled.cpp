#include "core/latency/throttling/throttled.h"

#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace helio {
namespace {

constexpr Duration LeastThrottled = std::chrono::milliseconds(10);

/// A change of two counters at one time, e.g. of the numbers of running and of runnable threads.
struct CounterChange {
    Timestamp at;
    std::int32_t first = 0;
    std::int32_t second = 0;
};

/// Sorts `steps` by time. Then calls take(range, first, second) for each non-empty range between two consecutive steps: `first` and
/// `second` are the sums of CounterChange::first and CounterChange::second over all steps up to the start of the range. The last
/// range ends at `end`.
template <typename Take> void forEachInterval(std::vector<CounterChange>& steps, Timestamp end, const Take& take)
{
    std::ranges::sort(steps, {}, &CounterChange::at);
    std::int32_t first = 0, second = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        first += steps[i].first;
        second += steps[i].second;
        const Timestamp until = i + 1 < steps.size() ? steps[i + 1].at : end;
        if (until > steps[i].at)
            take(TimeRange{steps[i].at, until}, first, second);
    }
}

void addSteps(std::vector<CounterChange>& steps, TimeRange range, std::int32_t first, std::int32_t second)
{
    steps.push_back({range.begin, first, second});
    steps.push_back({range.end, -first, -second});
}

/// The times in which at least one CPU of a host is idle.
class IdleTime {
public:
    /// Adds a range. Ranges must be added in time order.
    void add(TimeRange range) { m_intervals.emplace_back(range, total()); }
    Duration total() const { return m_intervals.empty() ? Duration{} : m_intervals.back().second + m_intervals.back().first.duration(); }
    Duration until(Timestamp at) const
    {
        const auto after = std::ranges::upper_bound(m_intervals, at, {}, [](const auto& it) { return it.first.begin; });
        if (after == m_intervals.begin())
            return {};
        const auto& [range, before] = *std::prev(after);
        return before + (std::min(at, range.end) - range.begin);
    }
    Duration in(TimeRange range) const { return until(range.end) - until(range.begin); }

private:
    /// Disjoint ranges in which a CPU is idle, each with the total length of all earlier ranges.
    std::vector<std::pair<TimeRange, Duration>> m_intervals;
};

/// A process: the row of its main thread, and the rows of its threads.
struct Process {
    Row row;
    std::vector<Row> members;
    std::optional<ThrottledInterval> open{}; ///< Interval that was still open at the end of the last processed part of the time range.
};

IdleTime idleIn(const Timeline& timeline, const std::vector<Row>& cpus, TimeRange part, const std::stop_token& stop)
{
    std::vector<CounterChange> steps;
    for (const Row& row : cpus)
        for (const Interval& it : intervals(timeline, row.ref, part, stop))
            if (meaningOf(timeline, row.ref, it.state) == StateCategory::Rests)
                addSteps(steps, it.range.clippedTo(part), 1, 0);
    IdleTime idle;
    forEachInterval(steps, part.end, [&](TimeRange range, std::int32_t count, std::int32_t) {
        if (count > 0)
            idle.add(range);
    });
    return idle;
}

/// Distinguishes processes with the same PID: each process begins with its main thread.
class ProcessLeaders {
public:
    explicit ProcessLeaders(const std::vector<Row>& threads)
    {
        for (const Row& row : threads)
            if (row.tid == row.pid)
                m_begins[{row.host, row.pid}].push_back(row.life.begin);
        for (auto& [process, begins] : m_begins)
            std::ranges::sort(begins);
    }

    /// Returns the number of processes with the thread's PID that began before the thread or at the same time. At least 1, because a thread
    /// may be recorded before its main thread.
    std::size_t before(const Row& thread) const
    {
        const auto found = m_begins.find({thread.host, thread.pid});
        if (found == m_begins.end())
            return 1;
        const auto later = std::ranges::upper_bound(found->second, thread.life.begin);
        return std::max<std::size_t>(1, static_cast<std::size_t>(later - found->second.begin()));
    }

private:
    /// Begin times of main threads, keyed by host and PID.
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<Timestamp>> m_begins;
};

/// Finds the throttled intervals of all processes. Processes the time range in parts, to limit memory.
class Finder {
public:
    Finder(const Timeline& timeline, TimeRange window, std::stop_token stop)
        : m_timeline(timeline)
        , m_stop(std::move(stop))
    {
        std::vector<Row> rows = threads(timeline);
        const ProcessLeaders leaders(rows);
        std::map<std::tuple<std::uint32_t, std::int32_t, std::size_t>, std::size_t> known;
        for (Row& row : rows) {
            if (row.isKernelThread || row.pid < 0)
                continue;
            const auto [at, isNew] = known.try_emplace({row.host, row.pid, leaders.before(row)}, m_processes.size());
            if (isNew)
                m_processes.push_back({row, {}, {}});
            Process& group = m_processes[at->second];
            if (row.tid == row.pid && group.row.tid != group.row.pid)
                group.row = row;
            m_all = {std::min(m_all.begin, row.life.begin), std::max(m_all.end, row.life.end)};
            TimeRange& recorded = m_recorded.try_emplace(row.host, row.life).first->second;
            recorded = {std::min(recorded.begin, row.life.begin), std::max(recorded.end, row.life.end)};
            m_intervals += row.intervals;
            group.members.push_back(std::move(row));
        }
        for (Row& row : cpus(timeline))
            m_cpus[row.host].push_back(std::move(row));
        m_all = m_all.clippedTo(window);
    }

    void each(const std::function<void(const Row&, const ThrottledInterval&)>& take)
    {
        constexpr std::uint64_t PartSize = 1 << 20;
        const Duration step = std::max(Duration(1), lengthOf(m_all) / static_cast<std::int64_t>(m_intervals / PartSize + 1));
        for (Timestamp begin = m_all.begin; begin < m_all.end && !m_stop.stop_requested();) {
            const Timestamp end = lengthOf({begin, m_all.end}) / 2 > step ? begin + step : m_all.end;
            lookAt({begin, end});
            handOver(end == m_all.end ? Timestamp::max() : earliestOpen(), take);
            begin = end;
        }
    }

private:
    struct Found {
        const Row* row;
        ThrottledInterval throttled;
    };

    void lookAt(TimeRange part)
    {
        std::map<std::uint32_t, IdleTime> idle;
        for (const auto& [host, rows] : m_cpus)
            idle[host] = idleIn(m_timeline, rows, part, m_stop);
        for (Process& process : m_processes)
            if (const auto there = idle.find(process.row.host); there != idle.end())
                lookAt(process, part, there->second);
    }

    void lookAt(Process& process, TimeRange part, const IdleTime& idle)
    {
        std::vector<CounterChange> steps;
        for (const Row& row : process.members)
            if (row.life.overlaps(part))
                for (const Interval& it : intervals(m_timeline, row.ref, part, m_stop)) {
                    const StateCategory meaning = meaningOf(m_timeline, row.ref, it.state);
                    if (isOnCpu(meaning) || isRunnable(meaning))
                        addSteps(steps, it.range.clippedTo(part), isOnCpu(meaning), isRunnable(meaning));
                }
        forEachInterval(steps, part.end, [&](TimeRange range, std::int32_t running, std::int32_t waiting) {
            if (running > 0 || waiting == 0)
                return;
            if (process.open && process.open->range.end != range.begin)
                close(process);
            if (!process.open)
                process.open = ThrottledInterval{{range.begin, range.begin}, 0, {}};
            process.open->range.end = range.end;
            process.open->waiting = std::max(process.open->waiting, static_cast<std::uint32_t>(waiting));
            process.open->idle += idle.in(range);
        });
        if (process.open && process.open->range.end < part.end)
            close(process);
    }

    void close(Process& process)
    {
        const ThrottledInterval it = *std::exchange(process.open, std::nullopt);
        const TimeRange known = m_recorded.at(process.row.host).clippedTo(m_all);
        // Leave out an interval that begins or ends with the examined time range, because its real duration is unknown.
        const bool isCut = it.range.begin <= known.begin || it.range.end >= known.end;
        if (!isCut && lengthOf(it.range) >= LeastThrottled && it.idle > lengthOf(it.range) / 2)
            m_found.push_back({&process.row, it});
    }

    Timestamp earliestOpen() const
    {
        Timestamp earliest = Timestamp::max();
        for (const Process& it : m_processes)
            if (it.open)
                earliest = std::min(earliest, it.open->range.begin);
        return earliest;
    }

    void handOver(Timestamp until, const std::function<void(const Row&, const ThrottledInterval&)>& take)
    {
        std::ranges::stable_sort(m_found, {}, [](const Found& it) { return it.throttled.range.begin; });
        const auto end = std::ranges::find_if(m_found, [&](const Found& it) { return it.throttled.range.begin >= until; });
        for (auto it = m_found.begin(); it != end && !m_stop.stop_requested(); ++it)
            take(*it->row, it->throttled);
        m_found.erase(m_found.begin(), end);
    }

    const Timeline& m_timeline;
    std::stop_token m_stop;
    std::vector<Process> m_processes;
    std::map<std::uint32_t, std::vector<Row>> m_cpus; ///< Rows of the CPUs, keyed by host.
    /// Time range from the first begin to the last end of the threads of a host, keyed by host.
    std::map<std::uint32_t, TimeRange> m_recorded;
    TimeRange m_all{Timestamp::max(), Timestamp::min()};
    std::uint64_t m_intervals = 0;
    std::vector<Found> m_found; ///< Intervals that were not passed to `take` yet.
};

} // namespace

bool canDetectThrottling(const Timeline& timeline)
{
    bool canRun = false, canBeIdle = false;
    const auto has = [](const StateSet& set, auto means) { return std::ranges::any_of(set.states, means, &StateKind::meaning); };
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size() && !(canRun && canBeIdle); ++i) {
            const TrackRole role = tracks[i].role;
            if (!canRun && role == TrackRole::Thread)
                canRun = has(statesOf(timeline, {index, TrackId{i}}), isRunnable);
            else if (!canBeIdle && role == TrackRole::Cpu)
                canBeIdle = has(statesOf(timeline, {index, TrackId{i}}), [](StateCategory it) { return it == StateCategory::Rests; });
        }
    });
    return canRun && canBeIdle;
}

void forEachThrottled(const Timeline& timeline, TimeRange window, const std::function<void(const Row&, const ThrottledInterval&)>& take,
                      std::stop_token stop)
{
    Finder(timeline, window, std::move(stop)).each(take);
}

std::string throttledName(const Row& process) { return process.label + " (" + std::to_string(process.pid) + ')'; }

std::optional<std::string> findThrottledProcess(const Timeline& timeline, TrackRef thread, TimeRange wait, std::stop_token stop)
{
    const auto own = rowOf(timeline, thread);
    if (!own || own->pid < 0)
        return {};
    const Duration around = std::max<Duration>(std::chrono::seconds(1), 2 * wait.duration());
    std::optional<std::string> name;
    const auto takeOne = [&](const Row& process, const ThrottledInterval& it) {
        if (process.trace == own->trace && process.pid == own->pid && it.range.begin < wait.end && wait.begin < it.range.end)
            name = throttledName(process);
    };
    forEachThrottled(timeline, {wait.begin - around, wait.end + around}, takeOne, std::move(stop));
    return name;
}

} // namespace helio
