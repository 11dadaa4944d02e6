#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Category of a state, for code that counts or explains states without knowing their names. The numbers are stored in files: append only.
enum class StateCategory : std::uint8_t {
    None, ///< No category applies.
    OnCpu, ///< Runs on a CPU; unknown whether in user space or in the kernel.
    OnCpuUser,
    OnCpuSyscall, ///< In the kernel, in the thread's own system call.
    OnCpuKernel, ///< In the kernel for any other reason.
    OnCpuInterrupt, ///< Interrupted: an interrupt handler has the CPU.
    OnCpuExit, ///< Exiting: the row ends with this state.
    WaitsForCpu, ///< Runnable, waits for a CPU.
    Preempted, ///< Runnable, lost its CPU to another thread.
    Waits, ///< Blocked: waits for something that it needs to go on, e.g. a disk or a lock.
    Rests, ///< Idle: has nothing to do.
    OffCpu, ///< Not on a CPU; unknown whether it waits or is idle.
    Unknown, ///< Unknown: no event tells.
};
constexpr StateCategory LastStateCategory = StateCategory::Unknown;

/// Returns the name of a category, used for states that have no name of their own.
constexpr std::string_view wordOf(StateCategory it)
{
    constexpr std::string_view Words[] = {
        "none",          "on-cpu",    "on-cpu-user", "on-cpu-syscall", "on-cpu-kernel", "on-cpu-interrupt", "on-cpu-exit",
        "waits-for-cpu", "preempted", "waits",       "rests",          "off-cpu",       "unknown"};
    return Words[static_cast<std::size_t>(it)];
}

constexpr bool isOnCpu(StateCategory it) { return it >= StateCategory::OnCpu && it <= StateCategory::OnCpuExit; }
/// True if the row is blocked or idle: it could not run.
constexpr bool isOffCpu(StateCategory it)
{
    return it == StateCategory::Waits || it == StateCategory::Rests || it == StateCategory::OffCpu;
}
constexpr bool isAtRest(StateCategory it)
{
    return it == StateCategory::Rests || it == StateCategory::OffCpu || it == StateCategory::Unknown;
}
constexpr bool isRunnable(StateCategory it) { return it == StateCategory::WaitsForCpu || it == StateCategory::Preempted; }

/// How the bar of a state is filled.
enum class BarPattern : std::uint8_t { Plain, Hatched, Line, Dashed, Dotted, CutCorner };

/// Flags of StateStyle; the numbers are stored in files.
namespace StateFlag {
enum : std::uint8_t {
    Labelled = 1, ///< Bars that are long enough show their value as text.
    InHeader = 2, ///< The state has an entry in the header of the panel.
    ColoredByValue = 4, ///< The value decides the colour of a bar, e.g. the thread that has a CPU. If the value is a text that names a
                        ///< state of the set, that state's colour is used.
    ExplainedInTips = 8, ///< Tooltips that name a bar by its value add StateStyle::words.
    NamedByValue = 16, ///< The value of a bar names its state; the name of this state only says what kind of value that is.
    ActivityKnown = 32, ///< For states with StateCategory::Unknown: the state says what the row does, but not whether it has a CPU.
    AlwaysVisible = 64, ///< For rows that are mostly empty: even a very short bar is drawn high enough to be found.
};
}

/// States with this order or a higher one are drawn as a line, where no other state is drawn.
constexpr int RestingOrder = 100;

/// Look of a state, chosen by the analysis that declares it.
struct StateStyle {
    std::string color; ///< A colour role of the themes (e.g. "thread.blocked") or "#rrggbb". For any other text, the hash of the state's
                       ///< name selects a category colour.
    std::string words; ///< Text for tooltips, e.g. "Blocked (uninterruptible)"; empty: the state's name.
    std::string legend; ///< Text for legends and short texts, e.g. "blocked"; empty: the state's name.
    std::uint8_t height = 16; ///< In sixteenths of the band's height.
    BarPattern drawing = BarPattern::Plain;
    std::uint8_t order = 20; ///< Position in a stack of states, from the baseline up.
    std::uint8_t severity = 0; ///< 0 for normal states. States above 0 are never hidden by others; higher is worse.
    std::uint8_t flags = StateFlag::Labelled;
    std::string valueTitle{}; ///< Title of the state's values, e.g. "Handler"; empty if unknown.
    std::string connective{}; ///< Word between the legend and the value, e.g. "in" for "sleeping in read".

    bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
    bool operator==(const StateStyle&) const = default;
};

/// One state of a state set.
struct StateKind {
    std::string name; ///< Name in files and output, e.g. "running-user"; unique in its set.
    StateCategory meaning = StateCategory::None;
    StateStyle style{};
    bool operator==(const StateKind&) const = default;
};

/// True if a row in this state is at rest or its state is unknown.
inline bool isAtRest(const StateKind& it)
{
    return isAtRest(it.meaning) && (!it.style.has(StateFlag::ActivityKnown) || it.style.order >= RestingOrder);
}
inline bool isUnknown(const StateKind& it) { return it.meaning == StateCategory::Unknown && !it.style.has(StateFlag::ActivityKnown); }

/// True if the state is unknown and no bar is drawn for it; samples may tell more.
inline bool isUnknownAtRest(const StateKind& it) { return it.meaning == StateCategory::Unknown && isAtRest(it); }

/// The states of one kind of track, indexed by State; at most MostStates.
struct StateSet {
    std::string id; ///< For example "thread". Unique in its store; the same id means the same set in all stores.
    std::vector<StateKind> states;
    std::string title{}; ///< Heading of the states in the legend, e.g. "Threads"; empty if the legend leaves the set out.
    bool operator==(const StateSet&) const = default;
};

} // namespace helio
