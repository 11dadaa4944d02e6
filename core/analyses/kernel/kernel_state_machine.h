#pragma once

#include "core/analyses/kernel/binding.h"
#include "core/analyses/kernel/interrupts.h"
#include "core/analyses/kernel/syscall_names.h"
#include "core/analyses/kernel/threads.h"
#include "core/analysis/analysis.h"
#include "core/event_model/kernel_version.h"
#include "core/event_model/prev_state_decoder.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::kernel {

/// Decodes common_flags, which ftrace and perf record with each event: it tells whether an interrupt had the CPU (enum trace_flag_type in
/// include/linux/trace_events.h), even if no event of the interrupt was recorded. LTTng does not record it.
class ContextFlags {
public:
    explicit ContextFlags(std::string_view release)
        : m_marksSoftirqs(parseKernelVersion(release) == 0 || parseKernelVersion(release) >= FirstExact)
    {
    }

    /// Returns what had the CPU: "interrupt" or "softirq"; empty if it was the thread.
    std::string_view interruptOf(std::int64_t flags) const
    {
        if ((flags & (HardIrq | Nmi)) != 0)
            return "interrupt";
        return m_marksSoftirqs && (flags & Softirq) != 0 ? "softirq" : "";
    }

private:
    static constexpr std::int64_t HardIrq = 0x08;
    static constexpr std::int64_t Softirq = 0x10;
    static constexpr std::int64_t Nmi = 0x40;
    /// First kernel with exact flags (4.10). Older ones also set Softirq while a thread disables softirqs (tracing_generic_entry_update()
    /// tested SOFTIRQ_MASK).
    static constexpr int FirstExact = 4010;

    bool m_marksSoftirqs;
};

/// The kernel's state machine: the states of all threads, CPUs and interrupts, from scheduler, system call and interrupt events.
///
/// Rows of the view control-flow: `tid:N`, with attribute tracks for names and priorities. The row of a process is its leader's; its
/// threads and child processes are children of that row. Rows of the view resources: `cpu:N`, with children `cpu:N/thread`, `/frequency`,
/// `/irq:M`, `/ipi:V`, `/softirq:V`, and rows for the same interrupts over all CPUs. Links: wakeup, sched, migration.
///
/// An event changes the tables (Threads, Interrupts, the CPU); then refresh() stores the resulting states of the CPU and its thread.
///
/// Threads: to be used by one thread.
/// Cost: about 20 ns for each event, without the store; allocates only for new rows and names.
class KernelStateMachine final : public Analysis {
public:
    KernelStateMachine(const Trace& trace, StateSink& sink);

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

    // Accessors for the event handlers.

    StateSink& sink() { return m_sink; }
    Threads& threads() { return m_threads; }
    Interrupts& interrupts() { return m_interrupts; }
    PrevStateDecoder& prevStateDecoder() { return m_prevStateDecoder; }
    const ContextFlags& contextFlags() const { return m_contextFlags; }

    /// Returns the CPU; nullptr if the number exceeds Linux's limit.
    Cpu* cpu(std::int64_t number);

    /// Returns the thread that an event refers to, after settling what losses since its last event made unknown.
    Thread& touch(std::int32_t tid, HostTimestamp at)
    {
        Thread& thread = m_threads.get(tid, at);
        if (m_hasLosses)
            settle(thread);
        return thread;
    }

    /// Stores the current states of the CPU and its thread. Inlined, because most events are system calls: this saves a tenth of their
    /// cost.
    [[gnu::always_inline]] void refresh(HostTimestamp at, Cpu& cpu)
    {
        Thread* thread = cpu.current;
        if (!thread || thread->tid <= 0 || cpu.isInterrupted() || cpu.isInGap(at))
            return refreshUnusual(at, cpu);
        const CpuActivity doing = activityOnCpu(*thread, cpu.hasSyscalls);
        m_threads.setState(at, *thread, doing.thread);
        setCpuState(at, cpu, doing.cpu, thread->title);
    }

    /// Puts a thread (or the idle thread) on the CPU, removes it from the CPU where it was assumed to be, and stores the new states.
    void setCurrent(HostTimestamp at, Cpu& cpu, Thread& thread);

    /// Returns true if a kernel thread certainly remains one: its exec would have been recorded, or a loss explains its system calls.
    bool knowsKernelThreads() const { return m_hasLosses || m_recordsExec; }
    bool hasSelectedThreadsOnly() const { return !m_part.threads.empty(); }
    /// Returns true if the recording shows when the thread is on a CPU. The idle thread is never covered by a recording of some threads.
    bool isRecorded(const Thread& thread) const { return m_part.threads.empty() || (thread.tid > 0 && !thread.isUnrecorded); }
    /// Stores the state of a thread off CPU; Unknown if the thread could have got a CPU that is not recorded.
    void setOffCpuState(HostTimestamp at, Thread& thread, ThreadState state)
    {
        if (!m_part.hasAllCpus)
            thread.mode = Mode::Unknown; // The thread may have made other system calls meanwhile.
        m_threads.setState(at, thread, m_part.hasAllCpus ? state : ThreadState::Unknown);
    }
    /// Handles a thread that slept when it was last seen, in a recording of some threads: it has not run since, but it may have been woken.
    void sleptUnseen(Thread& thread);
    /// Makes CPU and thread unknown from that time on.
    void forget(HostTimestamp at, Cpu& cpu);
    /// Ends all interrupts of the CPU, because its thread acts: their exits were not recorded.
    void endInterrupts(HostTimestamp at, Cpu& cpu)
    {
        if (cpu.isInterrupted()) [[unlikely]]
            loseExits(at, cpu);
    }
    /// Makes unknown what was stored of the CPU and its thread since `from`, as far as the sink still holds it. The CPU keeps its thread.
    void rollBack(HostTimestamp from, Cpu& cpu);
    /// Handles a second wake-up of a thread that has not run since the first.
    void wokenAgain(HostTimestamp at, Thread& thread);

    /// Called when an event shows the CPU's thread. If it was unknown so far, the thread is assigned to the whole time in which it was
    /// unknown.
    void reveal(const EventView& event, Cpu& cpu, Thread& thread)
    {
        if (cpu.isUnseen()) [[unlikely]]
            see(event, cpu, thread);
    }

    /// Counts a wake-up by the CPU's thread while the thread is unknown.
    void holdLink(Cpu& cpu);

    /// Called when the CPU's thread turns up on another CPU, or another thread on this CPU. A switch is missing between the CPU's last
    /// event and `at`: CPU and thread are unknown from the last event on. A state that the last event set itself (e.g. a call ended, the
    /// thread got the CPU) is kept for 1 ns.
    void misplaced(HostTimestamp at, Cpu& cpu);

    /// Called when an event of a thread is impossible without a previous step that was not seen: the thread is unknown since the first
    /// loss that may hide the step.
    void missedStep(HostTimestamp at, Thread& thread);

    /// Returns the thread that makes a system call if switches are not recorded, so that CPUs have no threads; nullptr if the event does
    /// not name it. Time that losses hide is made unknown.
    Thread* callerOf(const Binding& binding, const EventView& event);
    /// Returns true if the event is the exit of another system call than the thread's current one, as far as the event tells.
    bool isOfOtherCall(const Binding& binding, const EventView& event, const Thread& thread);
    /// Called when, without any loss, the exit of the thread's current call is missing, or the entry of a call: the time of the missing
    /// event before `at` is unknown.
    void loseCall(HostTimestamp at, Cpu& cpu, Thread& thread);
    /// Stores the state that a thread's system calls show, if it is unknown whether the thread had a CPU since `at`.
    void setUnplacedState(HostTimestamp at, Thread& thread);

    /// Called when the thread turns up on the CPU without a switch: how it came there since the CPU's last event is unknown.
    void appeared(HostTimestamp at, const Cpu& cpu, Thread& thread);

    /// Returns true if events of that time were lost on any CPU, as far as known yet.
    bool isAnyLost(HostTimestamp at) const { return at < m_lostUntil; }

    /// Returns true if any loss was met so far.
    bool hasLosses() const { return m_hasLosses; }

    /// Returns true if switches are recorded. Without them, threads have only the states of their system calls.
    bool hasSwitches() const { return m_hasSwitches; }
    /// Called when the context of a switch names another thread than the one that the switch takes off: the contexts number threads
    /// differently.
    void distrustContexts()
    {
        if (std::exchange(m_trustsContexts, false))
            m_threads.forgetAllRecorded();
    }

    /// Notes that the thread waits for that CPU.
    static void queue(HostTimestamp at, Thread& thread, const Cpu& cpu)
    {
        thread.cpu = cpu.number;
        thread.firstGap = cpu.gaps.count() - (cpu.isInGap(at) ? 1 : 0);
    }

    /// Called for each system call event: from now on, modes are known on this CPU.
    void noteSyscalls(Cpu& cpu)
    {
        if (!cpu.hasSyscalls)
            noteFirstSyscall(cpu);
    }

    /// A system call that its event identifies by number only.
    struct NumberedCall {
        StringId name{};
        bool isYield = false;
        bool isSignalReturn = false;
    };
    NumberedCall numberedCall(std::int64_t number, bool isCompat);

    bool sawWaking = false; ///< True once sched_waking was seen; then it alone counts as wake-up.
    bool sawWakeup = false; ///< True once any wake-up event was seen.
    bool sawSwitch = false;
    bool missesSwitches = false; ///< True if another thread was on a CPU that had switched to its idle thread, although no event was lost.
    bool showsSignalReturns = false; ///< True if returns from signal handlers have an exit event, as in kernels before 4.6.

private:
    /// Action of onEvents() for an event type; so small that the array of all types stays in the cache.
    struct Step {
        enum class Kind : std::uint8_t {
            None, ///< No action.
            Any, ///< Calls the type's handler.
            Call, ///< Entry of the system call that the type names, other than sched_yield and the return from a signal handler.
            Return,
        };
        Kind kind = Kind::None;
        StringId call{}; ///< Name of the system call; empty for a Return whose type names none.
        std::uint64_t key = 0; ///< Key of the thread's state after a Call or a Return.
    };

    static Step stepOf(const Binding& binding);
    void takeEvents(const EventRun& run);
    /// Takes a run, and the process records of the trace in between.
    void takeWithRecords(const EventRun& run);
    /// Takes a run event by event, for traces with samples.
    void takeWithSamples(const EventRun& run);
    void bindSamples();
    /// Notes that the thread and the CPU of a sample exist.
    void noteSampled(const EventView& event, bool isOfCpu);
    void takeRecord(const ProcessRecord& record);
    void takeFork(const ProcessRecord& record);
    void takeExit(const ProcessRecord& record, Thread* thread);
    void bindTypes();
    bool isUsual(const Cpu& cpu) const;
    void commitSteps(Cpu& cpu, std::size_t count, bool isInCall);
    const EventRecord* takeCalls(const EventRecord* first, const EventRecord* end, Cpu& cpu);
    void handle(const EventRecord& record, const Binding& binding, EventView& event, Cpu& cpu);
    /// Returns true if the event's context says nothing new about the CPU's thread.
    bool isKnown(const Binding& binding, const EventView& event, const Cpu& cpu) const;
    /// Takes the CPU's thread, its process and its name from the event's context if they are unknown.
    void adopt(const Binding& binding, const EventView& event, Cpu& cpu);
    std::optional<std::int32_t> tidOfContext(const Binding& binding, const EventView& event) const;
    Thread* threadOfContext(const Binding& binding, const EventView& event, const Cpu& cpu);
    bool isOfNewCall(const Binding& binding, const EventView& event, const Thread& thread);
    void place(const EventView& event, Cpu& cpu, Thread& thread);
    void settle(Thread& thread);
    /// Makes the CPU's thread unknown until an event shows it.
    void awaitThread(HostTimestamp since, Cpu& cpu);
    void hold(HostTimestamp at, Cpu& cpu);
    void see(const EventView& event, Cpu& cpu, Thread& thread);
    void leaveUnattributed(Cpu& cpu);
    std::optional<HostTimestamp> packetBegin(const EventView& event, const Cpu& cpu) const;
    HostTimestamp beginOf(const EventView& event, const Cpu& cpu) const;
    void replay(HostTimestamp from, Cpu& cpu, Thread* thread);
    void show(HostTimestamp at, Cpu& cpu, Thread* thread, CpuState handler, StringId handlerName);
    void loseExits(HostTimestamp at, Cpu& cpu);
    void openGap(HostRange range, Cpu& cpu);
    void forgetFrequencies(HostRange range);
    void useCarefulSteps();
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
    const RecordingScope m_part;
    Threads m_threads;
    Interrupts m_interrupts;
    PrevStateDecoder m_prevStateDecoder;
    const ContextFlags m_contextFlags;
    StateSetId m_cpuStates{};
    StateSetId m_cpuThreadStates{};
    std::span<const ProcessRecord> m_records; ///< Process records that are not taken yet.
    /// Properties of an event type whose events may be samples.
    struct Sampled {
        bool isSample = false;
        bool isOfCpu = false; ///< True if its samples show that the CPU was not idle; false for tracepoints.
    };
    std::vector<Sampled> m_samples; ///< Indexed by EventTypeId; empty if the trace has no samples.
    bool m_hasSwitches = false; ///< True if switches are recorded.
    bool m_trustsContexts = true; ///< True while contexts number threads like switches do.
    bool m_hasForks = false; ///< True if forks are recorded as events.
    bool m_recordsExec = false; ///< True if sched_process_exec is recorded.
    bool m_knowsCallers = false; ///< True if all entries and exits of system calls are recorded, each with its thread.
    std::vector<Binding> m_bindings; ///< Indexed by EventTypeId.
    std::vector<Step> m_steps; ///< Indexed by EventTypeId.
    std::vector<Step> m_carefulSteps; ///< m_steps with Any in place of Call and Return.
    FlatMap m_callByNumber; ///< Indices into m_calls, by number.
    std::vector<NumberedCall> m_calls;
    Architecture m_architecture = Architecture::X86;
    std::vector<Cpu*> m_cpus; ///< Indexed by number; nullptr if the CPU was not seen.
    std::deque<Cpu> m_cpuStore; ///< A deque, because its elements keep their addresses.
    HostTimestamp m_lostUntil = HostTimestamp::min(); ///< End of the last gap on any CPU.
    Gaps m_gapsOfAll; ///< Gaps on unknown CPUs; they also affect CPUs that are first seen later.
    HostTimestamp m_begin;
    std::uint64_t m_contradictions = 0; ///< Count of switches and wake-ups that contradict earlier events although no loss was recorded.
    std::uint64_t m_held = 0; ///< Count of steps and links held for CPUs whose thread is unknown.
    std::uint64_t m_searches = 0; ///< Count of CPUs searched for gaps by missedStep().
    bool m_hasLosses = false; ///< True if any loss was met.
};

/// Returns the handler of a kind of event; nullptr for None.
EventHandler handlerOf(EventKind kind);

} // namespace helio::kernel
