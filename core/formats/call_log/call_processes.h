#pragma once

#include "core/formats/call_log/call_line.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace helio::calllog {

/// True if the system call `name` creates a thread or a process.
inline bool makesThread(std::string_view name) { return name == "clone" || name == "clone3" || name == "fork" || name == "vfork"; }

/// Finds the process of each thread in a log of system calls, from the calls that create threads or processes (clone, fork) and from
/// execve. The log may contain lines of a new thread before the return of the call that created it. Therefore all lines must be passed to
/// take() before the process of any thread is asked for.
class CallProcesses {
public:
    /// Processes a call of thread `tid`, in the order of the log. `allArguments`: the call's arguments from both of its lines, if it was
    /// interrupted.
    void take(const CallLine& line, std::int32_t tid, std::string_view allArguments)
    {
        std::int64_t child = 0;
        if ((line.name == "execve" || line.name == "execveat") && readResult(line.result, child) && child == 0) {
            m_processes[tid] = tid; // After execve, the calling thread is the only thread of its process, and its TID is the PID.
        } else if (makesThread(line.name) && readResult(line.result, child) && child > 0 && child <= INT32_MAX) {
            // Flags of clone(): strace prints "flags=CLONE_VM|CLONE_THREAD", `perf trace` prints "clone_flags: VM|THREAD". fork() and
            // vfork() have no flags and always create a process.
            const bool isPlain = line.name == "fork" || line.name == "vfork";
            const bool hasFlags = isPlain || allArguments.find("flags") != std::string_view::npos;
            const bool isThread = allArguments.find("THREAD") != std::string_view::npos;
            m_parents[static_cast<std::int32_t>(child)] = {tid, hasFlags, isThread};
        }
    }

    /// True if a call that take() has processed created the thread `tid`.
    bool isChild(std::int32_t tid) const { return m_parents.contains(tid); }

    /// Returns the PID of thread `tid`; -1 if the log does not tell it.
    /// Requires: take() has processed all lines of the log.
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
        /// True if it is known whether the child is a thread: the log contains the flags of clone(), or the call was fork() or vfork().
        bool hasFlags = false;
        /// True if the child is a thread of its parent's process, false if it is a new process; valid only if `hasFlags` is true.
        bool isThread = false;
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
    std::unordered_map<std::int32_t, std::int32_t> m_found; ///< Cached results of processOf(), keyed by TID.
};

} // namespace helio::calllog
