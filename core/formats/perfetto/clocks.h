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

/// Identifies a clock of a trace. A clock with a number from 64 to 127 belongs to a single packet sequence.
struct ClockId {
    std::uint32_t number = 0;
    std::uint32_t sequence = 0; ///< ID of the packet sequence to which the clock belongs; 0 if it belongs to the whole trace.

    static constexpr std::uint32_t Realtime = 1;
    static constexpr std::uint32_t Monotonic = 3;
    static constexpr std::uint32_t MonotonicRaw = 5;
    static constexpr std::uint32_t Boottime = 6;
    /// Number that stands for ftrace's trace clock "global". Perfetto does not define a number for this clock; no trace uses this one.
    static constexpr std::uint32_t FtraceGlobal = 0xffffffff;

    static constexpr bool isOfSequence(std::uint32_t number) { return number >= 64 && number <= 127; }
    static constexpr ClockId of(std::uint32_t number, std::uint32_t sequence) { return {number, isOfSequence(number) ? sequence : 0}; }
    auto operator<=>(const ClockId&) const = default;
};

/// Returns the name of a clock, e.g. "boottime"; "clock N" if the clock with the number N has no name.
std::string clockName(std::uint32_t number);

/// Reading of one clock in a ClockSnapshot packet.
struct ClockReading {
    ClockId clock;
    std::uint64_t value = 0; ///< Reading in units of the clock.
    /// True if each timestamp of this clock is the difference to the sequence's preceding timestamp of this clock.
    bool isIncremental = false;
    std::uint64_t unit = 1; ///< Length of the clock's unit in ns.
    std::int64_t time() const { return static_cast<std::int64_t>(value * unit); } ///< Reading in ns.
};

/// Content of a ClockSnapshot packet: readings of several clocks at the same time.
struct ClockSnapshot {
    std::vector<ClockReading> readings;
    /// Number of the trace's primary clock, to which all times are converted; 0 if the snapshot does not define it.
    std::uint32_t primary = 0;
    bool isDamaged = false;
};

ClockSnapshot readClockSnapshot(std::string_view message, std::uint32_t sequence);

/// Converts times between the clocks of one machine by means of the clock snapshots in its trace. All clocks in a snapshot were read at the
/// same time, so that a snapshot shows the difference between any two of its clocks. This difference is used until the next snapshot.
///
/// Cost: convert() searches the path between two clocks once. Each conversion takes one binary search for each step of the path.
class ClockGraph {
public:
    /// Adds the clock readings of one snapshot. All snapshots must be added before the first conversion.
    void add(std::span<const ClockReading> snapshot);

    /// Converts `time` (in ns) from the clock `from` to the clock `to`. Returns nullopt if no chain of snapshots connects the two clocks.
    std::optional<std::int64_t> convert(ClockId from, std::int64_t time, ClockId to);

    /// Returns the reading of `to` minus the reading of `from` in ns, in the first snapshot that contains both clocks; nullopt if none
    /// does.
    std::optional<std::int64_t> firstDifference(ClockId from, ClockId to) const;

    /// Clocks whose readings decrease from one snapshot to the next. Times of these clocks are not converted.
    const std::vector<ClockId>& backwardClocks() const { return m_backward; }
    std::uint64_t ignoredReadings() const { return m_ignored; }

private:
    /// Readings in ns of two clocks at the same time.
    struct Pair {
        std::int64_t from;
        std::int64_t to;
    };
    struct Edge {
        std::vector<Pair> pairs; ///< Readings of the two clocks in the order of the file; finish() sorts them by `from`.
    };
    struct Clock {
        std::map<ClockId, Edge> edges; ///< Edges that begin at this clock, keyed by the clock to which they lead.
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
    /// Cached results of pathOf(), keyed by `from` and `to`; an empty path means that no path exists.
    std::map<std::pair<ClockId, ClockId>, Path> m_paths;
    std::uint64_t m_steps = 0; ///< Number of edges that all path searches have visited so far.
};

} // namespace helio::perfetto
