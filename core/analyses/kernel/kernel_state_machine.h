#pragma once

#include "core/analyses/kernel/binding.h"
#include "core/analyses/kernel/call_waits.h"
#include "core/analyses/kernel/interrupts.h"
#include "core/analyses/kernel/threads.h"
#include "core/analysis/analysis.h"
#include "core/event_model/kernel_version.h"
#include "core/event_model/prev_state_decoder.h"
#include "core/trace/tracepoint/syscall_names.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::kernel {

/// Decodes the field common_flags, which ftrace and perf (but not LTTng) record with each event. The flags tell whether the event occurred
/// in an interrupt (enum trace_flag_type in include/linux/trace_events.h), even if the interrupt's own events were not recorded.
class ContextFlags {
public:
    explicit ContextFlags(std::string_view release)
        : m_marksSoftirqs(parseKernelVersion(release) == 0 || parseKernelVersion(release) >= FirstExact)
    {
    }

    /// Returns the context in which the event occurred: "interrupt" or "softirq"; empty if it was a thread.
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
    /// First kernel version (4.10) that sets Softirq only while a softirq runs. Older kernels also set Softirq while a thread has softirqs
    /// disabled (tracing_generic_entry_update() tested SOFTIRQ_MASK).
    static constexpr int FirstExact = 4010;

    bool m_marksSoftirqs;
};

/// The kernel state machine: computes the states of all threads, CPUs and interrupts from scheduler, system call and interrupt events.
///
/// Rows of the view control-flow: `tid:N`, with attribute tracks for names and priorities. A process is represented by its main thread's
/// row; its other threads and its child processes are children of that row. Rows of the view resources: `cpu:N`, with the children
/// `cpu:N/thread`, `/frequency`, `/irq:M`, `/ipi:V`, `/softirq:V`, and rows for the same interrupts on all CPUs together. Links: wakeup,
/// sched, migration.
///
/// An event handler changes the tables (Threads, Interrupts, Cpu); then refresh() stores the resulting states of the CPU and its thread.
///
/// Threads: used by one thread.
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

    /// Returns the CPU with this number; nullptr if the number exceeds Linux's limit.
    Cpu* cpu(std::int64_t number);

    /// Returns the thread with the TID `tid`. If the thread's CPU has lost events since the thread's last event, first marks the thread's
    /// state as unknown from the beginning of the loss on.
    Thread& touch(std::int32_t tid, HostTimestamp at)
    {
        Thread& thread = m_threads.get(tid, at);
        if (m_hasLosses)
            settle(thread);
        return thread;
    }

    /// Stores the current states of the CPU and its thread. Inlined, which saves a tenth of the analysis's time: most events are system
    /// calls, and each of them calls this function.
    [[gnu::always_inline]] void refresh(HostTimestamp at, Cpu& cpu)
    {
        Thread* thread = cpu.current;
        if (!thread || thread->tid <= 0 || cpu.isInterrupted() || cpu.isInGap(at))
            return refreshUnusual(at, cpu);
        const CpuActivity doing = activityOnCpu(*thread, cpu.hasSyscalls);
        m_threads.setState(at, *thread, doing.thread);
        setCpuState(at, cpu, doing.cpu, thread->title);
    }

    /// Puts a thread (or the idle thread) on the CPU, removes the thread from its previous CPU if it is still on that CPU, and stores the
    /// new states.
    void setCurrent(HostTimestamp at, Cpu& cpu, Thread& thread);

    /// True if a system call by a kernel thread proves that a switch is missing. False if the thread may have become a user-space thread
    /// unnoticed, because exec events are not recorded and no loss of events explains the call.
    bool knowsKernelThreads() const { return m_hasLosses || m_recordsExec; }
    bool hasSelectedThreadsOnly() const { return !m_part.threads.empty(); }
    /// Returns true if the recording shows when the thread is on a CPU. Recordings of selected threads never include the idle thread.
    bool isRecorded(const Thread& thread) const { return m_part.threads.empty() || (thread.tid > 0 && !thread.isUnrecorded); }
    /// Stores the state of a thread off CPU. Stores Unknown if some CPUs are not recorded, because the thread may have run on these.
    void setOffCpuState(HostTimestamp at, Thread& thread, ThreadState state)
    {
        if (!m_part.hasAllCpus)
            // The thread may have entered or left system calls on a CPU that is not recorded, so its mode is unknown.
            thread.mode = Mode::Unknown;
        m_threads.setState(at, thread, m_part.hasAllCpus ? state : ThreadState::Unknown);
    }
    /// Handles a thread that was asleep in its last recorded state and reappears without a wake-up, in a recording of selected threads. The
    /// state becomes Waiting, because the time of the wake-up is unknown.
    void sleptUnseen(Thread& thread);
    /// Marks the CPU and its thread as unknown from time `at` on.
    void forget(HostTimestamp at, Cpu& cpu);
    /// Ends all interrupts of the CPU, because an event shows that its thread is running: the exits of the interrupts are missing.
    void endInterrupts(HostTimestamp at, Cpu& cpu)
    {
        if (cpu.isInterrupted()) [[unlikely]]
            loseExits(at, cpu);
    }
    /// Marks the states of the CPU and its thread since `from` as unknown, except states that the sink can no longer change. The CPU keeps
    /// its thread.
    void rollBack(HostTimestamp from, Cpu& cpu);
    /// Handles a wake-up of a thread that, according to the events, has not run since its previous wake-up. This shows that events are
    /// missing.
    void wokenAgain(HostTimestamp at, Thread& thread);

    /// Called when an event shows which thread is on the CPU. If the CPU's thread was unknown until now, the states that the CPU had while
    /// its thread was unknown are assigned to this thread, too.
    void reveal(const EventView& event, Cpu& cpu, Thread& thread)
    {
        if (cpu.isUnseen()) [[unlikely]]
            see(event, cpu, thread);
    }

    /// Counts a wake-up by the CPU's unknown thread. The link of the wake-up is kept until an event shows the unknown thread, which is the
    /// waker. If too many links and states are kept for unknown threads, the CPU's thread stays unknown.
    void countHeldLink(Cpu& cpu);

    /// Called when the CPU's thread appears on another CPU, or when another thread appears on this CPU: a switch is missing between the
    /// CPU's last event and `at`. Marks the CPU and its thread as unknown since the last event. A state that began with the last event
    /// (e.g. at the end of a call, or at the switch-in) is kept for 1 ns.
    void misplaced(HostTimestamp at, Cpu& cpu);

    /// Called when an event of a thread is impossible without an earlier event that was not seen. Marks the thread as unknown since the
    /// first loss that may contain the missing event.
    void missedStep(HostTimestamp at, Thread& thread);

    /// Returns the thread whose TID is in the context of a system call's event; nullptr if the event has no TID. Used for recordings
    /// without switches, in which the threads on the CPUs are unknown. If events of the thread were lost before, marks the thread's
    /// state as unknown since the loss.
    Thread* callerOf(const Binding& binding, const EventView& event);
    /// Returns true if the event is the exit of a system call other than the thread's current one, as far as the event identifies the call.
    bool isOfOtherCall(const Binding& binding, const EventView& event, const Thread& thread);
    /// Called when a system call event of the thread is missing although no events were lost: the exit of its current call, or the entry of
    /// a later call. Marks the time before `at` in which the missing event occurred as unknown.
    void loseCall(HostTimestamp at, Cpu& cpu, Thread& thread);
    /// Stores the state of a thread from `at` on if it is unknown whether the thread has a CPU: in a system call, between system calls, or
    /// unknown.
    void setUnplacedState(HostTimestamp at, Thread& thread);

    /// Called when a thread appears on a CPU without a recorded switch to it. Marks the thread's state as unknown from the CPU's last event
    /// until `at`, because the switch occurred in between.
    void appeared(HostTimestamp at, const Cpu& cpu, Thread& thread);

    /// Returns true if events at time `at` were lost on any CPU. Considers only the losses that were found so far.
    bool isAnyLost(HostTimestamp at) const { return at < m_lostUntil; }

    bool hasLosses() const { return m_hasLosses; }

    /// Returns true if switches are recorded. Without switches, threads have only the states of their system calls.
    bool hasSwitches() const { return m_hasSwitches; }
    /// Called when the thread context of a switch differs from the thread that the switch takes off the CPU. Contexts then use another
    /// numbering of threads and are ignored from now on.
    void distrustContexts()
    {
        if (std::exchange(m_trustsContexts, false))
            m_threads.forgetAllRecorded();
    }

    /// Records that the thread begins to wait for a CPU. queueSwitchedOut(): because the thread was switched out; queue(): because of
    /// another event, e.g. a wake-up.
    static void queueSwitchedOut(HostTimestamp at, Thread& thread, const Cpu& cpu);
    static void queue(HostTimestamp at, Thread& thread, const Cpu& cpu)
    {
        thread.queue = {};
        requeue(at, thread, cpu);
    }
    /// Records that a thread that waits for a CPU is queued on `cpu` from `at` on.
    static void requeue(HostTimestamp at, Thread& thread, const Cpu& cpu);
    /// Called when a thread of the process gets a CPU, and at the end of the trace. Considers the threads of the process that have waited
    /// for a CPU for 10 ms or more, while no thread of the process ran, and while their CPUs were idle for more than half of the time.
    /// Stores the state Throttled for these threads if at least one of their CPUs became idle although a thread was queued on it.
    /// `entering`: the thread that gets the CPU `on`; nullptr at the end of the trace.
    void markThrottled(HostTimestamp at, Process& process, const Thread* entering, const Cpu* on);

    /// Called for each system call event. From the CPU's first system call event on, the modes of its threads (user mode or system call)
    /// are known.
    void noteSyscalls(Cpu& cpu)
    {
        if (!cpu.hasSyscalls)
            noteFirstSyscall(cpu);
    }

    /// A system call that its event identifies only by number.
    struct NumberedCall {
        StringId name{};
        bool isYield = false;
        bool isSignalReturn = false;
    };
    NumberedCall numberedCall(std::int64_t number, bool isCompat);

    bool sawWaking = false; ///< True if any sched_waking event was seen; other wake-up events are then ignored.
    bool sawWakeup = false; ///< True once any wake-up event was seen.
    bool sawSwitch = false;
    /// True if a thread appeared on a CPU that had switched to its idle thread, although no events were lost: switches are missing.
    bool missesSwitches = false;
    bool showsSignalReturns = false; ///< True if returns from signal handlers have an exit event, as in kernels before 4.6.

private:
    void takeWithoutCpu(const EventRecord& record, EventView& event);
    void takeWait(const EventRecord& record, const Binding& binding, EventView& event);
    /// Tells how onEvents() handles events of one type: by the type's handler, or by the fast path takeCalls(). Kept small so that the
    /// array for all types stays in the CPU's cache.
    struct Step {
        enum class Kind : std::uint8_t {
            None,
            Any, ///< Call the handler of the event type.
            Call, ///< Fast path for the entry of a named system call, except sched_yield and the return from a signal handler.
            Return,
        };
        Kind kind = Kind::None;
        StringId call{}; ///< Name of the system call. For Kind::Return, empty if the event type is the exit of any system call.
        /// State of the thread with its value after the entry (Kind::Call) or exit (Kind::Return) of the system call, as one number made by
        /// keyOf().
        std::uint64_t key = 0;
    };

    static Step stepOf(const Binding& binding);
    void takeEvents(const EventRun& run);
    /// Processes a run of events together with the process records in the same time range.
    void takeWithRecords(const EventRun& run);
    /// Processes the events of `run` one at a time. Used for traces with samples.
    void takeWithSamples(const EventRun& run);
    void bindSamples();
    /// Records that a sample shows a thread, and possibly a CPU.
    void noteSampled(const EventView& event, bool isOfCpu);
    void takeRecord(const ProcessRecord& record);
    void takeFork(const ProcessRecord& record);
    void takeExit(const ProcessRecord& record, Thread* thread);
    void bindTypes();
    bool isUsual(const Cpu& cpu) const;
    void commitSteps(Cpu& cpu, std::size_t count, bool isInCall);
    const EventRecord* takeCalls(const EventRecord* first, const EventRecord* end, Cpu& cpu);
    void handle(const EventRecord& record, const Binding& binding, EventView& event, Cpu& cpu);
    /// Returns true if the event's context adds nothing to what is known about the CPU's thread.
    bool isKnown(const Binding& binding, const EventView& event, const Cpu& cpu) const;
    /// Sets the CPU's thread, its process and its name from the event's context if they are unknown.
    void adopt(const Binding& binding, const EventView& event, Cpu& cpu);
    std::optional<std::int32_t> tidOfContext(const Binding& binding, const EventView& event) const;
    Thread* threadOfContext(const Binding& binding, const EventView& event, const Cpu& cpu);
    bool isOfNewCall(const Binding& binding, const EventView& event, const Thread& thread);
    void place(const EventView& event, Cpu& cpu, Thread& thread);
    void settle(Thread& thread);
    /// Marks the CPU's thread as unknown until an event shows it.
    void awaitThread(HostTimestamp since, Cpu& cpu);
    void hold(HostTimestamp at, Cpu& cpu);
    void see(const EventView& event, Cpu& cpu, Thread& thread);
    void leaveUnattributed(Cpu& cpu);
    Duration idleTime(const Thread& thread, HostRange range) const;
    bool isPassedOver(const Thread& thread, HostTimestamp until) const;
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
    std::span<const ProcessRecord> m_records; ///< Process records that are not processed yet.
    /// Tells whether the events of one type are samples, and whether they show that the CPU is busy.
    struct Sampled {
        bool isSample = false;
        bool isOfCpu = false; ///< True if samples show that the CPU was not idle; false for tracepoints.
    };
    /// For each event type, whether its events are samples (see Sampled). Indexed by EventTypeId; empty if the trace has no samples.
    std::vector<Sampled> m_samples;
    bool m_hasSwitches = false; ///< True if context switches are recorded.
    bool m_trustsContexts = true; ///< True while thread contexts use the same numbering as the switches.
    bool m_hasForks = false; ///< True if fork events are recorded.
    bool m_recordsExec = false; ///< True if sched_process_exec is recorded.
    CallWaits m_callWaits; ///< Finds waits in system calls, if the trace is a log of system calls with arguments (e.g. of strace).
    Cpu m_noCpu; ///< Stands for the CPU of events without one. It has no row and never has a thread.
    bool m_knowsCallers = false; ///< True if all entries and exits of system calls are recorded, with their threads.
    std::vector<Binding> m_bindings; ///< Handlers and fields of the event types, indexed by EventTypeId.
    std::vector<Step> m_steps; ///< How onEvents() handles the events of each type, indexed by EventTypeId.
    /// Replaces m_steps after a loss of events. Contains no fast path, so that handlers check all events.
    std::vector<Step> m_carefulSteps;
    FlatMap m_callByNumber; ///< Indices into m_calls, keyed by the number of the system call.
    std::vector<NumberedCall> m_calls;
    Architecture m_architecture = Architecture::X86;
    std::vector<Cpu*> m_cpus; ///< CPUs, indexed by number; nullptr if the CPU was not seen.
    std::deque<Cpu> m_cpuStore; ///< Storage of all CPUs; a deque, because its elements keep their addresses.
    HostTimestamp m_lostUntil = HostTimestamp::min(); ///< End of the latest gap of lost events on any CPU.
    Gaps m_gapsOfAll; ///< Gaps of lost events on unknown CPUs. They also affect CPUs that are first seen later.
    HostTimestamp m_begin;
    std::uint64_t m_contradictions = 0; ///< Number of switches and wake-ups that contradict earlier events although no events were lost.
    /// Number of states and wake-ups, on all CPUs together, that are kept in UnattributedRun::steps and Wakings until events show the CPUs'
    /// threads.
    std::uint64_t m_heldStepsAndLinks = 0;
    std::uint64_t m_searches = 0; ///< Number of times that missedStep() has searched a CPU's gaps.
    bool m_hasLosses = false;
};

/// Returns the handler for a kind of event; nullptr for EventKind::None.
EventHandler handlerOf(EventKind kind);

} // namespace helio::kernel
