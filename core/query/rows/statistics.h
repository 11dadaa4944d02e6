#pragma once

#include "core/query/rows/rows.h"
#include "core/store/store.h"

#include <span>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// Returns exact totals by state over a range. If the host's clock drifts, they are durations on the time axis, exact to a nanosecond for
/// each linear part of the clock. The sum of the rounded intervals may differ by another nanosecond for each interval.
std::vector<StateTotal> totals(const Timeline& timeline, TrackRef track, TimeRange range);

/// True if the clock of the row's host drifts against the time axis.
bool hasDriftingClock(const Timeline& timeline, TrackRef track);

/// Returns the mean, rounded to nearest; 0 if `count` is 0.
Duration meanOf(Duration total, std::uint64_t count);

/// Time that a thread was on a CPU, or that a CPU was not idle.
struct BusyTime {
    Duration busy{};
    bool isKnown = false; ///< True if any of the row's states in the range is known.
};
BusyTime busyTime(const Timeline& timeline, TrackRef track, TimeRange range);

/// Returns the busy share of the range, as far as the trace covers it: 0 to 1.
double busyShare(const Timeline& timeline, TrackRef track, TimeRange range);

/// Share of a window that a row was on a CPU.
struct BusyShare {
    BusyShare(double share = 0, bool isAtLeast = false)
        : part(share)
        , isLowerBound(isAtLeast)
    {
    }

    double part; ///< 0 to 1.
    bool isLowerBound; ///< Lower bound: the row's states are unknown in a part of the window, in which it may have run (UnrecordedRuns).
};

/// Returns the busy share of each track over the indexed part of the window, in the order of `tracks`. Without recorded states it is
/// estimated from samples of CPU time. Tracks not indexed yet are left out, after `stop` all others too.
std::vector<std::pair<TrackRef, BusyShare>> busyShares(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                                       std::stop_token stop = {});

/// Returns the number of a host's events in each bucket of the window, for the overview. For parts not read yet, the number is estimated
/// from the sizes of packets.
std::vector<double> eventDensity(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets);

/// CPU use of one host in a bucket, as shares of its CPUs' time. If states were not recorded but samples of CPU time were, it is estimated
/// from the samples.
struct CpuUtilization {
    float user = 0;
    float kernel = 0; ///< System calls and kernel threads.
    float interrupt = 0;
    float unknown = 0;
};
std::vector<CpuUtilization> cpuUtilization(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets,
                                           std::stop_token stop = {});

/// A range in which events were lost. Where events are not read yet: the packet that reports the loss.
struct LossRange {
    TimeRange range;
    std::uint64_t events = 0;
    std::int32_t cpu = -1;
    std::uint32_t trace = 0;
    std::uint64_t packets = 0;
    bool operator==(const LossRange&) const = default;
};
std::vector<LossRange> losses(const Timeline& timeline, TimeRange window);

/// Use of a row in a window.
struct RowUtilization {
    TrackRef row;
    double busy = 0; ///< Share of the window, as far as the trace covers it, in which the row was on a CPU or not idle: 0 to 1.
    bool isLowerBound = false; ///< See BusyShare::isLowerBound.
    bool isInactive = true; ///< In all of the window the row slept, waited or was idle, or its state is unknown.
};

/// Returns the use of each row over the part of the window that has been read, in the order of `tracks`. For rows without recorded states
/// it is estimated from samples of CPU time. Rows that are not read yet, or whose traces do not cover the window, are left out; after
/// `stop`, all others too.
/// Cost: a few µs per row.
std::vector<RowUtilization> rowUtilizations(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                            std::stop_token stop = {});

} // namespace helio
