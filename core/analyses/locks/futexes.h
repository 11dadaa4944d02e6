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

/// A system call that may wake threads, on one or two futexes.
struct FutexWake {
    Contender by;
    FutexOp op{};
    std::optional<HostTimestamp> end; ///< Time of the call's exit; nullopt while the call is in progress.
    std::optional<std::int64_t> woke; ///< Number of threads that the call woke; nullopt while the call is in progress.
    std::int64_t known = 0; ///< Number of threads that are known to be woken by the call.

    /// Returns the maximum number of further waits that the call may have ended.
    std::int64_t left() const { return woke ? *woke - known : std::numeric_limits<std::int64_t>::max(); }
};

/// Calls that wake waiters of one futex and may have ended waits. A call stays in the list until each thread that it woke is known.
///
/// Threads: used by one thread.
class FutexWakes {
public:
    /// Maximum number of wakes that are kept. When it is exceeded, the oldest wake is dropped; waits that overlap a dropped wake stay
    /// unattributed.
    static constexpr std::size_t Most = 64;

    void add(std::shared_ptr<FutexWake> wake);

    /// Appends to `found` the wakes (calls that wake waiters) that may have ended a wait which began at `since`, except wakes by the thread
    /// `waiter` itself. Returns false if `found` may be incomplete, because a dropped wake may have ended the wait, too.
    bool find(HostTimestamp since, std::uint64_t waiter, std::vector<std::shared_ptr<FutexWake>>& found) const;

private:
    std::vector<std::shared_ptr<FutexWake>> m_wakes; ///< Wakes, sorted by start.
    /// Latest end of the wakes that were dropped. A dropped wake cannot have ended a wait that began after this time.
    HostTimestamp m_dropped = HostTimestamp::min();
};

/// Returns the wake that ended a wait on the given futexes (several futexes if the waiter may have been requeued); nullptr if unknown. If
/// several wakes qualify, the result is known only if the same thread made all of them.
std::shared_ptr<FutexWake> wakeThatEnded(HostTimestamp since, std::uint64_t waiter, std::span<const FutexWakes* const> futexes);

/// Computes from the system calls which threads wait for which futex, for how long, and who woke them. These waits are the contention of a
/// program's mutexes, condition variables and semaphores; uncontended operations do not enter the kernel.
///
/// Identity: a private futex is identified by its address and process, a shared one (no FUTEX_PRIVATE_FLAG) by its address alone. Therefore
/// a shared futex that is mapped at different addresses has several rows, and shared futexes of different processes at the same address
/// have one row.
///
/// Waits: a wait lasts from the entry to the exit of a waiting call. A call that finds the value changed (EAGAIN) is no wait. A successful
/// wait is attributed to the wake during which the kernel woke the thread (sched_waking), or else to the only call that can have ended it.
/// It is not attributed if several calls can have ended it, or if it was ended by the end of a thread.
///
/// Owners: a waker need not have owned a lock. But a thread that got a lock through another thread's UNLOCK_PI owns it until its own
/// UNLOCK_PI, because no other thread can get it without a recorded call.
///
/// The analysis runs in the same pass as the kernel analysis and tracks threads itself, because another pass over the trace for a few calls
/// would cost more.
///
/// Threads: used by one thread.
/// Cost: 1 ns for each event, 10 ns for each switch, about 300 ns for each futex call.
/// Memory: proportional to the number of futexes that were waited for or woken.
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
    /// Identity of a futex. `process` is empty if the futex is shared, or if its process is unknown.
    struct FutexId {
        bool isShared = false;
        ProcessId process;
        std::uint64_t address = 0;
        auto operator<=>(const FutexId&) const = default;
    };
    struct Futex {
        std::optional<Lock> lock; ///< Row and waits of the futex; nullopt until a thread waits for it.
        FutexWakes wakes;
        FutexId id;
        std::unordered_set<std::uint64_t> waiters{}; ///< Threads that wait for this futex, or that may have been requeued to it.
    };
    /// A futex call in progress.
    struct Call {
        FutexCall asked;
        Contender who;
        HostTimestamp since;
        Futex* futex = nullptr;
        /// Further futexes for which the call may wait, because its second argument is a futex, too, or because its thread was requeued.
        std::vector<Futex*> others;
        std::shared_ptr<FutexWake> wake; ///< Wake made by the call; nullptr if the call wakes no threads.
        /// Call of another thread during which the kernel woke the thread of this call; nullptr if no such call was seen.
        std::shared_ptr<FutexWake> wokenIn;
        bool isAnywhere = false; ///< True if the thread may have been requeued to more futexes than are tracked.
    };
    /// A call on a CPU whose thread is unknown, because no switch was recorded there yet. The next switch shows the thread.
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
    ValuesByEventType<ThreadFields> m_fields; ///< Fields that identify the thread of an event, for each event type of futex calls.
    std::vector<Use> m_uses; ///< Use of the events of each event type, indexed by EventTypeId.
    RunningThreads m_running;
    ThreadNameTracker m_threadNames;
    std::map<FutexId, Futex> m_futexes;
    std::unordered_map<std::uint64_t, Call> m_calls; ///< Calls in progress, keyed by thread.
    std::size_t m_locks = 0; ///< Number of futexes that have a row; also the position of the next new row.
    std::unordered_map<std::int32_t, Unseen> m_unseen; ///< Calls whose thread is unknown, keyed by CPU.
    std::vector<Lock*> m_lost; ///< Locks whose rows are unknown because events were lost.
    bool m_hasHolds = false;
    int m_losses = 0; ///< Number of gaps of lost events that have begun and not ended.
};

} // namespace helio::locks
