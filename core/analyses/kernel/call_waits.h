#pragma once

#include "core/base/time.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::kernel {

/// Finds the system calls in which threads waited, and the threads that ended these waits. Reads a log of system calls with their
/// arguments, e.g. the output of strace.
///
/// A call counts as a wait if its own result, or a call of another thread during it, shows that the thread waited: a sleep that returned, a
/// futex wait that did not fail, a wait for a child that exited during the call, a call that a signal interrupted, a read from a pipe or
/// socket to which another thread wrote during the call, or a call that writes a file to its disk (fsync). The log does not tell how long
/// the thread had a CPU during the call. Reads are recognized only in logs of strace -y and -yy, because only these logs name pipes and
/// sockets.
///
/// Threads: to be used by one thread only.
/// Cost: a few searches in hash tables for each call that can wait or wake.
class CallWaits {
public:
    explicit CallWaits(const Trace& trace);

    /// True if the trace has event types of system call entries with their arguments as text.
    bool hasCalls() const { return m_hasCalls; }

    /// Outcome of a system call in which the thread waited, or which failed.
    struct Outcome {
        bool hasFailed = false; ///< True if the call failed with an error and is not known to have waited.
        std::int32_t waker = -1; ///< TID of the thread that ended the wait; -1 if unknown.
        HostTimestamp wokenAt; ///< Time of the system call by which `waker` ended the wait; valid only if `waker` is not -1.
    };

    void onEntry(std::int32_t tid, std::int32_t pid, EventTypeId type, const EventView& event);
    /// Returns the outcome of the system call that thread `tid` returns from; nullopt if the call did not fail and is not known to have
    /// waited.
    std::optional<Outcome> onExit(std::int32_t tid, std::int32_t pid, EventTypeId type, const EventView& event);

private:
    enum class Kind : std::uint8_t { Other, Sleep, Pause, Futex, Child, Read, Write, Poll, Disk, Kill, Exit, Close };

    struct CallType {
        Kind kind = Kind::Other;
        FieldRef arguments;
        FieldRef result; ///< Field with the system call's result as a number.
        FieldRef error; ///< Field with the name of the error in the result, e.g. "ENOENT".
    };

    struct OpenCall {
        Kind kind = Kind::Other;
        HostTimestamp begin;
        bool isFutexWait = false;
        bool isImmediate = false; ///< True if the call's timeout is 0, so that the call does not wait.
        std::vector<std::string> awaited; ///< Keys of `m_waiters` under which the calling thread is listed.
        Outcome wake; ///< Call of another thread that may have ended the wait; Outcome::waker is -1 if there was no such call.
    };

    static Kind kindOf(std::string_view call);
    void await(std::int32_t tid, OpenCall& call, std::string key);
    /// Records that a call of thread `tid` at time `at` wakes the threads that wait for `key`. If several calls wake a thread, its wait is
    /// ended by the first call if `isFirst` is true, else by the last call.
    void wake(std::int32_t tid, HostTimestamp at, const std::string& key, bool isFirst);
    void onFutex(std::int32_t tid, std::int32_t pid, OpenCall& call, std::string_view arguments);
    void close(std::int32_t tid, OpenCall& call);
    std::optional<Outcome> findWait(std::int32_t tid, std::int32_t pid, const OpenCall& call, std::int64_t result,
                                    std::string_view error) const;

    std::vector<CallType> m_types; ///< Kind and fields of each event type, indexed by EventTypeId.
    bool m_hasCalls = false;
    std::unordered_map<std::int32_t, OpenCall> m_open; ///< System calls that have not returned yet, keyed by TID.
    /// TIDs of the threads in calls that may wait, keyed by the awaited object, e.g. "exit 123".
    std::unordered_map<std::string, std::vector<std::int32_t>> m_waiters;
    /// Sender and time of the last signal that a call in the log sent to each process or thread, keyed by the target's PID or TID.
    std::unordered_map<std::int32_t, Outcome> m_kills;
    std::unordered_map<std::int32_t, HostTimestamp> m_exits; ///< Time at which each thread called exit() or exit_group(), keyed by TID.
};

} // namespace helio::kernel
