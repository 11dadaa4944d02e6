#pragma once

#include "core/formats/call_log/call_line.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace helio::calllog {

/// True for the calls that make a thread or a process.
inline bool makesThread(std::string_view name) { return name == "clone" || name == "clone3" || name == "fork" || name == "vfork"; }

/// Finds the process of each thread from the calls that make threads and from execve. A thread can have lines before the call that made it
/// returns, so this is done before the events are stored.
class CallProcesses {
public:
    /// Takes a line of a thread in order of the text.
    void take(const CallLine& line, std::int32_t tid, std::string_view allArguments)
    {
        std::int64_t child = 0;
        if ((line.name == "execve" || line.name == "execveat") && readResult(line.result, child) && child == 0) {
            m_processes[tid] = tid; // exec makes its thread the only one of the process, with the process's id.
        } else if (makesThread(line.name) && readResult(line.result, child) && child > 0 && child <= INT32_MAX) {
            // strace prints "flags=CLONE_VM|CLONE_THREAD", perf trace "clone_flags: VM|THREAD". fork() and vfork() have no flags.
            const bool isPlain = line.name == "fork" || line.name == "vfork";
            const bool hasFlags = isPlain || allArguments.find("flags") != std::string_view::npos;
            const bool isThread = allArguments.find("THREAD") != std::string_view::npos;
            m_parents[static_cast<std::int32_t>(child)] = {tid, hasFlags, isThread};
        }
    }

    /// True if a call made the thread in a line that was taken already.
    bool isChild(std::int32_t tid) const { return m_parents.contains(tid); }

    /// Returns the process of a thread; -1 if the log does not tell it.
    /// Requires: all lines were taken.
    std::int32_t processOf(std::int32_t tid)
    {
        const auto [found, isNew] = m_found.try_emplace(tid, -1);
        if (isNew)
            found->second = search(tid);
        return found->second;
    }

private:
    struct Parent {
        std::int32_t tid = -1;
        bool hasFlags = false; ///< False if the call's flags are not printed, so that `isThread` is unknown.
        bool isThread = false; ///< True if the child is a thread of its parent's process.
    };

    std::int32_t search(std::int32_t tid) const
    {
        for (int steps = 0; steps < 1000; ++steps) {
            if (const auto own = m_processes.find(tid); own != m_processes.end())
                return own->second;
            const auto parent = m_parents.find(tid);
            if (parent == m_parents.end() || !parent->second.hasFlags)
                return -1;
            if (!parent->second.isThread)
                return tid;
            tid = parent->second.tid;
        }
        return -1;
    }

    std::unordered_map<std::int32_t, std::int32_t> m_processes;
    std::unordered_map<std::int32_t, Parent> m_parents;
    std::unordered_map<std::int32_t, std::int32_t> m_found; ///< Results of processOf().
};

} // namespace helio::calllog
