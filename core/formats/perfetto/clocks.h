#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
    /// Value of `sequence` for clocks of the trace's host, if the packets of another machine are read.
    static constexpr std::uint32_t HostSequence = 0xffffffff;
    /// Number that stands for ftrace's trace clock "global". Perfetto does not define a number for this clock; no trace uses this one.
    static constexpr std::uint32_t FtraceGlobal = 0xffffffff;

    static constexpr bool isOfSequence(std::uint32_t number) { return number >= 64 && number <= 127; }
    static constexpr ClockId of(std::uint32_t number, std::uint32_t sequence)
    {
        return {number, isOfSequence(number) || sequence == HostSequence ? sequence : 0};
    }
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

/// Converts times between clocks by means of the clock snapshots in a trace. All clocks in a snapshot were read at the
/// same time, so that a snapshot shows the difference between any two of its clocks. This difference is used until the next snapshot.
///
/// Cost: convert() searches the path between two clocks once. Each conversion takes one binary search for each step of the path.
/// Memory: 12 bytes for each reading, and 24 for each snapshot with both clocks of a step that convert() uses.
class ClockGraph {
public:
    /// Adds the clock readings of one snapshot. All snapshots must be added before the first conversion. `sequence` is the sequence of the
    /// snapshot's packet; nullopt if other data contain the readings. A clock goes back if its reading is less than its reading in an
    /// earlier snapshot of the same sequence. Snapshots of different sequences may be in any order.
    void add(std::span<const ClockReading> snapshot, std::optional<std::uint32_t> sequence);

    /// Converts `time` (in ns) from the clock `from` to the clock `to`. Returns nullopt if no chain of snapshots connects the two clocks.
    std::optional<std::int64_t> convert(ClockId from, std::int64_t time, ClockId to);

    /// Returns the reading of `to` minus the reading of `from` in ns, in the first snapshot that contains both clocks; nullopt if none
    /// does.
    std::optional<std::int64_t> firstDifference(ClockId from, ClockId to) const;

    /// Clocks whose readings decrease from one snapshot to the next. Times of these clocks are not converted.
    const std::vector<ClockId>& backwardClocks() const { return m_backward; }
    std::uint64_t ignoredReadings() const { return m_ignored; }

private:
    /// Snapshots that contain the same clocks.
    struct Group {
        std::vector<ClockId> clocks; ///< In ascending order.
        std::vector<std::int64_t> times; ///< Readings in ns, in the order of `clocks`, snapshot by snapshot.
        std::vector<std::uint32_t> numbers; ///< Number of each snapshot in the order of the file.

        std::size_t columnOf(ClockId clock) const
        {
            return static_cast<std::size_t>(std::ranges::lower_bound(clocks, clock) - clocks.begin());
        }
        bool contains(ClockId clock) const { return std::ranges::binary_search(clocks, clock); }
    };
    /// Readings in ns of two clocks in one snapshot.
    struct Pair {
        std::int64_t from = 0;
        std::int64_t to = 0;
        std::uint32_t number = 0; ///< Number of the snapshot in the order of the file.
    };
    struct Clock {
        std::vector<const Group*> groups; ///< Groups that contain the clock, in the order of the file.
        std::map<std::uint32_t, std::int64_t> last; ///< Last reading in ns, keyed by the packet sequence of the snapshot.
        bool isBackward = false;
    };
    using Path = std::vector<ClockId>;
    using Step = std::pair<ClockId, ClockId>;

    std::vector<Pair> pairsOf(ClockId from, ClockId to) const;
    const std::vector<Pair>& sortedPairsOf(ClockId from, ClockId to);
    const Path& pathOf(ClockId from, ClockId to);

    std::map<std::vector<ClockId>, Group> m_groups; ///< Groups, keyed by Group::clocks.
    std::uint32_t m_snapshots = 0;
    std::map<ClockId, Clock> m_clocks;
    std::vector<ClockId> m_backward;
    std::uint64_t m_ignored = 0;
    /// Cached results of pathOf(), keyed by `from` and `to`; an empty path means that no path exists.
    std::map<Step, Path> m_paths;
    std::map<Step, std::vector<Pair>> m_pairs; ///< Cached results of sortedPairsOf(), keyed by `from` and `to`.
    std::uint64_t m_steps = 0; ///< Number of clocks that all path searches have visited so far.
};

/// Relation of a machine's clock to the clock of the trace's host.
struct HostClock {
    /// Number of round trips of messages between the two machines from which the relation follows; 0 if the clocks are not related.
    std::uint64_t rounds = 0;
    std::int64_t error = 0; ///< Largest error bound of the relation at a round trip in ns.
};

/// Adds the relation between the clocks of a machine and of the trace's host to `clocks` and to `relation`. `message` is a RemoteClockSync
/// packet. The clocks of the host get the sequence ClockId::HostSequence.
void addHostClock(std::string_view message, ClockGraph& clocks, HostClock& relation);

} // namespace helio::perfetto
