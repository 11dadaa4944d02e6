#pragma once

#include "core/analyses/locks/futex_events.h"
#include "core/analyses/locks/lock.h"
#include "core/analysis/analysis.h"
#include "core/event_model/running_threads.h"
#include "core/event_model/thread_fields.h"
#include "core/event_model/thread_name_tracker.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helio::locks {

/// A call that may wake threads, on one or two futexes.
struct FutexWake {
    Contender by;
    FutexOp op{};
    std::optional<HostTimestamp> end; ///< nullopt while the call is under way.
    std::optional<std::int64_t> woke; ///< Count of threads that the call woke; nullopt while the call is under way.
    std::int64_t known = 0; ///< Count of the woken threads that are known.

    /// Returns how many more waits the call may have ended.
    std::int64_t left() const { return woke ? *woke - known : std::numeric_limits<std::int64_t>::max(); }
};

/// The wakes of one futex that may have ended waits which are not attributed yet.
///
/// Threads: to be used by one thread.
class FutexWakes {
public:
    /// Maximum count of wakes. When it is exceeded the oldest is dropped; waits that reach back before a dropped wake stay unattributed.
    static constexpr std::size_t Most = 64;

    void add(std::shared_ptr<FutexWake> wake);

    /// Appends to `found` the wakes by other threads than `waiter` that may have ended a wait which began at `since`. Returns false if such
    /// a wake may have been dropped.
    bool find(HostTimestamp since, std::uint64_t waiter, std::vector<std::shared_ptr<FutexWake>>& found) const;

private:
    std::vector<std::shared_ptr<FutexWake>> m_wakes; ///< Sorted by beginning.
    HostTimestamp m_dropped = HostTimestamp::min(); ///< Latest end of the dropped wakes.
};

/// Returns the wake that ended a wait on the given futexes (several if the waiter may have been requeued); nullptr if unknown. If several
/// wakes qualify, they must be by one thread.
std::shared_ptr<FutexWake> wakeThatEnded(HostTimestamp since, std::uint64_t waiter, std::span<const FutexWakes* const> futexes);

/// Finds which threads wait for which futex, how long, and who woke them, from the system calls. These waits are the contention of a
/// program's mutexes, condition variables and semaphores; uncontended operations never reach the kernel.
///
/// A futex is identified by its address and process; one that processes may share (no FUTEX_PRIVATE_FLAG) by its address alone. A shared
/// futex that is mapped at different addresses therefore has several rows, and two shared futexes at the same address of different
/// processes have one row.
///
/// A wait is a call that waits, from its entry to its exit. A call that finds the value changed (EAGAIN) is no wait. A successful wait is
/// attributed to the wake in which the kernel woke the thread (sched_waking), or else to the only call that can have ended it; if several
/// can, or if the end of a thread ended it, it is not attributed. A waker need not have held anything. But a thread that got a lock through
/// UNLOCK_PI holds it until its own UNLOCK_PI, because no other thread can take it unseen.
///
/// The analysis runs in the same pass as the kernel analysis, not after it: another pass over the trace for a few calls would cost more
/// than its own tracking of threads.
///
/// Threads: to be used by one thread.
/// Cost: 1 ns for each event, 10 ns for each switch, about 300 ns for each futex call.
/// Memory: proportional to the futexes that were waited for or woken.
class Futexes final : public Analysis {
public:
    Futexes(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_uses[static_cast<std::size_t>(type)] != Use::None; }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override;
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp end) override;

private:
    /// `process` is empty if the futex is shared or its process unknown.
    struct FutexId {
        bool isShared = false;
        ProcessId process;
        std::uint64_t address = 0;
        auto operator<=>(const FutexId&) const = default;
    };
    struct Futex {
        std::optional<Lock> lock; ///< nullopt until a thread waits for the futex.
        FutexWakes wakes;
        FutexId id;
        std::unordered_set<std::uint64_t> waiters{}; ///< Threads that wait here, or that may have been requeued to here.
    };
    /// A call under way.
    struct Call {
        FutexCall asked;
        Contender who;
        HostTimestamp since;
        Futex* futex = nullptr;
        std::vector<Futex*> others; ///< Further futexes that the call may wait on, because it named a second address or was requeued.
        std::shared_ptr<FutexWake> wake; ///< Set if the call is a wake.
        std::shared_ptr<FutexWake> wokenIn; ///< The wake during which the kernel was seen to wake the call's thread; nullptr if none.
        bool isAnywhere = false; ///< True if the thread may have been requeued to more futexes than are tracked.
    };
    /// A call on a CPU without a switch so far. The next switch reveals its thread.
    struct Unseen {
        FutexCall asked;
        HostTimestamp since;
    };

    enum class Use : std::uint8_t { None, Call, Switch, ThreadNames };

    void take(const EventView& event, Use use);
    void takeSwitch(const EventView& event);
    void enter(const EventView& event);
    void enter(HostTimestamp at, const FutexCall& asked, const Contender& who, const ProcessId& process);
    void addWaiter(std::uint64_t thread, const Call& call);
    void removeWaiter(std::uint64_t thread, const Call& call);
    void moveWaiters(const Futex& from, Futex& to);
    void addWake(HostTimestamp at, Call& call);
    void leave(const EventView& event);
    void endWait(HostTimestamp at, const Call& call, std::int64_t result);
    std::shared_ptr<FutexWake> wakeOf(const Call& call) const;
    void attributeWakeUp(const EventView& event);
    static bool mayMeet(const Call& waker, const Call& waiter);
    void forget(HostTimestamp at, std::uint64_t thread);
    Contender contenderIn(const EventView& event);
    ProcessId processIn(const EventView& event, const Contender& who) const;
    Futex* futexOf(const FutexCall& call, const ProcessId& process, std::uint64_t address);
    Lock& lockOf(Futex& futex);
    std::string labelOf(const FutexId& id) const;
    void lose(const Loss& loss);

    const Trace& m_trace;
    StateSink& m_sink;
    const FutexEvents m_events;
    ValuesByEventType<ThreadFields> m_fields; ///< Fields of the types of futex calls.
    std::vector<Use> m_uses; ///< Indexed by EventTypeId.
    RunningThreads m_running;
    ThreadNameTracker m_threadNames;
    std::map<FutexId, Futex> m_futexes;
    std::unordered_map<std::uint64_t, Call> m_calls; ///< Calls under way, by thread.
    std::size_t m_locks = 0; ///< Count of futexes with a lock.
    std::unordered_map<std::int32_t, Unseen> m_unseen; ///< Indexed by CPU.
    std::vector<Lock*> m_lost; ///< Locks whose rows are unknown because events were lost.
    bool m_hasHolds = false;
    int m_losses = 0; ///< Count of gaps that have begun and not ended.
};

} // namespace helio::locks
