#pragma once

#include "core/query/rows/rows.h"
#include "core/store/store.h"

#include <span>
#include <string_view>
#include <utility>

namespace helio {

/// Exact totals by state over a range. Where the host's clock drifts, they are what they last on the axis, to a nanosecond for each line of
/// the clock; the sum of its intervals, each rounded, may be another nanosecond for each of these off.
std::vector<StateTotal> totals(const Timeline& timeline, TrackRef track, TimeRange range);

/// Whether the clock of the row's host drifts beside the axis.
bool runsApart(const Timeline& timeline, TrackRef track);

/// Rounded to nearest; of nothing: 0.
Duration meanOf(Duration total, std::uint64_t count);

/// How long a thread was on a CPU, or a CPU was not idle.
struct BusyTime {
    Duration busy{};
    bool isKnown = false; ///< Some of its states in the range are.
};
BusyTime busyTime(const Timeline& timeline, TrackRef track, TimeRange range);

/// The part of what its trace covers of the range that it was: 0 to 1.
double busyShare(const Timeline& timeline, TrackRef track, TimeRange range);

/// The part of a window that a row was on a CPU.
struct BusyShare {
    BusyShare(double share = 0, bool isAtLeast = false)
        : part(share)
        , isLeast(isAtLeast)
    {
    }

    double part; ///< 0 to 1.
    bool isLeast; ///< Of a part of the window the row's states are not known, and it may have run then: UnseenRuns.
};

/// The busy share of each track over the indexed part of the window; without recorded states, estimated from samples of CPU time. In the
/// order of `tracks`; those not indexed yet, and all after `stop`, are missing.
std::vector<std::pair<TrackRef, BusyShare>> busyShares(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                                       std::stop_token stop = {});

/// Events per bucket over the window, for the overview; one host's traces. Of what is not read yet, as many as its packets' sizes suggest.
std::vector<double> eventDensity(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets);

/// CPU use per bucket over the window, one host: shares of its CPUs' time. Where states were not recorded but samples of CPU time were,
/// it is estimated from those.
struct CpuUse {
    float user = 0;
    float kernel = 0; ///< Syscall, kernel thread.
    float interrupt = 0;
    float unknown = 0;
};
std::vector<CpuUse> cpuUse(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets, std::stop_token stop = {});

/// A stretch where events were lost. Of what is not read yet: the packet that says so.
struct LossRange {
    TimeRange range;
    std::uint64_t events = 0;
    std::int32_t cpu = -1;
    std::uint32_t trace = 0;
    std::uint64_t packets = 0;
    bool operator==(const LossRange&) const = default;
};
std::vector<LossRange> losses(const Timeline& timeline, TimeRange window);

} // namespace helio
