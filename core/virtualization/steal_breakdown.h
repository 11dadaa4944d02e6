#pragma once

#include "core/virtualization/cpu_occupants.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// A culprit: an occupant that had a CPU while a vCPU was ready to run on this CPU. `total`: time in ns in which the occupant had the CPU
/// and the vCPU was ready.
struct StealCulprit {
    CpuOccupant occupant;
    std::string words; ///< Name as views show it, for example "vCPU 0 of web: hog (177)".
    Duration total{};
    std::uint64_t count = 0; ///< Number of times that the culprit got the CPU.
    Timestamp first{}; ///< Time at which the culprit first got the CPU.
    std::int32_t cpu = -1; ///< Number of the host's CPU that the culprit had; -1 if unknown.
    std::optional<std::int32_t> priority; ///< Priority of the culprit's thread on the host at time `first`; nullopt if it was not recorded.
    std::optional<std::int32_t> color; ///< Colour category of the guest's host if the culprit is a vCPU with a known guest; else nullopt.
    TrackRef row{}; ///< Row of the culprit: the vCPU's row if there is one, else the row of the host's thread; not valid if there is none.
};

/// Breakdown of the steal time in a range of a row by culprit, or of the guest activity on a row by vCPU and guest thread.
struct StealBreakdown {
    bool isInside = false; ///< True for guest activity: the elements of `by` are vCPUs and guest threads that ran, not culprits.
    Duration total{}; ///< Sum of the totals of `by`.
    std::vector<StealCulprit> by; ///< Culprits, the longest total first; empty if there is no steal time or if the row shows no vCPU.
    /// Guest thread that lost the time, for example "interactive (174) of guestA"; empty if there is none or it is unknown. Only set for
    /// rows of vCPUs.
    std::string affectedThread;
};

/// Returns the breakdown of the steal time in a range. `row`, in any view: row of a vCPU, of a vCPU's thread on the host, or of a CPU or
/// thread of a guest. For rows of the host, includes all waits of the vCPU for a CPU. For rows of the guest's trace, includes only
/// preemptions, because the vCPU was idle before other waits.
/// Threads: to be called from a query thread.
/// Cost: findVirtualMachines(), and proportional to the thread switches in the range.
StealBreakdown computeStealBreakdown(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop = {});

/// An interval of a row in which a culprit had the CPU for which a vCPU waited.
struct CulpritInterval {
    TrackRef row;
    TimeRange range;
};

/// Returns the intervals in which culprits had the CPU while the row's vCPU waited for it at time `at`: on the row of the host's CPU, on
/// the rows of the culprits' threads, and on the rows that repeat these threads. Empty if the row belongs to no vCPU, or if its vCPU did
/// not wait at that time.
/// Cost: one computeStealBreakdown() for rows of vCPUs; little for other rows.
std::vector<CulpritInterval> findCulpritIntervals(const Timeline& timeline, TrackRef row, Timestamp at, std::stop_token stop = {});

/// Returns the vCPUs and guest threads that ran on a host's CPU or in a vCPU's thread. `row`: row of the host's CPU, or row of the vCPU's
/// thread on the host. Empty for other rows, or if nothing ran.
/// Cost: that of computeStealBreakdown().
StealBreakdown guestActivity(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop = {});

/// Returns the name of an occupant's kind as views show it, for example "another VM's vCPU" or "kernel thread".
std::string_view shownWordOf(CpuOccupant::Kind kind);

} // namespace helio
