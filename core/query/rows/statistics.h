#pragma once

#include "core/query/rows/rows.h"
#include "core/store/store.h"

#include <span>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Returns the total time of each state of a track in a range. If the host's clock drifts, the totals are durations on the time axis, exact
/// to 1 ns per linear segment of the clock. Intervals that are converted one by one are rounded; their sum may differ from the total by up
/// to 1 ns per interval.
std::vector<StateTotal> totals(const Timeline& timeline, TrackRef track, TimeRange range);

/// Returns the number of a track's intervals that begin before `at`.
/// Cost: decodes at most one block of intervals, and adds up the directory entries of all blocks before it.
std::uint64_t countIntervalsBefore(const Timeline& timeline, TrackRef track, Timestamp at);

/// True if the clock of the row's host drifts against the time axis.
bool hasDriftingClock(const Timeline& timeline, TrackRef track);

/// Returns `total` divided by `count`, rounded to nearest; 0 if `count` is 0.
Duration meanOf(Duration total, std::uint64_t count);

/// Time that a thread was on a CPU, or that a CPU was not idle.
struct BusyTime {
    Duration busy{};
    bool isKnown = false; ///< True if any of the row's states in the range is known.
};
BusyTime busyTime(const Timeline& timeline, TrackRef track, TimeRange range);

/// Returns the busy part of `range`, from 0 to 1, for a row. Only the part of `range` that the trace covers is considered.
double busyShare(const Timeline& timeline, TrackRef track, TimeRange range);

/// Share of a time range in which a thread was on a CPU or a CPU was not idle.
struct BusyShare {
    BusyShare(double busy = 0, bool isAtLeast = false)
        : share(busy)
        , isLowerBound(isAtLeast)
    {
    }

    double share; ///< Busy part of the time range, from 0 to 1.
    /// True if the real busy part may be larger than `share`, because the row may have run while its state is unknown
    /// (UnrecordedRuns).
    bool isLowerBound;
};

/// Returns the busy share of each track over the indexed part of `window`, in the order of `tracks`. For tracks without recorded states,
/// estimates the share from samples of CPU time. Omits tracks that are not indexed yet, and all remaining tracks if `stop` is requested.
std::vector<std::pair<TrackRef, BusyShare>> busyShares(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                                       std::stop_token stop = {});

/// Returns the number of a host's events in each of `buckets` equal parts of `window`, for the overview. Where the trace is not indexed
/// yet, the number is estimated from the sizes of packets.
std::vector<double> eventDensity(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets);

/// CPU use of one host in a bucket of a time range, as shares of the time of all its CPUs. Where states are unknown, it is estimated from
/// samples of CPU time, if recorded.
struct CpuUtilization {
    float user = 0;
    float kernel = 0; ///< Share of the time in system calls and kernel threads.
    float interrupt = 0;
    float unknown = 0;
};
std::vector<CpuUtilization> cpuUtilization(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets,
                                           std::stop_token stop = {});

/// A range in which events were lost. Where the trace is not indexed yet, the range of the CTF packet that reports the loss.
struct LossRange {
    TimeRange range;
    std::uint64_t events = 0;
    std::int32_t cpu = -1;
    std::uint32_t trace = 0;
    std::uint64_t packets = 0;
    bool operator==(const LossRange&) const = default;
};
std::vector<LossRange> losses(const Timeline& timeline, TimeRange window);

/// CPU use of a row in a time range.
struct RowUtilization {
    TrackRef row;
    double busy = 0; ///< Share of the covered part of the time range in which the thread was on a CPU or the CPU was not idle, 0 to 1.
    bool isLowerBound = false; ///< True if the real share may be larger; see BusyShare::isLowerBound.
    bool isInactive = true; ///< True if the row slept, waited, was idle or had an unknown state during the whole time range.
};

/// Returns the CPU use of each row over the indexed part of `window`, in the order of `tracks`. For rows without recorded states, estimates
/// the use from samples of CPU time. Omits rows that are not indexed yet or whose traces do not cover `window`, and all remaining rows if
/// `stop` is requested. Cost: a few µs per row.
std::vector<RowUtilization> rowUtilizations(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                            std::stop_token stop = {});

} // namespace helio
