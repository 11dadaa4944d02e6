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

/// Finds the system calls in which threads waited, and the threads that ended the waits. Its source is a log of system calls with their
/// arguments, e.g. a log of strace.
///
/// A call counts as a wait if its result or another thread shows it: a sleep that returned, a futex wait that did not fail, a wait for a
/// child that exited meanwhile, a call that a signal interrupted, a read from a pipe or socket to which another thread wrote meanwhile, or
/// a synchronization of a file with its disk. Whether the thread had a CPU for a part of the call is not in the log. Names of pipes and
/// sockets are only in logs of strace -y and -yy.
///
/// Threads: to be used by one thread.
/// Cost: a few searches in hash tables for each call that can wait or wake.
class CallWaits {
public:
    explicit CallWaits(const Trace& trace);

    /// True if the trace has calls with arguments.
    bool hasCalls() const { return m_hasCalls; }

    /// A call in which a thread waited, or which failed.
    struct Outcome {
        bool hasFailed = false; ///< True if the call returned an error without waiting.
        std::int32_t waker = -1; ///< Thread that ended the wait; -1 if the log does not tell it.
        HostTimestamp wokenAt; ///< Time of the waker's call; valid if `waker` is.
    };

    void onEntry(std::int32_t tid, std::int32_t pid, EventTypeId type, const EventView& event);
    /// Returns the outcome of the call; nullopt if the call is not known to have waited, and did not fail.
    std::optional<Outcome> onExit(std::int32_t tid, std::int32_t pid, EventTypeId type, const EventView& event);

private:
    enum class Kind : std::uint8_t { Other, Sleep, Pause, Futex, Child, Read, Write, Poll, Disk, Kill, Exit, Close };

    struct CallType {
        Kind kind = Kind::Other;
        FieldRef arguments;
        FieldRef result; ///< The result as a number.
        FieldRef error; ///< Name of the error.
    };

    struct OpenCall {
        Kind kind = Kind::Other;
        HostTimestamp begin;
        bool isFutexWait = false;
        bool isImmediate = false; ///< True if the call has a time limit of 0, so that it does not wait.
        std::vector<std::string> awaited; ///< Keys of `m_waiters` under which the call is listed.
        Outcome wake; ///< Call of another thread that may have ended the wait.
    };

    static Kind kindOf(std::string_view call);
    void await(std::int32_t tid, OpenCall& call, std::string key);
    /// Notes that a call of `tid` wakes the threads that wait for `key`. `isFirst`: the first such call ends the wait, not the last one.
    void wake(std::int32_t tid, HostTimestamp at, const std::string& key, bool isFirst);
    void onFutex(std::int32_t tid, std::int32_t pid, OpenCall& call, std::string_view arguments);
    void close(std::int32_t tid, OpenCall& call);
    std::optional<Outcome> findWait(std::int32_t tid, std::int32_t pid, const OpenCall& call, std::int64_t result,
                                    std::string_view error) const;

    std::vector<CallType> m_types; ///< Indexed by EventTypeId.
    bool m_hasCalls = false;
    std::unordered_map<std::int32_t, OpenCall> m_open; ///< Calls that have not returned, keyed by TID.
    std::unordered_map<std::string, std::vector<std::int32_t>> m_waiters; ///< TIDs of waiting threads, keyed by what they wait for.
    std::unordered_map<std::int32_t, Outcome> m_kills; ///< Last signal that was sent to each process or thread.
    std::unordered_map<std::int32_t, HostTimestamp> m_exits; ///< Times at which threads exited.
};

} // namespace helio::kernel
