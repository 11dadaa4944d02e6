#pragma once

#include "core/trace/process/module.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::chromejson {

/// A thread of a trace, as the context of its events tells it.
struct ChromeThread {
    std::int32_t pid = -1; ///< Process id; -1 if the trace has another kind of text there.
    std::int32_t tid = -1;
    /// Number that distinguishes threads with the same tid, in the field of PID namespaces; InitialNamespace for the first of them.
    std::uint32_t space = InitialNamespace;
    std::string name;

    static constexpr std::uint32_t InitialNamespace = 0xeffffffc; ///< PROC_PID_INIT_INO in include/linux/proc_ns.h.
};

/// The threads of a trace. Ids of the format are any texts, and thread ids need not be unique in the trace.
class ChromeThreads {
public:
    /// Returns the index of the thread with these ids; adds it if it is new.
    std::uint32_t indexOf(std::string_view process, std::string_view thread);
    /// Returns the index of a row for events of `thread` that do not nest with its other events; `level` counts such rows from 1.
    std::uint32_t besides(std::uint32_t thread, std::uint32_t level);

    const ChromeThread& at(std::uint32_t index) const { return m_threads[index]; }
    void setThreadName(std::uint32_t thread, std::string_view name) { m_threads[thread].name = name; }
    void setProcessName(std::string_view process, std::string_view name) { m_processNames[std::string(process)] = name; }

    /// Returns the name of a thread; that of its process for a main thread without a name. Empty if the trace has neither.
    std::string_view nameOf(std::uint32_t thread) const;
    /// Returns the names of all threads, as records at `time`.
    std::vector<ProcessRecord> names(HostTimestamp time) const;

private:
    std::uint32_t add(const std::pair<std::string, std::string>& key, ChromeThread thread);

    std::vector<ChromeThread> m_threads;
    std::vector<std::string> m_processes; ///< For each thread, the text of its process id.
    std::map<std::pair<std::string, std::string>, std::uint32_t> m_index; ///< Threads by the texts of their ids.
    std::map<std::int32_t, std::uint32_t> m_uses; ///< Number of threads with each tid.
    std::map<std::string, std::string> m_processNames;
    std::pair<std::string, std::string> m_lastKey; ///< Key of the last result of indexOf(); the next event is often of the same thread.
    std::uint32_t m_last = 0;
};

} // namespace helio::chromejson
