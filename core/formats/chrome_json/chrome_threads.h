#pragma once

#include "core/trace/process/module.h"
#include "core/trace/stored/track_events.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio::chromejson {

/// A process in a Chrome trace, which identifies it by any text ("pid").
struct ChromeProcess {
    std::string id; ///< Text of the process's recorded id, the member "pid" of events.
    std::int32_t pid = -1; ///< PID: the recorded id if it is a positive number; else a number from 2^30, which no process of Linux has.
    std::string name; ///< Recorded name of the process; empty if unknown.
    std::string labels;
    std::int64_t order = 0; ///< Recorded sort key ("sort_index"), ascending; 0 if none.

    /// Returns the recorded name of the process. Without a recorded name, returns the id if it is no valid PID ("pid 0", "GPU"), else an
    /// empty text.
    std::string shownName() const;
};

/// A thread of a trace, as the context of its events tells it.
struct ChromeThread {
    std::uint32_t process = 0; ///< Index of the thread's process in ChromeThreads.
    std::int32_t tid = -1; ///< TID: the recorded id if it is a positive number; else a number from 2^30, which no thread of Linux has.
    /// Number that distinguishes threads of the trace with the same TID; stored as TrackContext::pidNamespace. HostNamespace for the first
    /// thread with this TID.
    std::uint32_t space = TrackContext::HostNamespace;
    std::string name;
    std::int64_t order = 0; ///< Recorded sort key ("sort_index"), ascending; 0 if none.
};

/// Processes and threads of a Chrome trace. The format allows any text as an id, and different processes may have threads with the same id.
class ChromeThreads {
public:
    /// Returns the index of the process with the id `process`; adds the process if it is new.
    std::uint32_t processOf(std::string_view process);
    /// Returns the index of the thread with these ids; adds it if it is new.
    std::uint32_t indexOf(std::string_view process, std::string_view thread);
    /// Returns the index of the thread with the id `thread`, whose process is not recorded: the only such thread of all processes when
    /// withId() was called first, else a thread of an unknown process.
    std::uint32_t withId(std::string_view thread);
    /// Returns the index of a row for events of `thread` that do not nest with its other events; `level` counts such rows from 1.
    std::uint32_t besides(std::uint32_t thread, std::uint32_t level);

    ChromeThread& thread(std::uint32_t index) { return m_threads[index]; }
    const ChromeThread& thread(std::uint32_t index) const { return m_threads[index]; }
    ChromeProcess& process(std::uint32_t index) { return m_processes[index]; }
    ChromeProcess& processOfThread(std::uint32_t thread) { return m_processes[m_threads[thread].process]; }
    std::size_t threadCount() const { return m_threads.size(); }
    std::size_t processCount() const { return m_processes.size(); }

    /// Returns the stream context of the events of `thread`. The name in it is the thread's name; for a main thread without a name, the
    /// name of its process.
    TrackContext contextOf(std::uint32_t thread) const;
    /// Returns the names of all threads, as records at `time`.
    std::vector<ProcessRecord> names(HostTimestamp time) const;

private:
    std::uint32_t add(std::pair<std::uint32_t, std::string> key, ChromeThread thread);

    std::vector<ChromeProcess> m_processes;
    std::unordered_map<std::string, std::uint32_t> m_processIndex; ///< Indices of processes, keyed by the text of their id.
    std::vector<ChromeThread> m_threads;
    /// Indices of threads, keyed by the index of the process and the text of the thread's id.
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_index;
    /// Indices of threads, keyed by the text of the thread's id; nullopt if several processes have such a thread. Made by withId().
    std::unordered_map<std::string, std::optional<std::uint32_t>> m_byId;
    std::map<std::int32_t, std::uint32_t> m_uses; ///< Number of threads with each tid.
    /// Cached arguments (m_lastProcess, m_lastThread) and result (m_last) of the last call of indexOf(): consecutive events often belong to
    /// one thread.
    std::string m_lastProcess;
    std::string m_lastThread;
    std::uint32_t m_last = 0;
};

} // namespace helio::chromejson
