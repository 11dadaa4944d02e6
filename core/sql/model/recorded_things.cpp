#include "core/sql/model/recorded_things.h"

#include "core/query/rows/event_threads.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <iterator>

namespace helio::sql {
namespace {

constexpr std::string_view ProcessKind = "process"; ///< Kind of the rows of processes.
constexpr std::string_view ThreadKind = "thread";

bool isThreadRole(TrackRole role) { return role == TrackRole::Thread || role == TrackRole::SampledThread; }
bool isCpuRole(TrackRole role) { return role == TrackRole::Cpu || role == TrackRole::SampledCpu; }

/// Returns the recorded name in a track's label; empty if it has none, so that its label is its key or its number.
std::string nameIn(const std::string& label, const std::string& key, std::int32_t number)
{
    const std::string shown = std::to_string(number);
    if (label == key || label == shown || label == "pid " + shown || label == "tid " + shown)
        return {};
    const std::string suffix = " (" + shown + ')';
    return label.ends_with(suffix) ? label.substr(0, label.size() - suffix.size()) : label;
}

/// Returns the time at which a thread began that the recording shows from `begin` on; nullopt if it may have existed before.
std::optional<Timestamp> startOf(const Timeline& timeline, std::uint32_t trace, Timestamp begin)
{
    return begin > coveredRange(timeline, trace).begin ? std::optional(begin) : std::nullopt;
}

std::optional<Timestamp> endOf(const Timeline& timeline, std::uint32_t trace, Timestamp end)
{
    return end < coveredRange(timeline, trace).end ? std::optional(end) : std::nullopt;
}

} // namespace

RecordedThings::RecordedThings(std::shared_ptr<const Timeline> timeline)
    : m_timeline(std::move(timeline))
{
    addIdleThreads();
    addThreadsWithRows();
    addOtherThreads();
    addProcesses();
    addCpus();
}

std::uint32_t RecordedThings::add(ThreadEntry thread)
{
    const auto id = static_cast<std::uint32_t>(m_threads.size());
    m_byTid[{thread.host, thread.tid}].push_back(id);
    m_threads.push_back(std::move(thread));
    return id;
}

void RecordedThings::addIdleThreads()
{
    for (HostId host = 0; host < m_timeline->hosts.size(); ++host) {
        ThreadEntry idle;
        idle.host = host;
        idle.pid = 0;
        idle.name = "swapper";
        idle.life = {Timestamp::min(), Timestamp::max()};
        idle.isMain = true;
        idle.isIdle = true;
        add(std::move(idle));
    }
}

void RecordedThings::addThreadsWithRows()
{
    std::vector<Row> all = rows(*m_timeline, findViewWithRole(*m_timeline, TrackRole::Thread));
    for (const Row& row : all)
        if (row.ref.isValid() && row.parent >= 0)
            m_parentRows[row.ref] = all[static_cast<std::size_t>(row.parent)].ref;
    std::erase_if(all, [](const Row& row) { return row.role != TrackRole::Thread || !row.ref.isValid(); });
    std::ranges::stable_sort(all, {}, [](const Row& row) { return row.life.begin; });
    for (const Row& row : all) {
        const std::int32_t tid = hostTidOf(*m_timeline, row.ref);
        if (tid < 0 && row.tid < 0) { // The row of a process, above those of its threads.
            if (std::string name = nameIn(row.label, row.id, row.pid); !name.empty())
                m_processNames[{row.host, row.pid}] = std::move(name);
            continue;
        }
        ThreadEntry thread;
        thread.host = row.host;
        thread.tid = tid >= 0 ? tid : row.tid;
        thread.name = nameIn(row.label, row.id, row.tid);
        thread.row = row.ref;
        thread.life = row.life;
        thread.start = startOf(*m_timeline, row.trace, row.life.begin);
        thread.end = endOf(*m_timeline, row.trace, row.life.end);
        thread.pid = row.pid;
        thread.isMain = row.pid >= 0 && row.pid == row.tid;
        m_byTrack[row.ref].push_back(add(std::move(thread)));
    }
}

/// Assigns the tracks that are no rows with states to the threads with their TIDs, and adds threads for TIDs that have no row.
void RecordedThings::addOtherThreads()
{
    forEachStore(*m_timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size(); ++i) {
            const Track& track = tracks[i];
            const TrackRef ref{index, TrackId{i}};
            if (!isThreadRole(track.role) || m_byTrack.contains(ref) || track.tid < 0)
                continue;
            const std::int32_t hostTid = hostTidOf(*m_timeline, ref);
            if (hostTid == 0) {
                m_byTrack[ref] = {idleThread(trace.host)};
                continue;
            }
            const auto found = m_byTid.find({trace.host, hostTid});
            if (hostTid >= 0 && found != m_byTid.end()) {
                m_byTrack[ref] = found->second;
                continue;
            }
            ThreadEntry thread;
            thread.host = trace.host;
            thread.tid = track.tid;
            thread.name = nameIn(track.label, track.key, track.tid);
            thread.row = track.role == TrackRole::Thread ? ref : TrackRef();
            thread.life = clockOf(*m_timeline, index)(track.life);
            thread.pid = track.pid;
            thread.isMain = track.pid >= 0 && track.pid == track.tid;
            m_byTrack[ref] = {add(std::move(thread))};
        }
    });
}

std::uint32_t RecordedThings::addProcess(const ThreadEntry& of, std::int32_t pid)
{
    ProcessEntry process;
    process.host = of.host;
    process.pid = pid;
    if (of.isMain) {
        process.name = of.name;
        process.start = of.start;
        process.end = of.end;
    }
    if (const auto name = m_declaredNames.find({of.host, pid}); name != m_declaredNames.end())
        process.name = name->second;
    else if (const auto other = m_processNames.find({of.host, pid}); process.name.empty() && other != m_processNames.end())
        process.name = other->second;
    m_processes.push_back(std::move(process));
    const auto id = static_cast<std::uint32_t>(m_processes.size() - 1);
    m_byPid[{of.host, pid}].emplace(of.life.begin, id);
    return id;
}

/// Reads the names of processes from their rows. A row above the rows of threads has the name that the application declared.
void RecordedThings::addProcessNames()
{
    forEachStore(*m_timeline, [&](StoreIndex, const Store& store, const TimelineTrace& trace) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size(); ++i) {
            const Track& track = tracks[i];
            if (track.kind != ProcessKind || track.pid < 0 || track.tid >= 0)
                continue;
            std::string name = nameIn(track.label, track.key, track.pid);
            if (name.empty())
                continue;
            const bool hasThreads = std::ranges::any_of(
                store.childrenOf(TrackId{i}), [&](TrackId child) { return tracks[static_cast<std::size_t>(child)].kind == ThreadKind; });
            (hasThreads ? m_declaredNames : m_processNames).try_emplace({trace.host, track.pid}, std::move(name));
        }
    });
}

void RecordedThings::addProcesses()
{
    addProcessNames();
    for (ThreadEntry& thread : m_threads)
        if (thread.isMain)
            thread.process = addProcess(thread, thread.pid);
    for (ThreadEntry& thread : m_threads) {
        if (thread.isMain)
            continue;
        const auto known = processWithPid(thread.host, thread.pid, thread.life.begin);
        thread.process = known ? *known : addProcess(thread, thread.pid);
    }
    addProcessesWithoutThreads();
    for (const ThreadEntry& thread : m_threads) {
        const auto parent = m_parentRows.find(thread.row);
        if (!thread.isMain || !thread.row.isValid() || parent == m_parentRows.end())
            continue;
        if (const auto creator = m_byTrack.find(parent->second); creator != m_byTrack.end() && !creator->second.empty())
            m_processes[thread.process].parent = m_threads[creator->second.front()].process;
    }
}

/// Adds the processes that only tracks of their own show, e.g. counters.
void RecordedThings::addProcessesWithoutThreads()
{
    forEachStore(*m_timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        for (const Track& track : store.tracks()) {
            if (track.pid < 0 || track.tid >= 0 || track.cpu >= 0 || m_byPid.contains({trace.host, track.pid}))
                continue;
            ThreadEntry process;
            process.host = trace.host;
            process.life = clockOf(*m_timeline, index)(track.life);
            addProcess(process, track.pid);
        }
    });
}

std::optional<std::uint32_t> RecordedThings::processWithPid(HostId host, std::int32_t pid, Timestamp at) const
{
    const auto lives = m_byPid.find({host, pid});
    if (pid < 0 || lives == m_byPid.end())
        return {};
    const auto after = lives->second.upper_bound(at);
    return after == lives->second.begin() ? after->second : std::prev(after)->second;
}

std::optional<std::uint32_t> RecordedThings::processOf(TrackRef track, Timestamp at) const
{
    const Store* const store = storeOf(*m_timeline, track);
    for (std::size_t steps = 0; store && track.isValid() && steps < store->tracks().size(); ++steps) {
        const auto index = static_cast<std::size_t>(track.track);
        if (index >= store->tracks().size())
            return {};
        const Track& row = store->tracks()[index];
        if (row.cpu >= 0)
            return {};
        if (row.pid >= 0)
            return processWithPid(m_timeline->traces[traceOf(*m_timeline, track.store)].host, row.pid, at);
        track.track = row.parent;
    }
    return {};
}

void RecordedThings::addCpus()
{
    std::map<std::pair<HostId, std::int32_t>, CpuEntry> found;
    forEachStore(*m_timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& trace) {
        const auto tracks = store.tracks();
        for (std::uint32_t i = 0; i < tracks.size(); ++i) {
            const Track& track = tracks[i];
            if (track.cpu < 0 || (!isCpuRole(track.role) && track.role != TrackRole::CpuThread))
                continue;
            CpuEntry& cpu = found[{trace.host, track.cpu}];
            cpu.host = trace.host;
            cpu.cpu = track.cpu;
            const TrackRef ref{index, TrackId{i}};
            if (track.role == TrackRole::Cpu && !cpu.row.isValid()) {
                cpu.row = ref;
                cpu.threads = attributeOf(*m_timeline, ref, TrackRole::CpuThread);
            }
        }
    });
    for (auto& [key, cpu] : found) {
        m_cpuIndex[key] = m_cpus.size();
        m_cpus.push_back(cpu);
    }
}

std::optional<std::uint32_t> RecordedThings::threadOf(TrackRef track, Timestamp at) const
{
    const auto* const threads = threadsOn(track);
    return threads ? std::optional(livingAt(*threads, at)) : std::nullopt;
}

bool RecordedThings::mayShow(TrackRef track, std::int64_t thread) const
{
    const auto* const threads = threadsOn(track);
    return threads && std::ranges::find(*threads, thread) != threads->end();
}

/// Returns the threads that a track shows or belongs to, one for each life; nullptr if it belongs to no thread.
const std::vector<std::uint32_t>* RecordedThings::threadsOn(TrackRef track) const
{
    const Store* const store = storeOf(*m_timeline, track);
    for (std::size_t steps = 0; store && track.isValid() && steps < store->tracks().size(); ++steps) {
        const auto found = m_byTrack.find(track);
        if (found != m_byTrack.end())
            return &found->second;
        const auto index = static_cast<std::size_t>(track.track);
        if (index >= store->tracks().size())
            return nullptr;
        // Rows of calls have the TID of their thread, whose own row may be in another store.
        const Track& row = store->tracks()[index];
        if (row.tid >= 0 && row.cpu < 0) {
            const HostId host = m_timeline->traces[traceOf(*m_timeline, track.store)].host;
            if (const auto threads = m_byTid.find({host, hostTidOf(*m_timeline, track)}); threads != m_byTid.end())
                return &threads->second;
        }
        track.track = row.parent;
    }
    return nullptr;
}

/// Returns the thread that lives at a time; the first one if none does. Requires: `threads` is not empty.
std::uint32_t RecordedThings::livingAt(const std::vector<std::uint32_t>& threads, Timestamp at) const
{
    for (const std::uint32_t id : threads)
        if (m_threads[id].life.begin <= at && at <= m_threads[id].life.end)
            return id;
    return threads.front();
}

std::optional<std::uint32_t> RecordedThings::threadWithTid(HostId host, std::int64_t tid, Timestamp at) const
{
    const auto found = m_byTid.find({host, tid});
    return found != m_byTid.end() ? std::optional(livingAt(found->second, at)) : std::nullopt;
}

const CpuEntry* RecordedThings::findCpu(HostId host, std::int32_t cpu) const
{
    const auto found = m_cpuIndex.find({host, cpu});
    return found != m_cpuIndex.end() ? &m_cpus[found->second] : nullptr;
}

} // namespace helio::sql
