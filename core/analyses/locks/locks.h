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

/// Who waits for which lock, and how long: of the kernel's locks as contention_begin and contention_end say it, of programs' mutexes with
/// who holds them. A lock of the kernel is known by its address; a mutex by its address in its process.
///
/// LTTng-UST writes that a mutex was given back after it was, often when another thread has it already: who had it did so until its
/// release, or until the next one had it. A wait for a condition gives it back unseen, so that such a hold may be shorter than is known
/// here.
///
/// Whose an event is its contexts say, else the kernel's own analysis: which thread the CPU had. Each CPU has an idle thread, which waits
/// where an interrupt does while the CPU is idle. A wait that ends in a gap of lost events is none. One thread. Cost: some 300 ns for each
/// of its events, none for others. Memory: of the locks that were ever waited for or held.
class Locks final : public Analysis {
public:
    /// `kernel`: what was made of the same trace; null: nothing.
    Locks(const Trace& trace, const Store* kernel, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return m_events.roleOf(type) != Role::None; }
    void onEvents(const EventRun& run) override;
    void onLossBegin(const Loss& loss) override;
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp end) override;

private:
    /// A process; none: the kernel.
    struct LockId {
        ProcessId process;
        std::uint64_t address = 0;
        auto operator<=>(const LockId&) const = default;
    };

    void take(const EventView& event, Role role);
    Lock* lockOf(const EventView& event, Role role, std::uint64_t address);
    std::string processWords(const ProcessId& process) const;
    Contender whoIn(const EventView& event, Role role);
    bool isOfIdleThread(const EventView& event, Role role);
    CpuThreads& threadsOfItsCpu(const EventView& event);
    TrackId kernelRow(const EventView& event, std::int32_t tid);
    void lose(HostTimestamp at);

    const Trace& m_trace;
    const Store* m_kernel;
    StateSink& m_sink;
    LockEvents m_events;
    std::vector<ThreadFields> m_fields; ///< By EventTypeId.
    std::int32_t m_pid; ///< That all of the trace is of; -1: nobody says so.
    std::map<std::int32_t, CpuThreads> m_cpus;
    std::map<LockId, Lock> m_locks;
    std::map<ProcessId, std::string> m_names; ///< Of processes whose first thread was seen.
    int m_losses = 0; ///< Gaps that last.
};

} // namespace helio::locks
