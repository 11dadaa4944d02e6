#pragma once

#include "core/analyses/kernel/states.h"
#include "core/base/time.h"
#include "core/store/store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace helio::kernel {

/// Wake-ups of threads that have not run since they were woken. A wake-up is passed on to the sink only when the CPU on which the thread
/// then runs is known. The CPU in a waking event does not tell this: it is the thread's previous CPU (kernel/sched/core.c,
/// try_to_wake_up(): trace_sched_waking() comes before select_task_rq()).
///
/// The wake-ups of each thread form a linked list, whose head is kept in the thread.
/// Cost: one comparison for a thread without wake-ups.
class Wakings {
public:
    static constexpr std::uint32_t None = 0xffffffff;

    explicit Wakings(StateSink& sink)
        : m_sink(sink)
    {
    }

    void add(std::uint32_t& first, const Link& link)
    {
        if (m_count >= MostWaiting)
            return write(link);
        ++m_count;
        const std::uint32_t slot = m_free != None ? m_free : static_cast<std::uint32_t>(m_waiting.size());
        if (slot == m_waiting.size())
            m_waiting.emplace_back();
        else
            m_free = m_waiting[slot].next;
        m_waiting[slot] = {link, first};
        first = slot;
    }

    /// Passes all wake-ups of a thread's list on to the sink and empties the list. `first`: head of the list. `ranOn`: CPU on which the
    /// thread runs after the wake-ups; NoCpu if unknown.
    void writeAll(std::uint32_t& first, std::int32_t ranOn)
    {
        while (first != None) {
            Waiting& it = m_waiting[first];
            it.link.ranOn = ranOn;
            write(it.link);
            const std::uint32_t handed = first;
            first = it.next;
            it.next = m_free;
            m_free = handed;
            --m_count;
        }
    }

    /// Sets the waker of all kept wake-ups on `cpu` that have none, because the CPU's thread became known. `from`: the row of that thread.
    void setWaker(std::uint32_t cpu, TrackId from)
    {
        for (Waiting& it : m_waiting)
            if (it.link.from == NoTrack && it.link.cpu == cpu)
                it.link.from = from;
        for (Link& link : m_wakerless)
            if (link.cpu == cpu)
                link.from = from;
        for (const Link& link : m_wakerless)
            if (link.from != NoTrack)
                m_sink.link(link);
        std::erase_if(m_wakerless, [](const Link& link) { return link.from != NoTrack; });
    }

private:
    /// Maximum number of kept wake-ups. Further wake-ups are passed on to the sink immediately, without the CPU on which the thread runs
    /// afterwards.
    static constexpr std::uint32_t MostWaiting = 1 << 20;

    struct Waiting {
        Link link;
        /// Index of the next wake-up of the same thread. In a free element of m_waiting: index of the next free element.
        std::uint32_t next = None;
    };

    void write(const Link& link)
    {
        if (link.from == NoTrack)
            m_wakerless.push_back(link);
        else
            m_sink.link(link);
    }

    StateSink& m_sink;
    std::vector<Waiting> m_waiting;
    std::vector<Link> m_wakerless; ///< Links of wake-ups by unknown threads, on CPUs whose thread is not known yet.
    std::uint32_t m_free = None;
    std::uint32_t m_count = 0; ///< Number of used elements in m_waiting.
};

/// The gaps of lost events of one CPU, in time order. Overlapping gaps, e.g. of several channels, are merged.
///
/// Only the latest few hundred gaps are kept, to bound the memory. Waits that began before the kept gaps are assumed to be older than all
/// gaps.
class Gaps {
public:
    /// Adds a gap. Returns false if the gap was merged with the last gap.
    bool add(HostRange range)
    {
        if (!m_recent.empty() && range.begin < m_recent.back().end) {
            m_recent.back().end = m_end = std::max(m_end, range.end);
            return false;
        }
        if (m_recent.size() == std::size_t{2} * Kept) {
            m_recent.erase(m_recent.begin(), m_recent.begin() + Kept);
            m_dropped += Kept;
        }
        m_recent.push_back(range);
        m_end = range.end;
        return true;
    }

    bool isEmpty() const { return m_recent.empty(); }
    std::uint32_t count() const { return m_dropped + static_cast<std::uint32_t>(m_recent.size()); }
    bool isOpenAt(HostTimestamp at) const { return at < m_end; }
    HostTimestamp end() const { return m_end; } ///< End of the last gap of lost events.

    /// Returns the beginning of gap `number`; HostTimestamp::min() if the gap is no longer kept. Requires: number < count().
    HostTimestamp beginOf(std::uint32_t number) const
    {
        return number < m_dropped ? HostTimestamp::min() : m_recent[number - m_dropped].begin;
    }

    /// Returns the beginning of the first gap that ends after `since`; HostTimestamp::max() if no gap does.
    HostTimestamp firstAfter(HostTimestamp since) const
    {
        const auto isOver = [since](const HostRange& range) { return range.end <= since; };
        const auto first = std::partition_point(m_recent.begin(), m_recent.end(), isOver);
        return first != m_recent.end() ? first->begin : HostTimestamp::max();
    }

private:
    static constexpr int Kept = 512;

    std::vector<HostRange> m_recent;
    std::uint32_t m_dropped = 0;
    HostTimestamp m_end = HostTimestamp::min();
};

/// The times at which a CPU had no thread to run, in time order. Only the latest 1024 are kept, to bound the memory; earlier times count as
/// busy.
class IdleTimes {
public:
    void begin(HostTimestamp at)
    {
        if (!m_since)
            m_since = at;
    }
    void end(HostTimestamp at)
    {
        if (!m_since)
            return;
        if (m_known.size() == std::size_t{2} * Kept)
            m_known.erase(m_known.begin(), m_known.begin() + Kept);
        if (*m_since < at)
            m_known.push_back({*m_since, at});
        m_since.reset();
    }

    /// Returns the time in the range during which the CPU was idle.
    Duration in(HostRange range) const
    {
        Duration sum{};
        for (auto it = firstEndingAfter(range.begin); it != m_known.end() && it->begin < range.end; ++it)
            sum += std::min(it->end, range.end) - std::max(it->begin, range.begin);
        return m_since && *m_since < range.end ? sum + (range.end - std::max(*m_since, range.begin)) : sum;
    }
    /// Returns true if the CPU became idle in the range.
    bool beganIn(HostRange range) const
    {
        const auto isIn = [range](HostTimestamp at) { return at >= range.begin && at < range.end; };
        return (m_since && isIn(*m_since))
            || std::any_of(firstEndingAfter(range.begin), m_known.end(), [&](const HostRange& it) { return isIn(it.begin); });
    }

private:
    static constexpr int Kept = 1024;

    std::vector<HostRange>::const_iterator firstEndingAfter(HostTimestamp at) const
    {
        return std::partition_point(m_known.begin(), m_known.end(), [at](const HostRange& it) { return it.end <= at; });
    }

    std::vector<HostRange> m_known;
    std::optional<HostTimestamp> m_since; ///< Beginning of the current idle time; nullopt if the CPU is not idle.
};

/// A command name as the kernel stores it: at most 15 bytes, padded with zeros. The comparison covers the whole array and needs no length.
class Comm {
public:
    Comm() = default;
    explicit Comm(std::string_view text)
    {
        const std::size_t size = std::min(text.size(), m_bytes.size() - 1);
        std::copy_n(text.data(), size, m_bytes.data());
    }
    std::string_view text() const { return m_bytes.data(); }
    bool isEmpty() const { return m_bytes[0] == 0; }
    bool operator==(const Comm&) const = default;

private:
    std::array<char, 16> m_bytes{};
};

/// Execution mode of a thread that has a CPU. Interrupts do not change it.
enum class Mode : std::uint8_t {
    Unknown, ///< The mode is not known yet, because no system call event was seen.
    User,
    Syscall,
};

/// The members of Thread that most events compare and set. They fit into four bytes, so that a single load or store accesses all of them.
struct ThreadStatus {
    ThreadState state = ThreadState::Unknown;
    Mode mode = Mode::Unknown;
    bool isYielding = false; ///< True if the current system call is sched_yield.
    bool isAlive : 1 = false; ///< True if the thread has a row that has not ended.
    bool isKernelThread : 1 = false;
    bool isExiting : 1 = false; ///< True between sched_process_exit and the last switch-out.
    bool isInPageFault : 1 = false;
    bool isReturning : 1 = false; ///< True if the last system call was the return from a signal handler, and its exit was not seen so far.
    bool isUnrecorded : 1 = false; ///< True if the recording covers only other threads, so that the states of this thread are unknown.
    std::uint8_t unused : 2 = 0;

    bool operator==(const ThreadStatus& other) const { return std::bit_cast<std::uint32_t>(*this) == std::bit_cast<std::uint32_t>(other); }
};

struct Thread;

/// The threads of one process.
struct Process {
    std::vector<Thread*> members; ///< Threads that are or were in the process.
    HostTimestamp lastSwitch; ///< Time of the last switch-in or switch-out of any thread of the process.
};

/// A thread's wait for a CPU, with the CPUs on which it was queued. Only the last CPUs are kept, to bound the memory.
struct QueuedWait {
    struct Place {
        std::int32_t cpu = -1;
        HostTimestamp since;
        /// Time from which on the thread is surely in the CPU's run queue. If the CPU becomes idle after this time, the scheduler did not
        /// allow the thread to run.
        HostTimestamp enqueued;
    };
    static constexpr std::size_t MostPlaces = 3;

    HostTimestamp since; ///< Time when the wait began.
    std::array<Place, MostPlaces> places{}; ///< CPUs on which the thread was queued, in time order; only the first `count` are used.
    std::uint8_t count = 0; ///< Number of used elements of `places`.
};

/// A thread: its CPU, its activity, and its last stored state. If the kernel reuses the TID, the object is reset for the new thread, and
/// `life` increases by 1. Members that most events use come first; members that are tested together are in ThreadStatus.
struct Thread : ThreadStatus {
    std::int32_t tid = 0;
    TrackId track = NoTrack; ///< Row of the thread; NoTrack for the idle thread, and for a zombie that has no row yet.
    std::int32_t pid = -1;
    StringId title{}; ///< Text "comm (tid)" that stands for the thread in the rows of CPUs.

    HostTimestamp since; ///< Beginning of the thread's latest state that was stored.
    TrackBoundaries* row = nullptr; ///< Boundaries between the states of the row `track`, kept by the sink.
    StringId syscall{}; ///< Name of the system call that the thread is in; valid while `mode` is Syscall.
    StringId detail{};

    /// True if a previous thread with this TID has exited and left its CPU for the last time. Its sched_process_free event is still to come
    /// and must not end the current thread.
    bool isFreePending = false;
    bool hasEvents = false; ///< True if an event other than a statedump referred to this thread.
    bool isOnCpu = false;
    HostTimestamp returned; ///< Time of the return from a signal handler; valid if isReturning.
    /// Time of the last event that determined whether and where the thread runs: a switch, or the thread's creation.
    HostTimestamp placed = HostTimestamp::min();
    std::int32_t cpu = -1; ///< Number of the CPU on which the thread runs or was last queued; -1 if none.
    std::uint32_t firstGap = 0; ///< Number, in Cpu::gaps of `cpu`, of the first gap of lost events that makes the thread's state unknown.
    HostTimestamp knownSince; ///< Time since which the thread's state has been known; valid if the state is not Unknown.
    Process* process = nullptr; ///< The thread's process; nullptr if unknown.
    QueuedWait queue; ///< Wait for a CPU; valid while the thread is runnable and not on a CPU.
    std::uint32_t waking = Wakings::None; ///< Head of the list, in Wakings, of the wake-ups since the thread last ran.

    std::int32_t priority = 0;
    bool hasPriority = false;
    std::array<char, 16> rawComm{}; ///< Bytes of the event field from which `comm` was read; zeros if `comm` has another source.
    Comm comm;
    StringId commId{};
    TrackId nameTrack = NoTrack;
    TrackId priorityTrack = NoTrack;
    std::int32_t parentTid = -1; ///< TID of the parent according to an event or a process record. The parent may not have a row yet.
    std::uint32_t life = 1; ///< Number of threads so far that have had the TID, including this thread.
    HostTimestamp born; ///< Time when the thread's row begins.
};

constexpr bool isRunnable(ThreadState state) { return state == ThreadState::WaitCpu || state == ThreadState::Preempted; }

/// States of a running thread and of its CPU, if no interrupt is being handled.
struct CpuActivity {
    ThreadState thread;
    CpuState cpu;
};

/// Returns the states of a thread that runs and of its CPU. `knowsModes`: true if system calls are recorded on the CPU, so that a thread
/// outside of system calls is in user mode.
inline CpuActivity activityOnCpu(const Thread& thread, bool knowsModes)
{
    if (thread.isExiting | thread.isInPageFault) [[unlikely]]
        return {thread.isExiting ? ThreadState::Exiting : ThreadState::PageFault,
                thread.mode == Mode::Syscall ? CpuState::Syscall : CpuState::Kernel};
    if (thread.isKernelThread) [[unlikely]]
        return {ThreadState::RunningKernel, CpuState::Kernel};
    if (thread.mode == Mode::Syscall)
        return {ThreadState::RunningSyscall, CpuState::Syscall};
    if (thread.mode == Mode::User && knowsModes)
        return {ThreadState::RunningUser, CpuState::User};
    return {ThreadState::Running, CpuState::Running};
}

/// An interrupt handler that interrupts a CPU's thread.
struct Handler {
    std::uint32_t row = 0;
    StringId name{};
    std::int64_t number = 0; ///< IRQ number or vector of a hard interrupt; softirq vector of a softirq.
    HostTimestamp since; ///< Time when the handler began.
};

/// Names of the timers whose callbacks are running on a CPU; empty ids if none is running.
struct Timers {
    StringId wheel{}; ///< Timer of the timer wheel, which runs in the softirq TIMER.
    /// High-resolution timer (hrtimer), which runs in the softirq HRTIMER or in the timer interrupt. The interrupt can occur while a
    /// timer of the timer wheel is running.
    StringId highResolution{};
};

/// TID of the placeholder for a thread that is not known yet.
constexpr std::int32_t UnseenTid = -1;

/// Activity of a CPU while its thread is unknown: from the beginning of the stream or the end of a gap, to the first event that shows the
/// thread.
struct UnattributedRun {
    struct Step {
        HostTimestamp at;
        ThreadStatus status; ///< State of the thread after this step: its mode, and whether it is in a page fault or exiting.
        StringId syscall{};
        CpuState handler = CpuState::Unknown; ///< Irq or Softirq if a handler was interrupting the thread; else Unknown.
        StringId handlerName{}; ///< Name of the handler that interrupted the thread.
    };

    Thread thread; ///< Placeholder for the CPU's thread until an event shows it; has no row.
    /// Beginning of the time in which the thread is unknown. HostTimestamp::min() means the beginning of the event stream; the stream is
    /// known only when an event shows the thread.
    HostTimestamp since;
    std::vector<Step> steps;
    std::uint64_t links = 0; ///< Number of wake-ups that the unknown thread caused and for which links are kept.
};

/// A CPU: its thread, the handlers that interrupt the thread, and the CPU's last stored state.
struct Cpu {
    Thread* current = nullptr; ///< Thread on the CPU; nullptr if unknown. The idle thread has TID 0.
    HostTimestamp lastEvent; ///< Time of the last event of this CPU.
    HostTimestamp since; ///< Time when `state` began.
    StringId detail{}; ///< Value that was stored with `state`, e.g. the title of the thread.
    CpuState state = CpuState::Unknown;
    bool hasSyscalls = false; ///< True if a system call event was seen on this CPU.
    bool isInSoftirq = false;
    TrackBoundaries* row = nullptr; ///< Boundaries between the states of the row `track`, kept by the sink.
    TrackId track = NoTrack;
    std::int32_t number = -1;
    std::uint32_t irqCount = 0;
    std::array<Handler, 8> irqs{}; ///< Stack of the running hard interrupt handlers, innermost last.
    Handler softirq;
    Timers timers;
    TrackId threadTrack = NoTrack;
    TrackId frequencyTrack = NoTrack;

    TrackId leaver = NoTrack; ///< Last thread other than the idle thread that left this CPU; NoTrack if unknown.
    HostTimestamp leftAt; ///< Time when the thread `leaver` was switched out.
    /// TID of the thread (possibly the idle thread) that was switched out by the last switch; UnseenTid if unknown.
    std::int32_t leftTid = UnseenTid;
    HostTimestamp switchedAt; ///< Time of the CPU's last switch.
    std::unique_ptr<UnattributedRun> unattributed; ///< Activity of the CPU while its thread is unknown; nullptr until first needed.

    IdleTimes idleTimes;
    Gaps gaps; ///< Gaps of lost events on this CPU that have begun.
    bool hasLostRows = false; ///< True if the rows of the CPU's interrupts are shown as unknown.

    bool isInGap(HostTimestamp at) const { return gaps.isOpenAt(at); }
    bool isInterrupted() const { return irqCount > 0 || isInSoftirq; }
    /// Returns true if the CPU's thread is unknown but a later event can show it.
    bool isUnseen() const { return current && current->tid == UnseenTid; }
    /// Returns Irq or Softirq, the kind of the running handler. Requires: isInterrupted().
    CpuState handlerState() const { return irqCount > 0 ? CpuState::Irq : CpuState::Softirq; }
    /// Returns the name of the running handler: the innermost hard interrupt, or else the softirq. Requires: isInterrupted().
    StringId handlerName() const { return irqCount > 0 ? irqs[irqCount - 1].name : softirq.name; }
    /// Returns the interrupt in which the current event occurs: the running handler, or else a timer whose interrupt was not recorded.
    /// Empty if the event occurs in the thread.
    StringId interruptName() const
    {
        constexpr std::int64_t HrtimerVector = 8; // Vector of the softirq HRTIMER: HRTIMER_SOFTIRQ in include/linux/interrupt.h.
        if (irqCount > 0)
            return handlerName();
        if (timers.highResolution != StringId{} && !(isInSoftirq && softirq.number == HrtimerVector))
            return timers.highResolution;
        return isInSoftirq ? softirq.name : timers.wheel;
    }
};

} // namespace helio::kernel
