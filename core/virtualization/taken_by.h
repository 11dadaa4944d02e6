#pragma once

#include "core/virtualization/takers.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// One of those who had the CPU while a row could have run and did not.
struct TakenBy {
    Taker taker;
    std::string words; ///< "vCPU 0 of web: hog (177)"
    Duration total{};
    std::uint64_t count = 0; ///< How often it got the CPU.
    Timestamp first{}; ///< When it got it first.
    std::int32_t cpu = -1; ///< Of the host; -1: not known.
    std::optional<std::int32_t> priority; ///< Of the host's thread then, where it was recorded.
    std::optional<std::int32_t> color; ///< The category of its guest's host, where it is a machine's whose guest is known.
    TrackRef row{}; ///< Where to look: the vCPU's row where there is one, else the host's thread. Not valid: nowhere.
};

/// What was taken of a stretch of a row, or what ran in it.
struct TakenTime {
    bool isInside = false; ///< Nobody took anything: so long each vCPU, and each thread in it, ran.
    Duration total{}; ///< Of the stretch. All that took it add up to it.
    std::vector<TakenBy> by; ///< The longest first. None: nothing was taken, or the row is of no vCPU.
    /// Of a vCPU's row: the thread that its guest had on it then, "interactive (174) of guestA". Empty: none, or not known.
    std::string suffered;
};

/// Of the row of a vCPU, of its thread on the host, of a CPU or a thread of a guest, in any view: while the vCPU could have run. Of what a
/// guest recorded only while the vCPU was preempted: it was idle before it waits for a CPU.
///
/// Cost: that of machinesOf(), and of the switches in the range; from a query thread.
TakenTime takenOf(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop = {});

/// A stretch of a row of a host, or of a machine, in which somebody had the CPU that a vCPU did not get.
struct TakenStretch {
    TrackRef row;
    TimeRange range;
};

/// Where the culprits are of the row's state at a time: on the row of the host's CPU, on those of their threads, and on those that show
/// these. Nothing: the row is none of a vCPU's, or its vCPU was not kept waiting then. Cost: as takenOf(); of any other row little.
std::vector<TakenStretch> takenStretches(const Timeline& timeline, TrackRef row, Timestamp at, std::stop_token stop = {});

/// Of the row of a host's CPU, or of a thread that is a vCPU: which machine's vCPU ran on it, and what that ran. Nothing while it had none.
/// Cost: as takenOf().
TakenTime ranInside(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop = {});

/// "another VM's vCPU", "kernel thread": for people.
std::string_view shownWordOf(Taker::Kind kind);

} // namespace helio
