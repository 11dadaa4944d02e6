#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Meaning of a state, for code that counts or explains states independently of their names. The numbers are stored in files: only append.
enum class StateCategory : std::uint8_t {
    None, ///< No category applies.
    OnCpu, ///< Running on a CPU; unknown whether in user space or in the kernel.
    OnCpuUser,
    OnCpuSyscall, ///< Running in the kernel, in the thread's own system call.
    OnCpuKernel, ///< Running in the kernel, but not in a system call of the thread.
    OnCpuInterrupt, ///< Interrupted: an interrupt handler has the CPU.
    OnCpuExit, ///< Exiting; the last state of the thread.
    WaitsForCpu, ///< Runnable, waiting for a CPU.
    Preempted, ///< Runnable, preempted by another thread.
    Waits, ///< Blocked: waiting for something that it needs to continue, for example a disk or a lock.
    Rests, ///< Idle: without work.
    OffCpu, ///< Not on a CPU; unknown whether blocked or idle.
    Unknown, ///< Unknown, because no event shows the state.
    Throttled, ///< Runnable, but kept off an idle CPU, probably by a CPU quota.
};
constexpr StateCategory LastStateCategory = StateCategory::Throttled;

/// Returns the word for a category, used for states without a name of their own.
constexpr std::string_view wordOf(StateCategory it)
{
    constexpr std::string_view Words[] = {
        "none",          "on-cpu",    "on-cpu-user", "on-cpu-syscall", "on-cpu-kernel", "on-cpu-interrupt", "on-cpu-exit",
        "waits-for-cpu", "preempted", "waits",       "rests",          "off-cpu",       "unknown",          "throttled"};
    return Words[static_cast<std::size_t>(it)];
}

constexpr bool isOnCpu(StateCategory it) { return it >= StateCategory::OnCpu && it <= StateCategory::OnCpuExit; }
/// True if the track is blocked, idle, or not on a CPU for an unknown reason.
constexpr bool isOffCpu(StateCategory it)
{
    return it == StateCategory::Waits || it == StateCategory::Rests || it == StateCategory::OffCpu;
}
constexpr bool isAtRest(StateCategory it)
{
    return it == StateCategory::Rests || it == StateCategory::OffCpu || it == StateCategory::Unknown;
}
constexpr bool isRunnable(StateCategory it)
{
    return it == StateCategory::WaitsForCpu || it == StateCategory::Preempted || it == StateCategory::Throttled;
}

/// Fill pattern of the bars of a state.
enum class BarPattern : std::uint8_t { Plain, Hatched, Line, Dashed, Dotted, CutCorner, Fence };

/// Flags of StateStyle; the numbers are stored in files.
namespace StateFlag {
enum : std::uint8_t {
    Labelled = 1, ///< Bars that are long enough show their value as text.
    InHeader = 2, ///< The state has an entry in the header of the panel.
    /// The value determines the colour of a bar, for example the thread on a CPU. If the value is a text that is the name of a state of the
    /// set, the bar has that state's colour.
    ColoredByValue = 4,
    ExplainedInTips = 8, ///< Tooltips that name a bar by its value also contain StateStyle::words.
    /// Bars are named by their value, for example the name of a thread; the name of this state only says what the value is.
    NamedByValue = 16,
    ActivityKnown = 32, ///< For StateCategory::Unknown and OffCpu: the activity is known, but not whether the track had a CPU.
    AlwaysVisible = 64, ///< For rows that are mostly empty: even a very short bar is drawn high enough to be found.
};
}

/// Minimum StateStyle::order of resting states. A resting state is drawn as a line, and only where no other state is drawn.
constexpr int RestingOrder = 100;

/// Style of a state, chosen by the analysis that declares the state.
struct StateStyle {
    /// A colour role of the themes (e.g. "thread.blocked") or "#rrggbb". For any other text, the hash of the state's name selects a
    /// category colour.
    std::string color;
    std::string words; ///< Text for tooltips, for example "Blocked (uninterruptible)"; if empty, the state's name is used.
    std::string legend; ///< Text for legends and short texts, for example "blocked"; if empty, the state's name is used.
    std::uint8_t height = 16; ///< Height of a bar, in sixteenths of the row's height.
    BarPattern drawing = BarPattern::Plain;
    /// Position of the state if several states are drawn in one pixel column as a stack; lower positions are nearer to the baseline.
    std::uint8_t order = 20;
    /// Severity of an error state, higher is worse; 0 for normal states. A state with a severity is never hidden by other states.
    std::uint8_t severity = 0;
    std::uint8_t flags = StateFlag::Labelled;
    std::string valueTitle{}; ///< Title of the state's values, for example "Handler"; empty if the values have no title.
    std::string connective{}; ///< Word between legend and value, for example "in" for "sleeping in read".

    bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
    bool operator==(const StateStyle&) const = default;
};

/// One state of a StateSet.
struct StateKind {
    std::string name; ///< Name of the state in files and output, for example "running-user"; unique in its set.
    StateCategory meaning = StateCategory::None;
    StateStyle style{};
    bool operator==(const StateKind&) const = default;
};

/// True if the track does nothing known in this state: the state is idle, off-CPU or unknown. A state with StateFlag::ActivityKnown is at
/// rest only if its drawing order is RestingOrder or higher.
inline bool isAtRest(const StateKind& it)
{
    return isAtRest(it.meaning) && (!it.style.has(StateFlag::ActivityKnown) || it.style.order >= RestingOrder);
}
inline bool isUnknown(const StateKind& it) { return it.meaning == StateCategory::Unknown && !it.style.has(StateFlag::ActivityKnown); }

/// True if the state is unknown and no bar is drawn for it; samples may show what the track did.
inline bool isUnknownAtRest(const StateKind& it) { return it.meaning == StateCategory::Unknown && isAtRest(it); }

/// The states of one type of track, indexed by State; at most MostStates.
struct StateSet {
    std::string id; ///< Stable identifier, for example "thread". Unique in its store; the same id means the same set in all stores.
    std::vector<StateKind> states;
    std::string title{}; ///< Heading of the states in the legend, for example "Threads"; empty if the legend omits the set.
    bool operator==(const StateSet&) const = default;
};

} // namespace helio
