#pragma once

#include "core/base/wide_sum.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace helio::locks {

/// Id of the view that contains the rows of locks.
constexpr std::string_view View = "locks";

/// A thread that waits for a lock or owns it.
struct Contender {
    std::uint64_t id = 0; ///< Unique id of the thread in the trace; 0 if unknown.
    std::int32_t tid = -1;
    std::string name;
    std::int32_t pid = -1; ///< PID of the thread's process; -1 if unknown.
    std::int32_t idleCpu = -1; ///< CPU of the thread if it is an idle thread (all idle threads have TID 0); -1 for other threads.
    auto words() const { return tid < 0 ? name : name.empty() ? std::to_string(tid) : name + " (" + std::to_string(tid) + ")"; }
};

/// End of a wait, and its cause.
struct WaitEnd {
    bool isAcquired = true; ///< True if the thread got the lock, false if it gave up.
    std::string_view by{}; ///< Cause of the end, e.g. "timeout"; empty if not recorded.
    std::string waker{}; ///< Thread that ended the wait, as text of Contender::words(); empty if none or unknown.
};

/// Return the states of locks, of threads that contend for a lock, and of threads that wait for a futex. The values of contenders' states
/// show the owner, the values of futex waiters' states the waker.
const StateSet& lockStates();
const StateSet& contenderStates();
const StateSet& futexWaiterStates();

/// A lock: its row, a child row for each thread that contended for it, its current waiters and its owner. Each wait and each hold becomes a
/// segment when it ends.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the sink alive longer than the object.
/// Cost: logarithmic in the number of waiters, for each call; lose() and endLost() are proportional to it.
class Lock {
public:
    /// Maximum number of child rows of a lock; further threads that contend for the lock get no row.
    static constexpr std::size_t MostRows = 1024;

    /// `contenders`: the states of the threads' rows. `key`: e.g. "lock:0xffff888100044880". `label`: the text in the window. `row`: the
    /// row of the lock; NoTrack if the lock is in no view.
    Lock(StateSink& sink, const StateSet& contenders, std::string key, std::string label, TrackId row);

    /// Purpose of a wait: a lock that another thread holds, or work, for example a condition. Waits for work are not contention.
    enum class Purpose : std::uint8_t { Lock, Work };
    /// Begins a wait, or continues it if the thread waits already, e.g. when it first spins and then sleeps for a kernel mutex. `sort`: the
    /// type of the lock.
    void wait(HostTimestamp at, const Contender& who, std::string_view sort, Purpose purpose = Purpose::Lock);
    /// Ends a wait. No effect if the thread does not wait.
    void endWait(HostTimestamp at, const Contender& who, const WaitEnd& end);
    /// Removes a wait because later events showed that the thread did not wait: writes no segment, and removes the state from the thread's
    /// row.
    void cancelWait(HostTimestamp at, const Contender& who);
    /// Drops a wait whose end is unknown. Writes no segment, but keeps the state in the thread's row until `at`.
    void forgetWait(HostTimestamp at, const Contender& who);
    /// Treatment of the previous owner's hold if a thread acquires the lock and no release was recorded: Held ends the hold now, Unknown
    /// drops it.
    enum class PreviousHold { Held, Unknown };
    void hold(HostTimestamp at, const Contender& who, PreviousHold before);
    /// Ends a hold. No effect if the thread does not own the lock, because the event is a late release, or because the start of the hold
    /// was not recorded.
    void release(HostTimestamp at, const Contender& who);

    /// Drops the owner and the waiters because events were lost. The rows of the lock and its contenders are unknown until endLost().
    void lose(HostTimestamp at);
    void endLost(HostTimestamp at);

    /// Sets the position of the lock's row among the locks: longest total wait first; waits for work do not count. Called after the whole
    /// trace was read.
    void setRowPosition() const;

private:
    struct Wait {
        Contender who;
        HostTimestamp since;
        std::string sort;
        std::string holder; ///< Owner of the lock when the wait began, as text; empty if unknown.
        Purpose purpose = Purpose::Lock;
    };
    struct Hold {
        Contender who;
        HostTimestamp since;
        int depth = 1; ///< Number of nested acquisitions of the lock by its owner.
        std::size_t mostWaiting = 0;
        Duration causedWait{}; ///< Total duration of the ended waits that this hold caused.
        /// Sum over the current waiters of the time from the beginning of the hold to the beginning of the wait, in ns; earlier waits add
        /// 0.
        WideSum waitDelays;
        /// Returns the time from the beginning of the hold to the beginning of a wait, in ns; 0 if the wait began earlier.
        std::uint64_t delayOf(const Wait& wait) const { return wait.since > since ? std::uint64_t((wait.since - since).count()) : 0; }
    };

    bool isHeldBy(const Contender& who) const { return m_hold && m_hold->who.id == who.id; }
    bool isCausedByHold(const Wait& wait) const { return m_hold && wait.purpose == Purpose::Lock && !isHeldBy(wait.who); }
    /// Returns the number of threads that wait for the lock, the owner excluded.
    std::size_t waiting() const;
    std::size_t waitingForWork() const { return m_waits.size() - m_lockWaits; }
    void addWaiter(const Wait& wait);
    std::optional<Wait> takeWaiter(const Contender& who);
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
    std::map<std::uint64_t, TrackId> m_rows; ///< Rows of threads that contended for the lock, keyed by Contender::id.
    std::map<std::uint64_t, Wait> m_waits; ///< Waits for the lock that have not ended, keyed by Contender::id.
    std::size_t m_lockWaits = 0; ///< Number of waits in m_waits with Purpose::Lock.
    Duration m_waited{}; ///< Total duration of all ended waits for the lock, by all threads.
    std::optional<Hold> m_hold;
    std::vector<TrackId> m_lost;
    std::optional<SegmentKindId> m_waitKind, m_holdKind; ///< Kinds of the segments for waits and for holds; declared when first needed.
    HostTimestamp m_lastShownAt; ///< Time of the latest state that show() stored in the lock's row.
};

// Functions and limits shared by the analyses of locks and of futexes.

/// Maximum number of locks with rows. Waits for further locks are written as segments with the lock's name, but without a row of the lock.
constexpr std::size_t MostRows = 16'384;
constexpr std::size_t MostLocks = 1 << 20; ///< Maximum number of locks that are tracked at all.

/// Return the segment kind of waits for locks, or of holds. The first call of each function declares the kind.
SegmentKindId waitsIn(StateSink& sink);
SegmentKindId holdsIn(StateSink& sink);

/// Adds the row of a lock and returns it; NoTrack if there are too many. `number`: number of the lock, counted from 0.
TrackId addLockRow(StateSink& sink, const std::string& key, const std::string& label, const char* kind, std::int32_t pid,
                   std::size_t number);

/// Returns the number as hexadecimal text, e.g. "0xffff888100044880".
std::string hexadecimal(std::uint64_t number);

} // namespace helio::locks
