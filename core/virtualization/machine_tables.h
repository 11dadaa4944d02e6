#pragma once

#include "core/virtualization/absences.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

// What vCPUs lost and left, summed up. All in a window: what reaches out of it is cut, but for exits, which count where they overlap it.
// The longest sums first, by machine and vCPU.

/// How much one culprit took of one vCPU.
struct CulpritSum {
    std::uint32_t machine = 0; ///< Its place among all.
    std::uint32_t vcpu = 0; ///< Its place among the machine's.
    Taker taker;
    std::uint64_t count = 0; ///< Of the times that the vCPU was preempted, those in which it had the CPU.
    Duration total{};
    Duration most{}; ///< In one of them.
    Timestamp mostAt{}; ///< Where it had the CPU first in that.
};
std::vector<CulpritSum> culpritsOf(const Timeline& timeline, const std::vector<Machine>& all, TimeRange window, std::stop_token stop = {});

/// What was stolen of a guest's thread: it had a vCPU that was preempted. All of a machine's add up to what its vCPUs were.
struct StolenSum {
    std::uint32_t machine = 0;
    TrackRef thread; ///< Not valid: the guest was idle, or it is not known who had the vCPU.
    std::int32_t tid = -1; ///< 0: idle.
    std::string comm;
    std::string during; ///< The system call, "user", or the state that the guest's trace gives.
    std::uint64_t count = 0;
    Duration total{};
    Duration most{};
    Timestamp mostAt{};
};
std::vector<StolenSum> stolenSums(const Timeline& timeline, const std::vector<Machine>& all, TimeRange window, std::stop_token stop = {});

/// The exits of one vCPU for one reason, up to the next entry each.
struct ExitSum {
    std::uint32_t machine = 0;
    std::uint32_t vcpu = 0;
    std::string reason; ///< "MSR_WRITE (32)"
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
    Duration p99{};
    Duration most{};
};
std::vector<ExitSum> exitSums(const Timeline& timeline, const std::vector<Machine>& all, TimeRange window, std::stop_token stop = {});

} // namespace helio
