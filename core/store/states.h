#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// What a state says of its row, for whoever counts or explains states without knowing their names. Stored: only ever added to.
enum class Meaning : std::uint8_t {
    None, ///< Nothing of these.
    OnCpu, ///< On a CPU; whether in user space or in the kernel is not known.
    OnCpuUser,
    OnCpuSyscall, ///< In the kernel on the thread's own call.
    OnCpuKernel, ///< In the kernel for anything else.
    OnCpuInterrupt, ///< Under an interrupt's handler.
    OnCpuExit, ///< On the way out: the row ends with it.
    WaitsForCpu, ///< Could run.
    Preempted, ///< Could run, and was until another took the CPU.
    Waits, ///< For something it cannot go on without: a disk, a lock.
    Rests, ///< Has nothing to do.
    OffCpu, ///< Waits or rests: which was not recorded.
    Unknown, ///< No event says.
};
constexpr Meaning LastMeaning = Meaning::Unknown;

/// For states that have no name of their own.
constexpr std::string_view wordOf(Meaning it)
{
    constexpr std::string_view Words[] = {
        "none",          "on-cpu",    "on-cpu-user", "on-cpu-syscall", "on-cpu-kernel", "on-cpu-interrupt", "on-cpu-exit",
        "waits-for-cpu", "preempted", "waits",       "rests",          "off-cpu",       "unknown"};
    return Words[static_cast<std::size_t>(it)];
}

constexpr bool isOnCpu(Meaning it) { return it >= Meaning::OnCpu && it <= Meaning::OnCpuExit; }
constexpr bool isOffCpu(Meaning it) { return it == Meaning::Waits || it == Meaning::Rests || it == Meaning::OffCpu; } ///< Could not run.
constexpr bool isAtRest(Meaning it) { return it == Meaning::Rests || it == Meaning::OffCpu || it == Meaning::Unknown; }
constexpr bool isRunnable(Meaning it) { return it == Meaning::WaitsForCpu || it == Meaning::Preempted; }

/// How the bar of a state is filled.
enum class Drawing : std::uint8_t { Plain, Hatched, Line, Dashed, Dotted, CutCorner };

/// Of a state's style; stored.
namespace StateFlag {
enum : std::uint8_t {
    Labelled = 1, ///< Bars that are long enough say their value.
    InHeader = 2, ///< The header of the panel explains it.
    ByValue = 4, ///< Bars have a colour of their value: which thread a CPU has. A text that names a state of the set has that state's.
    Explained = 8, ///< Tips that name a bar by its value say its words, too.
    NamedByValue = 16, ///< A bar with a value is in the state that the value says: the state's own name is the sort of value that is.
    SaysWhat = 32, ///< Of a state that means Unknown: it says what its row does, though not whether it has a CPU for it.
    Rare = 64, ///< Of rows that are mostly empty: where it is, however short, it is high enough to be found.
};
}

/// States of this order and above are drawn as the line that shows where nothing else stands.
constexpr int RestingOrder = 100;

/// What a state looks like, as the analysis that knows it wants it (look.md 3).
struct StateStyle {
    std::string color; ///< A role of the themes ("thread.blocked") or "#rrggbb"; anything else: a colour of the categories, by the name.
    std::string words; ///< "Blocked (uninterruptible)": for tooltips. Empty: the name.
    std::string legend; ///< "blocked": for legends and short texts. Empty: the name.
    std::uint8_t height = 16; ///< Sixteenths of the band.
    Drawing drawing = Drawing::Plain;
    std::uint8_t order = 20; ///< In a stack, from the baseline up.
    std::uint8_t severity = 0; ///< Above 0: never hidden by others; the higher, the worse.
    std::uint8_t flags = StateFlag::Labelled;
    std::string valueTitle{}; ///< What a value is: "Handler". Empty: nothing more is known than that it is one.
    std::string joint{}; ///< Between the legend and the value: "in" for "sleeping in read".

    bool has(std::uint8_t flag) const { return (flags & flag) != 0; }
    bool operator==(const StateStyle&) const = default;
};

/// One state of a row.
struct StateKind {
    std::string name; ///< "running-user": in files and answers; unique in its set.
    Meaning meaning = Meaning::None;
    StateStyle style{};
    bool operator==(const StateKind&) const = default;
};

/// Whether a row in it is at rest, or nothing is known of it.
inline bool isAtRest(const StateKind& it)
{
    return isAtRest(it.meaning) && (!it.style.has(StateFlag::SaysWhat) || it.style.order >= RestingOrder);
}
inline bool isUnknown(const StateKind& it) { return it.meaning == Meaning::Unknown && !it.style.has(StateFlag::SaysWhat); }

/// Unknown, and no bar says anything in its place: samples may say more.
inline bool isUnknownAtRest(const StateKind& it) { return it.meaning == Meaning::Unknown && isAtRest(it); }

/// The states that tracks of one kind take, at most MostStates, by State.
struct StateSet {
    std::string id; ///< "thread": unique in its store; what has it in another store is the same set.
    std::vector<StateKind> states;
    std::string title{}; ///< "Threads": over the states in the legend. Empty: they are not in it.
    bool operator==(const StateSet&) const = default;
};

} // namespace helio
