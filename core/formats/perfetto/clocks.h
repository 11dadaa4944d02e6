#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio::perfetto {

/// Clock of a trace. Clocks with the numbers 64 to 127 belong to one sequence.
struct ClockId {
    std::uint32_t number = 0;
    std::uint32_t sequence = 0; ///< 0 for clocks of the whole trace.

    static constexpr std::uint32_t Realtime = 1;
    static constexpr std::uint32_t Monotonic = 3;
    static constexpr std::uint32_t MonotonicRaw = 5;
    static constexpr std::uint32_t Boottime = 6;
    /// The trace clock "global" of ftrace. Perfetto defines no number for it; this number is not a possible one of the file.
    static constexpr std::uint32_t FtraceGlobal = 0xffffffff;

    static constexpr bool isOfSequence(std::uint32_t number) { return number >= 64 && number <= 127; }
    static constexpr ClockId of(std::uint32_t number, std::uint32_t sequence) { return {number, isOfSequence(number) ? sequence : 0}; }
    auto operator<=>(const ClockId&) const = default;
};

/// Name of a clock: "boottime", "clock 64".
std::string clockName(std::uint32_t number);

/// Reading of a clock in a snapshot.
struct ClockReading {
    ClockId clock;
    std::uint64_t value = 0; ///< In units of the clock.
    bool isIncremental = false; ///< True if packets with this clock contain the difference to the previous packet.
    std::uint64_t unit = 1; ///< Unit of the clock in ns.
    std::int64_t time() const { return static_cast<std::int64_t>(value * unit); } ///< In ns.
};

/// Content of a packet with a snapshot of clocks (ClockSnapshot).
struct ClockSnapshot {
    std::vector<ClockReading> readings;
    std::uint32_t primary = 0; ///< Number of the clock of the trace's times; 0 if the snapshot does not define it.
    bool isDamaged = false;
};

ClockSnapshot readClockSnapshot(std::string_view message, std::uint32_t sequence);

/// Converts times of the clocks of one machine, by the snapshots of its trace. Clocks of one snapshot were read at one time. Between two
/// snapshots, two clocks have the difference that the earlier snapshot shows.
///
/// Cost: convert() searches the path from one clock to another once, and then needs a binary search for each snapshot of the path.
class ClockGraph {
public:
    /// Adds a snapshot. All snapshots must be added before the first conversion.
    void add(std::span<const ClockReading> snapshot);

    /// Converts a time in ns; nullopt if no snapshots connect the clocks.
    std::optional<std::int64_t> convert(ClockId from, std::int64_t time, ClockId to);

    /// Returns the first snapshot's difference between two clocks in ns; nullopt if no snapshot contains both.
    std::optional<std::int64_t> firstDifference(ClockId from, ClockId to) const;

    /// Clocks that go back from one snapshot to another. No conversion starts from their times.
    const std::vector<ClockId>& backwardClocks() const { return m_backward; }
    std::uint64_t ignoredReadings() const { return m_ignored; }

private:
    /// Simultaneous times of two clocks.
    struct Pair {
        std::int64_t from;
        std::int64_t to;
    };
    struct Edge {
        std::vector<Pair> pairs; ///< In the order of the file until finish(), then by `from`.
    };
    struct Clock {
        std::map<ClockId, Edge> edges; ///< Keyed by the clock to which an edge leads.
        std::int64_t last = 0;
        bool isBackward = false;
    };
    using Path = std::vector<ClockId>;

    void finish();
    const Path& pathOf(ClockId from, ClockId to);

    std::map<ClockId, Clock> m_clocks;
    std::vector<ClockId> m_backward;
    std::uint64_t m_ignored = 0;
    bool m_isFinished = false;
    std::map<std::pair<ClockId, ClockId>, Path> m_paths; ///< Paths that were searched; empty if there is none.
    std::uint64_t m_steps = 0; ///< Number of edges that all searches visited.
};

} // namespace helio::perfetto
