#pragma once

#include "core/analyses/locks/futex_events.h"
#include "core/analyses/locks/futex_wakes.h"
#include "core/analyses/locks/lock.h"
#include "core/analysis/analysis.h"
#include "core/event_model/running_threads.h"
#include "core/event_model/thread_books.h"
#include "core/event_model/thread_fields.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace helio::locks {

/// Who waits for which futex, how long, and who ended that, as the system calls say it: what a contended mutex, condition variable or
/// semaphore of a program becomes. What is not contended never reaches the kernel.
///
/// A futex is known by its address in its process; one that processes may share (no FUTEX_PRIVATE_FLAG) by its address alone: processes
/// that have it at different addresses have a row each, and others may by chance have another one at the same address.
///
/// A wait is a call that waits, from its entry to its exit: one that finds the value changed (EAGAIN) is none. A wait that ends well was
/// ended by a wake: by the one in which the kernel woke the thread (sched_waking), else by the one call that can have done it; where
/// several can, and where a thread's end did it, nobody is named. Who wakes a thread need not have held anything; but who got a lock by
/// UNLOCK_PI has it until its own one, as then nobody can take it unseen.
///
/// It runs beside the kernel's analysis, not after it: another reading of the trace for a few calls would cost more than the books it
/// keeps. One thread. Cost: 1 ns for each event, 10 for each switch, some 300 for each of its calls. Memory: of the futexes that were ever
/// waited for or woken.
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
    /// Of no process: shared, or its process is not known.
    struct FutexId {
        bool isShared = false;
        ProcessId process;
        std::uint64_t address = 0;
        auto operator<=>(const FutexId&) const = default;
    };
    struct Futex {
        std::optional<Lock> lock; ///< None: nobody waited for it yet.
        FutexWakes wakes;
        FutexId id;
        std::unordered_set<std::uint64_t> waiters{}; ///< Threads that wait here, or may.
    };
    /// A call under way.
    struct Call {
        FutexCall asked;
        Contender who;
        HostTimestamp since;
        Futex* futex = nullptr;
        std::vector<Futex*> others; ///< Where it may wait, too: it asked for it, or was moved.
        std::shared_ptr<FutexWake> wake; ///< It is one.
        std::shared_ptr<FutexWake> wokenIn; ///< In which its thread was seen to be woken.
        bool isAnywhere = false; ///< It may have been moved to more futexes than are kept apart.
    };
    /// One of a CPU of which no switch was seen yet, which will say whose it is.
    struct Unseen {
        FutexCall asked;
        HostTimestamp since;
    };

    enum class Use : std::uint8_t { None, Call, Switch, Books };

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
    void noteWoken(const EventView& event);
    static bool mayMeet(const Call& waker, const Call& waiter);
    void forget(HostTimestamp at, std::uint64_t thread);
    Contender whoIn(const EventView& event);
    ProcessId processIn(const EventView& event, const Contender& who) const;
    Futex* futexOf(const FutexCall& call, const ProcessId& process, std::uint64_t address);
    Lock& lockOf(Futex& futex);
    std::string labelOf(const FutexId& id) const;
    void lose(const Loss& loss);

    const Trace& m_trace;
    StateSink& m_sink;
    const FutexEvents m_events;
    ByEventType<ThreadFields> m_fields; ///< Of calls.
    std::vector<Use> m_uses; ///< By EventTypeId.
    RunningThreads m_running;
    ThreadBooks m_books;
    std::map<FutexId, Futex> m_futexes;
    std::unordered_map<std::uint64_t, Call> m_calls; ///< By thread.
    std::size_t m_locks = 0; ///< Of them.
    std::unordered_map<std::int32_t, Unseen> m_unseen; ///< By CPU.
    std::vector<Lock*> m_lost; ///< Whose rows say that they are not known.
    bool m_hasHolds = false;
    int m_losses = 0; ///< Gaps that last.
};

} // namespace helio::locks
