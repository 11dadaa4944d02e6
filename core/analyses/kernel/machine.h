#pragma once

#include "core/analyses/kernel/binding.h"
#include "core/analyses/kernel/context_flags.h"
#include "core/analyses/kernel/interrupts.h"
#include "core/analyses/kernel/syscall_names.h"
#include "core/analyses/kernel/threads.h"
#include "core/analysis/analysis.h"
#include "core/event_model/prev_state.h"

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace helio::kernel {

/// The kernel's state machine: what every thread, CPU and interrupt was doing, from scheduler, system call and interrupt events.
///
/// Rows: control-flow `tid:N` (a process's row is its leader's; threads and child processes hang below), with attribute tracks for names
/// and priorities. resources `cpu:N`, below it `cpu:N/thread`, `/frequency`, `/irq:M`, `/ipi:V`, `/softirq:V`, and the same
/// interrupts over all CPUs. Links: wakeup, sched, migration.
///
/// An event changes the tables (Threads, Interrupts, the CPU), then refresh() stores the resulting states of the CPU and its thread.
/// Threads: one. Cost: about 20 ns an event without the store; no allocation but for new rows and names.
class Machine final : public Analysis {
public:
    Machine(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp at) override;
    void onEvents(const EventRun& run) override
    {
        if (!m_samples.empty()) [[unlikely]]
            takeWithSamples(run);
        else if (!m_records.empty() && m_records.front().time <= run.records.back().time) [[unlikely]]
            takeWithRecords(run);
        else
            takeEvents(run);
    }
    void onLossBegin(const Loss& loss) override;
    void onLoss(const Loss& loss) override;
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

    // For the event handlers.

    StateSink& sink() { return m_sink; }
    Threads& threads() { return m_threads; }
    Interrupts& interrupts() { return m_interrupts; }
    PrevStates& prevStates() { return m_prevStates; }
    const ContextFlags& contextFlags() const { return m_contextFlags; }

    /// Null for a number that no machine has.
    Cpu* cpu(std::int64_t number);

    /// The thread an event speaks of. What losses did to it since its last event is settled first.
    Thread& touch(std::int32_t tid, HostTimestamp at)
    {
        Thread& thread = m_threads.get(tid, at);
        if (m_hasLosses)
            settle(thread);
        return thread;
    }

    /// Stores what the CPU and its thread do now. Inlined, as most events are system calls: it saves them a tenth.
    [[gnu::always_inline]] void refresh(HostTimestamp at, Cpu& cpu)
    {
        Thread* thread = cpu.current;
        if (!thread || thread->tid <= 0 || cpu.isInterrupted() || cpu.isInGap(at))
            return refreshUnusual(at, cpu);
        const Doing doing = doingOnCpu(*thread, cpu.hasSyscalls);
        m_threads.setState(at, *thread, doing.thread);
        setCpuState(at, cpu, doing.cpu, thread->title);
    }

    /// Puts a thread on the CPU (the idle one too), takes it from where it was thought to be, and stores the new states.
    void setCurrent(HostTimestamp at, Cpu& cpu, Thread& thread);

    /// A kernel thread remains one: losses would explain its system calls, else its exec would have been recorded.
    bool knowsKernelThreads() const { return m_hasLosses || m_recordsExec; }
    bool isOfSomeThreads() const { return !m_part.threads.empty(); }
    /// Whether the recording says when the thread has a CPU, and when not. Of a recording of some threads the idle one never is.
    bool isRecorded(const Thread& thread) const { return m_part.threads.empty() || (thread.tid > 0 && !thread.isUnrecorded); }
    /// Stores the state of a thread that has no CPU; Unknown where it could have got one that is not recorded.
    void setOffCpuState(HostTimestamp at, Thread& thread, ThreadState state)
    {
        if (!m_part.hasAllCpus)
            thread.mode = Mode::Unknown; // It may go on to other calls.
        m_threads.setState(at, thread, m_part.hasAllCpus ? state : ThreadState::Unknown);
    }
    /// Where only some threads are recorded: a thread that slept when it was last seen has not run since, but may have been woken.
    void sleptUnseen(Thread& thread);
    /// From now on nothing says what the CPU does.
    void forget(HostTimestamp at, Cpu& cpu);
    /// The CPU's thread acts, so that no interrupt is being handled: exits were not recorded.
    void endInterrupts(HostTimestamp at, Cpu& cpu)
    {
        if (cpu.isInterrupted()) [[unlikely]]
            loseExits(at, cpu);
    }
    /// Makes unknown what was stored of the CPU and its thread since `from`, as far as it is held. Its thread stays.
    void takeBack(HostTimestamp from, Cpu& cpu);
    /// The thread is woken although it has been so before, and not run since.
    void wokenAgain(HostTimestamp at, Thread& thread);

    /// An event says which thread its CPU has, and had for as long as that was not known. Nothing happens where it was known.
    void reveal(const EventView& event, Cpu& cpu, Thread& thread)
    {
        if (cpu.isUnseen()) [[unlikely]]
            see(event, cpu, thread);
    }

    /// There is a wake-up by the CPU's thread, which is not known yet.
    void holdLink(Cpu& cpu);

    /// The CPU's thread turned up elsewhere, or another on the CPU: a switch was not seen after the CPU's last event and before `at`.
    /// What that event itself says of the thread, such as that a call ended or that it got the CPU, was so for a moment.
    void misplaced(HostTimestamp at, Cpu& cpu);

    /// The thread did something it could not have done without a step that was not seen: unknown since the first loss that may hide it.
    void missedStep(HostTimestamp at, Thread& thread);

    /// Who makes a system call where no switches are recorded, so that CPUs have no threads; null where the event does not say. What
    /// losses hid of it is unknown.
    Thread* callerOf(const Binding& binding, const EventView& event);
    /// Whether the exit is of another call than the one that the thread is in, as far as it says so.
    bool isOfOtherCall(const Binding& binding, const EventView& event, const Thread& thread);
    /// The exit of the call that the thread is in, or the entry of a call that it is not known to be in, was not recorded, though none was
    /// lost: when it ended or began before `at` is unknown.
    void loseCall(HostTimestamp at, Cpu& cpu, Thread& thread);
    /// Stores what its system calls show of a thread that had a CPU or none since `at`.
    void setUnplacedState(HostTimestamp at, Thread& thread);

    /// The thread turned up on the CPU: it is not known how it came there since the CPU's last event.
    void appeared(HostTimestamp at, const Cpu& cpu, Thread& thread);

    /// Whether events of that time were lost on some CPU, as far as it is known yet.
    bool isAnyLost(HostTimestamp at) const { return at < m_lostUntil; }

    /// Whether any loss was met so far.
    bool hasLosses() const { return m_hasLosses; }

    /// Whether switches are recorded: without them threads have no states but those of their system calls.
    bool hasSwitches() const { return m_hasSwitches; }
    /// A switch whose context names another thread than the one that it takes off: its contexts number threads otherwise.
    void distrustContexts()
    {
        if (std::exchange(m_trustsContexts, false))
            m_threads.forgetAllRecorded();
    }

    /// The thread waits for that CPU.
    static void queue(HostTimestamp at, Thread& thread, const Cpu& cpu)
    {
        thread.cpu = cpu.number;
        thread.firstGap = cpu.gaps.count() - (cpu.isInGap(at) ? 1 : 0);
    }

    /// A system call event on this CPU: from now on modes are known here.
    void noteSyscalls(Cpu& cpu)
    {
        if (!cpu.hasSyscalls)
            noteFirstSyscall(cpu);
    }

    /// A system call that its event gives by its number only.
    struct NumberedCall {
        StringId name{};
        bool isYield = false;
        bool isSignalReturn = false;
    };
    NumberedCall numberedCall(std::int64_t number, bool isCompat);

    bool sawWaking = false; ///< Any sched_waking: wake-ups are then taken from it alone.
    bool sawWakeup = false; ///< Any wake-up event.
    bool sawSwitch = false;
    bool missesSwitches = false; ///< A CPU that was left to its idle thread had another one, though no event was lost.
    bool showsSignalReturns = false; ///< Returns from signal handlers have an exit event: those of kernels before 4.6.

private:
    /// What onEvents() wants to know of a type: little enough that all of them stay in the cache.
    struct Step {
        enum class Kind : std::uint8_t {
            None, ///< Nothing to do.
            Any, ///< There is a handler.
            Call, ///< The entry of a system call that its type names: neither sched_yield nor the return from a signal handler.
            Return,
        };
        Kind kind = Kind::None;
        StringId call{}; ///< Of a Call, and of a Return where its type names one.
        std::uint64_t key = 0; ///< What a Call or a Return makes of its thread.
    };

    static Step stepOf(const Binding& binding);
    void takeEvents(const EventRun& run);
    /// Where the trace has records of processes beside its events, they are taken in between.
    void takeWithRecords(const EventRun& run);
    /// Where events are samples: event by event.
    void takeWithSamples(const EventRun& run);
    void bindSamples();
    /// A sample says that its thread and its CPU are there.
    void noteSampled(const EventView& event, bool isOfCpu);
    void takeRecord(const ProcessRecord& record);
    void takeFork(const ProcessRecord& record);
    void takeExit(const ProcessRecord& record, Thread* thread);
    void bindTypes();
    bool isUsual(const Cpu& cpu) const;
    void commitSteps(Cpu& cpu, std::size_t count, bool isInCall);
    const EventRecord* takeCalls(const EventRecord* first, const EventRecord* end, Cpu& cpu);
    void handle(const EventRecord& record, const Binding& binding, EventView& event, Cpu& cpu);
    /// Whether the event's context says nothing new of the CPU's thread.
    bool isKnown(const Binding& binding, const EventView& event, const Cpu& cpu) const;
    /// Takes the CPU's thread, its process and name from the event's context where they are not known.
    void adopt(const Binding& binding, const EventView& event, Cpu& cpu);
    std::optional<std::int32_t> tidOfContext(const Binding& binding, const EventView& event) const;
    Thread* threadOfContext(const Binding& binding, const EventView& event, const Cpu& cpu);
    bool isOfNewCall(const Binding& binding, const EventView& event, const Thread& thread);
    void place(const EventView& event, Cpu& cpu, Thread& thread);
    void settle(Thread& thread);
    /// From now on the CPU's thread is not known, but will be.
    void awaitThread(HostTimestamp since, Cpu& cpu);
    void hold(HostTimestamp at, Cpu& cpu);
    void see(const EventView& event, Cpu& cpu, Thread& thread);
    void giveUp(Cpu& cpu);
    std::optional<HostTimestamp> packetBegin(const EventView& event, const Cpu& cpu) const;
    HostTimestamp beginOf(const EventView& event, const Cpu& cpu) const;
    void replay(HostTimestamp from, Cpu& cpu, Thread* thread);
    void show(HostTimestamp at, Cpu& cpu, Thread* thread, CpuState handler, StringId handlerName);
    void loseExits(HostTimestamp at, Cpu& cpu);
    void openGap(HostRange range, Cpu& cpu);
    void forgetFrequencies(HostRange range);
    void beCareful();
    void closeGap(HostRange range, Cpu& cpu);
    template <typename Action> void forEachCpuOf(const Loss& loss, Action action);
    void refreshUnusual(HostTimestamp at, Cpu& cpu);
    void noteFirstSyscall(Cpu& cpu);
    void setCpuState(HostTimestamp at, Cpu& cpu, CpuState state, StringId detail)
    {
        if (cpu.state == state && cpu.detail == detail)
            return;
        if (cpu.state != state)
            cpu.since = at;
        cpu.state = state;
        cpu.detail = detail;
        m_sink.set(at, cpu.track, toState(state), static_cast<std::uint32_t>(detail));
    }
    Cpu& addCpu(std::int32_t number);

    const Trace& m_trace;
    StateSink& m_sink;
    const RecordedPart m_part;
    Threads m_threads;
    Interrupts m_interrupts;
    PrevStates m_prevStates;
    const ContextFlags m_contextFlags;
    StateSetId m_cpuStates{};
    StateSetId m_cpuThreadStates{};
    std::span<const ProcessRecord> m_records; ///< Those still to be taken.
    /// What is read of a type whose events are samples.
    struct Sampled {
        bool isSample = false;
        bool isOfCpu = false; ///< They show that their CPU was not idle: tracepoints do not.
    };
    std::vector<Sampled> m_samples; ///< By EventTypeId; empty where no events are samples.
    bool m_hasSwitches = false; ///< Switches are recorded.
    bool m_trustsContexts = true; ///< They number threads as switches do.
    bool m_hasForks = false; ///< So are forks, as events.
    bool m_recordsExec = false; ///< sched_process_exec is recorded.
    bool m_knowsCallers = false; ///< So are system calls' entries and exits, each with its thread.
    std::vector<Binding> m_bindings; ///< By EventTypeId.
    std::vector<Step> m_steps; ///< The same.
    std::vector<Step> m_carefulSteps; ///< The same, none of them a Call or a Return.
    FlatMap m_callByNumber; ///< Indices in m_calls.
    std::vector<NumberedCall> m_calls;
    Architecture m_architecture = Architecture::X86;
    std::vector<Cpu*> m_cpus; ///< By number; null where none was seen.
    std::deque<Cpu> m_cpuStore; ///< Addresses stay.
    HostTimestamp m_lostUntil = HostTimestamp::min(); ///< On any CPU.
    Gaps m_gapsOfAll; ///< Those on an unknown CPU: they concern CPUs that are first seen later, too.
    HostTimestamp m_begin;
    std::uint64_t m_contradictions = 0; ///< Switches and wake-ups that do not follow those before them, although no loss was recorded.
    std::uint64_t m_held = 0; ///< Steps and links of CPUs whose thread is not known.
    std::uint64_t m_searches = 0; ///< CPUs asked for the gap that hides a step.
    bool m_hasLosses = false; ///< Any loss was met.
};

/// The handler of a kind of event; null for None.
EventHandler handlerOf(EventKind kind);

} // namespace helio::kernel
