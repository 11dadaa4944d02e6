#pragma once

#include "core/analyses/kernel/gaps.h"
#include "core/analyses/kernel/states.h"
#include "core/analyses/kernel/wakings.h"
#include "core/store/store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace helio::kernel {

/// A command name as the kernel keeps it: at most 15 bytes. Compared as a whole, without its length.
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

/// What a thread executes when it has a CPU to itself.
enum class Mode : std::uint8_t {
    Unknown, ///< No system call event showed it yet.
    User,
    Syscall,
};

/// What is compared and set as a whole at most events: four bytes.
struct Standing {
    ThreadState state = ThreadState::Unknown;
    Mode mode = Mode::Unknown;
    bool isYielding = false; ///< Its system call is sched_yield.
    bool isAlive : 1 = false; ///< It has a row that has not ended.
    bool isKernelThread : 1 = false;
    bool isExiting : 1 = false; ///< Between sched_process_exit and its last switch-out.
    bool isInPageFault : 1 = false;
    bool isReturning : 1 = false; ///< Its last system call was the return from a signal handler, whose exit was not seen (yet).
    bool isUnrecorded : 1 = false; ///< The recording is of other threads: nothing says what it did.
    std::uint8_t unused : 2 = 0;

    bool operator==(const Standing& other) const { return std::bit_cast<std::uint32_t>(*this) == std::bit_cast<std::uint32_t>(other); }
};

/// One life of a thread. Where it is, what it does, and the state last stored for it. What nearly every event asks for comes first,
/// and what is tested together lies together: it is one load, and one store.
struct Thread : Standing {
    std::int32_t tid = 0;
    TrackId track = NoTrack; ///< NoTrack: the idle thread, or a zombie that has no row yet.
    std::int32_t pid = -1;
    StringId title{}; ///< "comm (tid)".

    HostTimestamp since; ///< When the state last stored began.
    BoundaryRow* row = nullptr; ///< The track's.
    StringId syscall{}; ///< While mode is Syscall.
    StringId detail{}; ///< As stored with the state.

    bool isFreeToCome = false; ///< A former life ended at its switch-out; its sched_process_free is still to be ignored.
    bool wasMentioned = false; ///< An event other than a statedump said something of this life.
    bool isOnCpu = false;
    HostTimestamp returned; ///< While isReturning: since when.
    HostTimestamp placed = HostTimestamp::min(); ///< When an event last showed where it was: a switch, or its birth.
    std::int32_t cpu = -1; ///< Where it runs or was last queued; -1: nowhere.
    std::uint32_t firstGap = 0; ///< The first of that CPU's gaps that concerns it, if it comes.
    std::uint32_t waking = Wakings::None; ///< The last wake-up that it did not run after.

    std::int32_t priority = 0;
    bool hasPriority = false;
    std::array<char, 16> rawComm{}; ///< The bytes it was taken from in an event; zeros where it has another source.
    Comm comm;
    StringId commId{};
    TrackId nameTrack = NoTrack;
    TrackId priorityTrack = NoTrack;
    std::int32_t parentTid = -1; ///< As an event or a record named it; its row may not be there (yet).
    std::uint32_t life = 1;
    HostTimestamp born; ///< The row's begin.
};

/// What a thread and its CPU do while it has the CPU to itself.
struct Doing {
    ThreadState thread;
    CpuState cpu;
};

/// `knowsModes`: system calls are recorded there, so that none is user mode.
inline Doing doingOnCpu(const Thread& thread, bool knowsModes)
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

/// Something that runs on top of a CPU's thread.
struct Handler {
    std::uint32_t row = 0;
    StringId name{};
    std::int64_t number = 0; ///< IRQ or vector.
    HostTimestamp since; ///< When it began.
};

/// Names of the timers whose functions a CPU calls; the empty text: none.
struct Timers {
    StringId wheel{}; ///< In the soft interrupt TIMER.
    StringId highResolution{}; ///< In the timer's interrupt, which may come while the other is at work, or in the soft interrupt HRTIMER.
};

/// The tid of who is not known.
constexpr std::int32_t UnseenTid = -1;

/// What a CPU did while it was not known which thread it had: from its stream's begin, or a gap's end, to the first event that shows it.
struct Unseen {
    struct Step {
        HostTimestamp at;
        Standing standing; ///< What the thread did then: its mode, page faults, its exit.
        StringId syscall{};
        CpuState handler = CpuState::Unknown; ///< Irq or Softirq: it was interrupted...
        StringId handlerName{}; ///< ...by that.
    };

    Thread thread; ///< Stands for it. Has no row.
    HostTimestamp since; ///< HostTimestamp::min(): the begin of the stream whose event shows the thread.
    std::vector<Step> steps;
    std::uint64_t links = 0; ///< How many are from the thread.
};

/// One CPU: its thread, what interrupts it, and the state last stored for it.
struct Cpu {
    Thread* current = nullptr; ///< Null: not known. The idle thread has tid 0.
    HostTimestamp lastEvent; ///< Of the events handed over.
    HostTimestamp since; ///< When `state` began.
    StringId detail{}; ///< As stored with the state.
    CpuState state = CpuState::Unknown;
    bool hasSyscalls = false; ///< A system call event was seen here.
    bool isInSoftirq = false;
    BoundaryRow* row = nullptr; ///< The track's.
    TrackId track = NoTrack;
    std::int32_t number = -1;
    std::uint32_t irqCount = 0;
    std::array<Handler, 8> irqs{}; ///< Hard interrupts that are being handled, innermost last.
    Handler softirq;
    Timers timers;
    TrackId threadTrack = NoTrack;
    TrackId frequencyTrack = NoTrack;

    TrackId leaver = NoTrack; ///< The last thread, not idle, that left...
    HostTimestamp leftAt; ///< ...and when.
    std::int32_t leftTid = UnseenTid; ///< Whom the last switch took off, the idle thread too...
    HostTimestamp switchedAt; ///< ...and when.
    std::unique_ptr<Unseen> unseen; ///< Made when it is first needed.

    Gaps gaps; ///< Those that have begun.
    bool hasLostRows = false; ///< Its interrupts are shown as unknown.

    bool isInGap(HostTimestamp at) const { return gaps.isOpenAt(at); }
    bool isInterrupted() const { return irqCount > 0 || isInSoftirq; }
    /// Its thread will be known by an event to come.
    bool isUnseen() const { return current && current->tid == UnseenTid; }
    /// Of the two that interrupt. Requires: isInterrupted().
    CpuState handlerState() const { return irqCount > 0 ? CpuState::Irq : CpuState::Softirq; }
    /// Name of the innermost handler of the highest precedence. Requires: isInterrupted().
    StringId handlerName() const { return irqCount > 0 ? irqs[irqCount - 1].name : softirq.name; }
    /// The interrupt that what happens now is the doing of: the handler, else the timer whose interrupt was not recorded. The empty text:
    /// none, so that it is the thread's.
    StringId interruptName() const
    {
        constexpr std::int64_t HrtimerVector = 8; // enum in include/linux/interrupt.h
        if (irqCount > 0)
            return handlerName();
        if (timers.highResolution != StringId{} && !(isInSoftirq && softirq.number == HrtimerVector))
            return timers.highResolution;
        return isInSoftirq ? softirq.name : timers.wheel;
    }
};

} // namespace helio::kernel
