#pragma once

#include "core/analyses/kernel/states.h"
#include "core/base/time.h"
#include "core/store/store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace helio::kernel {

/// Wake-ups of threads that have not run since. A wake-up is stored once it is known where its thread runs, because the CPU in a waking
/// event is the one used before (kernel/sched/core.c, try_to_wake_up(): trace_sched_waking() comes before select_task_rq()).
///
/// Each thread keeps the head of its own list.
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
            return hand(link);
        ++m_count;
        const std::uint32_t slot = m_free != None ? m_free : static_cast<std::uint32_t>(m_waiting.size());
        if (slot == m_waiting.size())
            m_waiting.emplace_back();
        else
            m_free = m_waiting[slot].next;
        m_waiting[slot] = {link, first};
        first = slot;
    }

    /// Stores all wake-ups of a list: their thread runs on CPU `ranOn`; NoCpu if unknown.
    void handAll(std::uint32_t& first, std::int32_t ranOn)
    {
        while (first != None) {
            Waiting& it = m_waiting[first];
            it.link.ranOn = ranOn;
            hand(it.link);
            const std::uint32_t handed = first;
            first = it.next;
            it.next = m_free;
            m_free = handed;
            --m_count;
        }
    }

    /// Sets the source of the links from that CPU whose `from` is still NoTrack: the CPU's thread, unknown until now.
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
    static constexpr std::uint32_t MostWaiting = 1 << 20; ///< Maximum of kept wake-ups; further ones are stored at once, without `ranOn`.

    struct Waiting {
        Link link;
        std::uint32_t next = None; ///< Index of the next wake-up of the same thread, or of the next free slot.
    };

    void hand(const Link& link)
    {
        if (link.from == NoTrack)
            m_wakerless.push_back(link);
        else
            m_sink.link(link);
    }

    StateSink& m_sink;
    std::vector<Waiting> m_waiting;
    std::vector<Link> m_wakerless; ///< Links from CPUs whose thread is unknown so far.
    std::uint32_t m_free = None;
    std::uint32_t m_count = 0; ///< Count of used slots in m_waiting.
};

/// The gaps in one CPU's events, in time order. Overlapping gaps (several channels may lose events at once) are merged.
///
/// Only the latest few hundred gaps are kept, so that a trace made of gaps cannot fill the memory. Waits that began before the kept gaps
/// are assumed to be older than all gaps.
class Gaps {
public:
    /// Adds a gap. Returns false if it was merged with the last one.
    bool add(HostRange range)
    {
        if (!m_recent.empty() && range.begin < m_recent.back().end) {
            m_recent.back().end = m_end = std::max(m_end, range.end);
            return false;
        }
        if (m_recent.size() == 2 * Kept) {
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
    HostTimestamp end() const { return m_end; } ///< End of the last gap.

    /// Returns the beginning of a gap; HostTimestamp::min() if it is no longer kept. Requires: number < count().
    HostTimestamp beginOf(std::uint32_t number) const
    {
        return number < m_dropped ? HostTimestamp::min() : m_recent[number - m_dropped].begin;
    }

    /// Returns the beginning of the first gap that ends after `since`; HostTimestamp::max() if there is none.
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

/// A command name as the kernel keeps it: at most 15 bytes, padded with zeros. Comparison covers the whole array and needs no length.
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

/// Execution mode of a thread while it has a CPU to itself.
enum class Mode : std::uint8_t {
    Unknown, ///< No system call event has shown the mode yet.
    User,
    Syscall,
};

/// The fields of a thread that most events compare and set. They fit into four bytes, so one load or store handles them all.
struct ThreadStatus {
    ThreadState state = ThreadState::Unknown;
    Mode mode = Mode::Unknown;
    bool isYielding = false; ///< True if the current system call is sched_yield.
    bool isAlive : 1 = false; ///< True if the thread has a row that has not ended.
    bool isKernelThread : 1 = false;
    bool isExiting : 1 = false; ///< True between sched_process_exit and the last switch-out.
    bool isInPageFault : 1 = false;
    bool isReturning : 1 = false; ///< True if the last system call was the return from a signal handler and its exit was not seen (yet).
    bool isUnrecorded : 1 = false; ///< True if the recording covers other threads only, so that the states of this one are unknown.
    std::uint8_t unused : 2 = 0;

    bool operator==(const ThreadStatus& other) const { return std::bit_cast<std::uint32_t>(*this) == std::bit_cast<std::uint32_t>(other); }
};

/// One thread: its place, its activity, and the state last stored for it. If the kernel uses a tid again, the new thread is another object:
/// another "life" of the tid. Members that most events use come first; members that are tested together lie together, in ThreadStatus.
struct Thread : ThreadStatus {
    std::int32_t tid = 0;
    TrackId track = NoTrack; ///< NoTrack for the idle thread, and for a zombie without a row so far.
    std::int32_t pid = -1;
    StringId title{}; ///< Text "comm (tid)".

    HostTimestamp since; ///< Beginning of the state last stored.
    TrackBoundaries* row = nullptr; ///< The sink's boundary row of `track`.
    StringId syscall{}; ///< Name of the system call; valid while mode is Syscall.
    StringId detail{}; ///< Detail stored with the state.

    /// True if a former life ended at its last switch-out; its sched_process_free is still to come and is then ignored.
    bool isFreePending = false;
    bool hasEvents = false; ///< True if an event other than a statedump referred to this life.
    bool isOnCpu = false;
    HostTimestamp returned; ///< Time of the return from a signal handler; valid while isReturning.
    HostTimestamp placed = HostTimestamp::min(); ///< Time of the last event that showed the thread's place: a switch, or its birth.
    std::int32_t cpu = -1; ///< CPU that the thread runs on or was last queued on; -1 if none.
    std::uint32_t firstGap = 0; ///< Index of the first gap of `cpu` that makes the thread unknown, if that gap occurs.
    std::uint32_t waking = Wakings::None; ///< Head of the list of wake-ups since the thread last ran, in Wakings.

    std::int32_t priority = 0;
    bool hasPriority = false;
    std::array<char, 16> rawComm{}; ///< Bytes of the event's field that `comm` was read from; zeros if `comm` has another source.
    Comm comm;
    StringId commId{};
    TrackId nameTrack = NoTrack;
    TrackId priorityTrack = NoTrack;
    std::int32_t parentTid = -1; ///< Tid of the parent according to an event or a record; the parent may have no row (yet).
    std::uint32_t life = 1;
    HostTimestamp born; ///< Beginning of the row.
};

/// Activity of a thread and its CPU while the thread has the CPU to itself.
struct CpuActivity {
    ThreadState thread;
    CpuState cpu;
};

/// Returns the activity. `knowsModes`: true if system calls are recorded on the CPU; a thread outside of system calls is then in user mode.
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

/// An interrupt handler that runs on top of a CPU's thread.
struct Handler {
    std::uint32_t row = 0;
    StringId name{};
    std::int64_t number = 0; ///< IRQ number or vector.
    HostTimestamp since; ///< Beginning of the handler.
};

/// Names of the timers whose callbacks are running on a CPU; an empty id if none is running.
struct Timers {
    StringId wheel{}; ///< Timer in the soft interrupt TIMER.
    /// Timer in the timer's interrupt (which may interrupt a timer of the wheel), or in the soft interrupt HRTIMER.
    StringId highResolution{};
};

/// Tid of the placeholder for an unknown thread.
constexpr std::int32_t UnseenTid = -1;

/// Activity of a CPU while its thread was unknown: from the beginning of its stream, or the end of a gap, to the first event that shows the
/// thread.
struct UnattributedRun {
    struct Step {
        HostTimestamp at;
        ThreadStatus standing; ///< Status of the thread after the step: mode, page fault, exit.
        StringId syscall{};
        CpuState handler = CpuState::Unknown; ///< Irq or Softirq if a handler interrupted the thread; Unknown if none did.
        StringId handlerName{}; ///< Name of that handler.
    };

    Thread thread; ///< Placeholder for the thread; has no row.
    /// Beginning of the time in which the thread is unknown. HostTimestamp::min() stands for the beginning of the stream whose event shows
    /// the thread.
    HostTimestamp since;
    std::vector<Step> steps;
    std::uint64_t links = 0; ///< Count of links from the thread.
};

/// A CPU: its thread, the handlers that interrupt it, and the state last stored for it.
struct Cpu {
    Thread* current = nullptr; ///< nullptr if unknown. The idle thread has tid 0.
    HostTimestamp lastEvent; ///< Time of the last event of this CPU.
    HostTimestamp since; ///< Beginning of `state`.
    StringId detail{}; ///< Detail stored with the state.
    CpuState state = CpuState::Unknown;
    bool hasSyscalls = false; ///< True if a system call event was seen on this CPU.
    bool isInSoftirq = false;
    TrackBoundaries* row = nullptr; ///< The sink's boundary row of `track`.
    TrackId track = NoTrack;
    std::int32_t number = -1;
    std::uint32_t irqCount = 0;
    std::array<Handler, 8> irqs{}; ///< Stack of the running hard interrupt handlers, innermost last.
    Handler softirq;
    Timers timers;
    TrackId threadTrack = NoTrack;
    TrackId frequencyTrack = NoTrack;

    TrackId leaver = NoTrack; ///< Last thread other than the idle thread that left this CPU; NoTrack if unknown.
    HostTimestamp leftAt; ///< Time when `leaver` left.
    std::int32_t leftTid = UnseenTid; ///< Tid of the thread (also the idle thread) that the last switch took off; UnseenTid if unknown.
    HostTimestamp switchedAt; ///< Time of the last switch.
    std::unique_ptr<UnattributedRun> unseen; ///< Allocated when first needed.

    Gaps gaps; ///< The CPU's gaps that have begun.
    bool hasLostRows = false; ///< True if the rows of the CPU's interrupts are shown as unknown.

    bool isInGap(HostTimestamp at) const { return gaps.isOpenAt(at); }
    bool isInterrupted() const { return irqCount > 0 || isInSoftirq; }
    /// Returns true if the CPU's thread is unknown and a later event can still show it.
    bool isUnseen() const { return current && current->tid == UnseenTid; }
    /// Returns Irq or Softirq, the handler that runs. Requires: isInterrupted().
    CpuState handlerState() const { return irqCount > 0 ? CpuState::Irq : CpuState::Softirq; }
    /// Returns the name of the handler that runs: the innermost hard interrupt, or else the soft interrupt. Requires: isInterrupted().
    StringId handlerName() const { return irqCount > 0 ? irqs[irqCount - 1].name : softirq.name; }
    /// Returns the interrupt that causes the current event: the running handler, or else a timer whose interrupt was not recorded. Empty if
    /// the thread causes it.
    StringId interruptName() const
    {
        constexpr std::int64_t HrtimerVector = 8; // HRTIMER_SOFTIRQ in include/linux/interrupt.h.
        if (irqCount > 0)
            return handlerName();
        if (timers.highResolution != StringId{} && !(isInSoftirq && softirq.number == HrtimerVector))
            return timers.highResolution;
        return isInSoftirq ? softirq.name : timers.wheel;
    }
};

} // namespace helio::kernel
