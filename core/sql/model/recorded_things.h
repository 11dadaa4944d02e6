#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio::sql {

/// A host of the experiment. Its id is its index into Timeline::hosts.
using HostId = std::uint32_t;

/// A thread, one for each life of a TID. The id (`utid`) is the index into RecordedThings::threads().
struct ThreadEntry {
    HostId host = 0;
    std::int32_t tid = 0;
    std::int32_t pid = -1; ///< -1 if unknown.
    std::uint32_t process = 0; ///< Index into RecordedThings::processes().
    std::string name; ///< Last name of the thread; empty if unknown.
    TrackRef row; ///< Row with the thread's states; not valid if there are none, and for idle threads.
    std::optional<Timestamp> start; ///< Time at which the thread was created; nullopt if it existed before the recording or is unknown.
    std::optional<Timestamp> end; ///< Time at which the thread ended; nullopt if it outlived the recording or is unknown.
    TimeRange life{}; ///< Range in which the recording shows the thread.
    bool isMain = false;
    bool isIdle = false; ///< True for the thread that stands for the idle threads of all CPUs of the host.
};

/// A process, one for each life of a PID. The id (`upid`) is the index into RecordedThings::processes().
struct ProcessEntry {
    HostId host = 0;
    std::int32_t pid = -1; ///< -1 if the threads' process is unknown.
    std::string name;
    std::optional<Timestamp> start;
    std::optional<Timestamp> end;
    std::optional<std::uint32_t> parent; ///< Process that created this one; nullopt if unknown.
};

struct CpuEntry {
    HostId host = 0;
    std::int32_t cpu = 0;
    TrackRef row; ///< Row with the CPU's states; not valid if there are none.
    TrackRef threads; ///< Track with the threads that the CPU ran; not valid if there is none.
};

/// Returns the id (`ucpu`) of a CPU, unique over all hosts: on the first host, it is the number of the CPU.
constexpr std::int64_t cpuId(HostId host, std::int32_t cpu) { return cpu < 0 ? -1 : std::int64_t{host} * 4'096 + cpu; }

/// The threads, processes and CPUs of a timeline, with the ids that tables refer to. Ids are valid for one timeline: the same recording
/// always gets the same ids.
///
/// Threads: all methods from any thread at once, after construction.
/// Cost: the constructor makes the rows of all threads, and looks at each track of each store.
class RecordedThings {
public:
    explicit RecordedThings(std::shared_ptr<const Timeline> timeline);

    const Timeline& timeline() const { return *m_timeline; }
    const std::shared_ptr<const Timeline>& sharedTimeline() const { return m_timeline; }

    /// The idle thread of each host comes first, so that thread 0 is the idle thread of the first host; the other threads follow in the
    /// order in which the recording shows them first.
    const std::vector<ThreadEntry>& threads() const { return m_threads; }
    const std::vector<ProcessEntry>& processes() const { return m_processes; }
    const std::vector<CpuEntry>& cpus() const { return m_cpus; }

    /// Returns the thread that a track shows or belongs to at a time; nullopt if the track belongs to no thread.
    std::optional<std::uint32_t> threadOf(TrackRef track, Timestamp at) const;
    /// True if a track shows or belongs to a thread at any time.
    bool mayShow(TrackRef track, std::int64_t thread) const;
    /// Returns the thread that had a TID at a time, as the host's kernel numbers threads; nullopt if it is unknown. TID 0 is the idle
    /// thread.
    std::optional<std::uint32_t> threadWithTid(HostId host, std::int64_t tid, Timestamp at) const;

    /// Returns the process that a track belongs to at a time, if it belongs to none of its threads; nullopt if it belongs to no process.
    std::optional<std::uint32_t> processOf(TrackRef track, Timestamp at) const;
    /// Returns the process that had a PID at a time; nullopt if there is none.
    std::optional<std::uint32_t> processWithPid(HostId host, std::int32_t pid, Timestamp at) const;

    std::uint32_t idleThread(HostId host) const { return host; }
    const CpuEntry* findCpu(HostId host, std::int32_t cpu) const;

private:
    void addIdleThreads();
    void addThreadsWithRows();
    void addOtherThreads();
    void addProcesses();
    void addProcessNames();
    void addProcessesWithoutThreads();
    std::uint32_t addProcess(const ThreadEntry& of, std::int32_t pid);
    void addCpus();
    std::uint32_t add(ThreadEntry thread);
    const std::vector<std::uint32_t>* threadsOn(TrackRef track) const;
    std::uint32_t livingAt(const std::vector<std::uint32_t>& threads, Timestamp at) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<ThreadEntry> m_threads;
    std::vector<ProcessEntry> m_processes;
    std::vector<CpuEntry> m_cpus;
    std::map<std::pair<HostId, std::int64_t>, std::vector<std::uint32_t>> m_byTid; ///< Threads by host and TID, in the order of their ids.
    std::unordered_map<TrackRef, std::vector<std::uint32_t>, TrackRefHash> m_byTrack; ///< Threads that a track shows, one for each life.
    std::map<std::pair<HostId, std::int32_t>, std::string> m_processNames; ///< Labels of the rows of processes, by host and PID.
    std::map<std::pair<HostId, std::int32_t>, std::string> m_declaredNames; ///< Names that applications declared, by host and PID.
    std::unordered_map<TrackRef, TrackRef, TrackRefHash> m_parentRows; ///< Parent row of each thread's row.
    /// Processes by host and PID, and by the time at which the recording shows them first.
    std::map<std::pair<HostId, std::int32_t>, std::map<Timestamp, std::uint32_t>> m_byPid;
    std::map<std::pair<HostId, std::int32_t>, std::size_t> m_cpuIndex; ///< Indices into m_cpus by host and number.
};

} // namespace helio::sql
