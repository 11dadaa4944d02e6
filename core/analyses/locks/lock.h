#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace helio::locks {

/// Id of the view of all rows.
constexpr std::string_view View = "locks";

/// A thread that waits for a lock or holds it.
struct Contender {
    std::uint64_t id = 0; ///< Identifies the thread in the trace; 0 if unknown.
    std::int32_t tid = -1;
    std::string name;
    std::int32_t pid = -1; ///< PID of the thread's process; -1 if unknown.
    std::int32_t idleCpu = -1; ///< CPU of an idle thread, because all idle threads have TID 0; -1 for other threads.
    auto words() const { return tid < 0 ? name : name.empty() ? std::to_string(tid) : name + " (" + std::to_string(tid) + ")"; }
};

/// How a wait ended.
struct WaitEnd {
    bool isAcquired = true; ///< False if the thread gave up.
    std::string_view by{}; ///< Cause of the end, e.g. "timeout"; empty if not recorded.
    std::string waker{}; ///< Thread that ended the wait, as Contender::words(); empty if none or unknown.
};

/// Returns the states of locks, of threads that contend for a lock, and of threads that wait for a futex. The values of the latter show the
/// waker instead of the holder.
const StateSet& lockStates();
const StateSet& contenderStates();
const StateSet& futexWaiterStates();

/// A lock of a trace: its row, a child row for each thread that contended for it, its current waiters and its holder. Each wait and each
/// hold becomes a segment when it ends.
///
/// Threads: to be used by one thread.
/// Ownership: the sink outlives the object.
/// Cost: proportional to the waiters, for each call.
class Lock {
public:
    /// Further threads of a lock have no row of their own.
    static constexpr std::size_t MostRows = 1024;

    /// `contenders`: the states of the threads' rows; `key`: e.g. "lock:0xffff888100044880"; `label`: the shown name; `row`: the row of the
    /// lock, NoTrack if it is in no view.
    Lock(StateSink& sink, const StateSet& contenders, std::string key, std::string label, TrackId row);

    /// Begins a wait, or continues it if the thread waits already, e.g. when a mutex of the kernel is first spun for and then slept for.
    void wait(HostTimestamp at, const Contender& who, std::string_view sort);
    /// Ends a wait; no effect if the thread does not wait.
    void endWait(HostTimestamp at, const Contender& who, const WaitEnd& end);
    /// Undoes a wait that turned out to be none: it leaves no segment, and no state on the thread's row.
    void cancelWait(HostTimestamp at, const Contender& who);
    /// Drops a wait whose end is unknown: it leaves no segment.
    void forgetWait(HostTimestamp at, const Contender& who);
    /// How hold() treats another thread's hold without a recorded release: Held ends it now, Unknown drops it.
    enum class PreviousHold { Held, Unknown };
    void hold(HostTimestamp at, const Contender& who, PreviousHold before);
    /// Ends a hold. No effect if the thread does not hold the lock: the release is a late one, or of a hold whose beginning was not
    /// recorded.
    void release(HostTimestamp at, const Contender& who);

    /// Drops holder and waiters, because events were lost. Their rows are unknown until endLost().
    void lose(HostTimestamp at);
    void endLost(HostTimestamp at);

    /// Sets the position of the lock's row, once the trace is read: locks with the longest total wait come first.
    void setRowPosition() const;

private:
    struct Wait {
        Contender who;
        HostTimestamp since;
        std::string sort;
        std::string holder; ///< Holder when the wait began; empty if unknown.
    };
    struct Hold {
        Contender who;
        HostTimestamp since;
        int depth = 1; ///< Count of nested acquisitions.
        std::size_t mostWaiting = 0;
        Duration madeWait{}; ///< Duration of the waits for this hold that have ended.
    };

    bool isHeldBy(const Contender& who) const { return m_hold && m_hold->who.id == who.id; }
    /// Count of waiters other than the holder.
    std::size_t waiting() const { return m_waits.size() - (m_hold ? m_waits.count(m_hold->who.id) : 0); }
    TrackId rowOf(const Contender& who);
    void show(HostTimestamp at);
    using Declare = SegmentKindId (*)(StateSink&);
    void add(std::optional<SegmentKindId>& kind, Declare declare, HostTimestamp begin, HostTimestamp end, const Contender& who,
             std::string fields);
    void endHold(HostTimestamp at);
    void dropHold(HostTimestamp at);

    StateSink& m_sink;
    const StateSet& m_contenders;
    std::string m_key;
    StringId m_name;
    TrackId m_row;
    std::map<std::uint64_t, TrackId> m_rows; ///< Rows of contenders, by Contender::id.
    std::map<std::uint64_t, Wait> m_waits; ///< Current waits, by Contender::id.
    Duration m_waited{}; ///< Total duration of the waits of all threads that have ended.
    std::optional<Hold> m_hold;
    std::vector<TrackId> m_lost;
    std::optional<SegmentKindId> m_waitKind, m_holdKind; ///< Added when first needed.
    HostTimestamp m_shown; ///< Time of the last change of the lock's row.
};

// Shared by the analyses of locks.

/// Maximum count of locks with rows. Waits of further locks have names, but no rows.
constexpr std::size_t MostRows = 16'384;
constexpr std::size_t MostLocks = 1 << 20; ///< Maximum count of locks that are tracked at all.

/// Return the kinds of segments of waits for locks and of holds, and declare them at the first call.
SegmentKindId waitsIn(StateSink& sink);
SegmentKindId holdsIn(StateSink& sink);

/// Adds the row of the `number`th lock, counted from 0; returns NoTrack if there are too many.
TrackId addLockRow(StateSink& sink, const std::string& key, const std::string& label, const char* kind, std::int32_t pid,
                   std::size_t number);

/// Returns the number as text, e.g. "0xffff888100044880".
std::string hexadecimal(std::uint64_t number);

} // namespace helio::locks
