#pragma once

#include "core/trace/process/module.h"
#include "core/trace/stored/track_events.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace helio::chromejson {

/// A process of a trace.
struct ChromeProcess {
    std::string id; ///< The text of its id.
    std::int32_t pid = -1; ///< Its number, or a number that no process of Linux has if the id is 0 or no number.
    std::string name; ///< Recorded name; empty if unknown.
    std::string labels;
    std::int64_t order = 0; ///< Recorded sort key.

    /// Recorded name; otherwise the id if it is no process number: "pid 0", "GPU". Empty if the process is only numbered.
    std::string shownName() const;
};

/// A thread of a trace, as the context of its events tells it.
struct ChromeThread {
    std::uint32_t process = 0; ///< Index of the process.
    std::int32_t tid = -1; ///< Its number, or a number that no thread of Linux has if the id is 0 or no number.
    /// TrackContext::pidNamespace, which distinguishes threads with the same tid.
    std::uint32_t space = TrackContext::HostNamespace;
    std::string name;
    std::int64_t order = 0; ///< Recorded sort key.
};

/// The processes and threads of a trace. Ids of the format are any texts, and thread ids need not be unique in the trace.
class ChromeThreads {
public:
    /// Returns the index of the process with this id; adds it if it is new.
    std::uint32_t processOf(std::string_view process);
    /// Returns the index of the thread with these ids; adds it if it is new.
    std::uint32_t indexOf(std::string_view process, std::string_view thread);
    /// Returns the index of a row for events of `thread` that do not nest with its other events; `level` counts such rows from 1.
    std::uint32_t besides(std::uint32_t thread, std::uint32_t level);

    ChromeThread& thread(std::uint32_t index) { return m_threads[index]; }
    const ChromeThread& thread(std::uint32_t index) const { return m_threads[index]; }
    ChromeProcess& process(std::uint32_t index) { return m_processes[index]; }
    ChromeProcess& processOfThread(std::uint32_t thread) { return m_processes[m_threads[thread].process]; }
    std::size_t threadCount() const { return m_threads.size(); }
    std::size_t processCount() const { return m_processes.size(); }

    /// Returns the context of a thread's events. Its name is that of the process for a main thread without a name.
    TrackContext contextOf(std::uint32_t thread) const;
    /// Returns the names of all threads, as records at `time`.
    std::vector<ProcessRecord> names(HostTimestamp time) const;

private:
    std::uint32_t add(std::pair<std::uint32_t, std::string> key, ChromeThread thread);

    std::vector<ChromeProcess> m_processes;
    std::unordered_map<std::string, std::uint32_t> m_processIndex; ///< Processes by the texts of their ids.
    std::vector<ChromeThread> m_threads;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> m_index; ///< Threads by process and the text of their id.
    std::map<std::int32_t, std::uint32_t> m_uses; ///< Number of threads with each tid.
    std::string m_lastProcess; ///< Ids of the last result of indexOf(), because the next event is often of the same thread.
    std::string m_lastThread;
    std::uint32_t m_last = 0;
};

} // namespace helio::chromejson
