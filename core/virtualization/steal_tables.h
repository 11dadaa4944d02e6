#pragma once

#include "core/virtualization/machine_tables.h"

#include <string>
#include <vector>

namespace helio {

/// Longest single interval of steal time in a line of a table.
struct LongestLoss {
    TrackRef row{}; ///< Row of the vCPU or of the guest's thread; not valid if there is none.
    Timestamp at{};
    Duration length{};
};

/// One line of the table of culprits.
struct CulpritLine {
    std::string from; ///< vCPU that lost the time, for example "vCPU 0 of web".
    std::string by; ///< Culprit, for example "vCPU 0 of db: mysqld (177)".
    std::string kind; ///< Kind of the culprit as views show it.
    std::uint64_t count = 0;
    Duration total{};
    LongestLoss longest;
};

/// Matrix of steal time: a row for each virtual machine, a column for each culprit machine and for each kind of other culprits.
struct StealMatrix {
    struct Cell {
        std::uint64_t count = 0;
        Duration total{};
        LongestLoss longest;
    };
    std::vector<std::string> losers;
    std::vector<std::string> culprits; ///< Names of the columns; only culprits that took time from a machine.
    std::vector<std::vector<Cell>> cells; ///< Steal time, indexed by the machine that lost the time, then by culprit.
};

/// One line of the table of steal time by guest thread.
struct ThreadLossLine {
    std::string machine;
    std::string thread; ///< Guest thread that lost the time, for example "hog (177)" or "idle".
    /// Activity of the guest thread when it lost the time: the system call, "user" for user code, or the name of the thread's state.
    std::string during;
    std::uint64_t count = 0;
    Duration total{};
    LongestLoss longest;
};

/// Tables of steal time: the results of culpritsOf() and computeStealSums(), with names as views show them.
struct StealTables {
    std::vector<CulpritLine> culprits; ///< Steal time by vCPU and culprit, the longest total first.
    StealMatrix matrix;
    std::vector<ThreadLossLine> threads; ///< Steal time by guest thread, the longest total first.
    std::string missing; ///< Result of missingPreemptionReason(): why the tables are empty, or an empty text.
    bool isEmpty() const { return culprits.empty() && threads.empty(); }
};
/// Returns a sentence that says why preemptions of vCPUs are unknown and how to record them; empty if they are known for at least one vCPU.
std::string missingPreemptionReason(const Timeline& timeline, const std::vector<VirtualMachine>& all);
/// Returns a sentence that says why the steal time of guest threads is unknown and how to record it, e.g. that a trace of the guest is
/// needed; empty if it is known.
std::string missingStealTimeReason(const Timeline& timeline, const std::vector<VirtualMachine>& all);
/// Returns a sentence that says why exits of vCPUs are unknown and how to record them; empty if they are known.
std::string missingExitsReason(const Timeline& timeline, const std::vector<VirtualMachine>& all);
/// Returns a sentence that says why interrupts into guests are unknown and how to record them; empty if they are known.
std::string missingInterruptsReason(const Timeline& timeline, const std::vector<VirtualMachine>& all);

/// Returns the tables of steal time in `window`; empty if `stop` was requested.
/// Threads: to be called from a query thread.
/// Cost: that of findVirtualMachines(), culpritsOf() and computeStealSums().
StealTables computeStealTables(const Timeline& timeline, TimeRange window, std::stop_token stop = {});

} // namespace helio
