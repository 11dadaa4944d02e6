#pragma once

#include "core/analyses/locks/lock.h"
#include "core/analyses/locks/lock_events.h"
#include "core/analysis/analysis.h"
#include "core/event_model/cpu_threads.h"
#include "core/event_model/thread_fields.h"

#include <map>
#include <string>
#include <vector>

namespace helio::locks {

/// Computes which threads wait for which lock, and for how long: kernel locks from contention_begin and contention_end, and mutexes of
/// programs, including their owners. A kernel lock is identified by its address, a mutex by its address and process.
///
/// LTTng-UST records the release of a mutex after the actual release, often when another thread already owns the mutex. A hold therefore
/// ends at its release event or at the next acquisition, whichever is earlier. A wait for a condition variable releases the mutex without
/// an event, so such a hold may be shorter than shown.
///
/// The thread of an event is the one in its contexts, or else the thread that the CPU was running according to the kernel analysis. The
/// idle thread of a CPU can wait, too: in an interrupt while the CPU is idle. A wait that ends in a gap of lost events is dropped.
///
/// Threads: used by one thread.
/// Cost: about 300 ns for each lock event, none for other events.
/// Memory: proportional to the number of locks that were waited for or held.
class Locks final : public Analysis {
public:
    /// `kernel`: the store of the kernel analysis of the same trace; may be nullptr.
    Locks(const Trace& trace, const Store* kernel, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_events.roleOf(type) != LockEventRole::None; }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override;
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp end) override;

private:
    /// Identity of a lock. `process` is empty for kernel locks.
    struct LockId {
        ProcessId process;
        std::uint64_t address = 0;
        auto operator<=>(const LockId&) const = default;
    };

    void take(const EventView& event, LockEventRole role);
    Lock* lockOf(const EventView& event, LockEventRole role, std::uint64_t address);
    std::string processWords(const ProcessId& process) const;
    Contender contenderIn(const EventView& event, LockEventRole role);
    bool isOfIdleThread(const EventView& event, LockEventRole role);
    CpuThreads& threadsOfItsCpu(const EventView& event);
    TrackId kernelRow(const EventView& event, std::int32_t tid);
    void lose(HostTimestamp at);

    const Trace& m_trace;
    const Store* m_kernel;
    StateSink& m_sink;
    LockEvents m_events;
    std::vector<ThreadFields> m_fields; ///< Fields that identify the thread of an event, for each event type; indexed by EventTypeId.
    /// PID of the process to which all events of the trace belong; -1 if they belong to several processes or the PID is unknown.
    std::int32_t m_pid;
    std::map<std::int32_t, CpuThreads> m_cpus;
    std::map<LockId, Lock> m_locks;
    std::map<ProcessId, std::string> m_names; ///< Names of the processes whose main thread was seen.
    int m_losses = 0; ///< Number of gaps of lost events that have begun and not ended.
};

} // namespace helio::locks
