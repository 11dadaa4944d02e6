#pragma once

#include "core/virtualization/machine_tables.h"

#include <string>
#include <vector>

namespace helio {

/// Where the longest of what a line sums up is.
struct LossPlace {
    TrackRef row{}; ///< The vCPU's row, or the guest's thread's. Not valid: it has none.
    Timestamp at{};
    Duration length{};
};

/// One line of the ranking of culprits.
struct CulpritLine {
    std::string from; ///< "vCPU 0 of web"
    std::string by; ///< "vCPU 0 of db: mysqld (177)"
    std::string kind; ///< For people.
    std::uint64_t count = 0;
    Duration total{};
    LossPlace longest;
};

/// What machines lost to whom: a line a machine, a column a machine and each sort of others.
struct LossMatrix {
    struct Cell {
        std::uint64_t count = 0;
        Duration total{};
        LossPlace longest;
    };
    std::vector<std::string> losers;
    std::vector<std::string> takers; ///< Only those who took anything.
    std::vector<std::vector<Cell>> cells; ///< By loser, then by taker.
};

/// One line of what guests' threads lost.
struct ThreadLossLine {
    std::string machine;
    std::string thread; ///< "hog (177)", "idle"
    std::string during; ///< The system call, "user"...
    std::uint64_t count = 0;
    Duration total{};
    LossPlace longest;
};

/// The same sums as culpritsOf() and stolenSums() have, in words.
struct MachineLosses {
    std::vector<CulpritLine> culprits; ///< The longest first, as the next but one.
    LossMatrix matrix;
    std::vector<ThreadLossLine> threads;
    std::string missing; ///< A sentence: why nobody can know whether a vCPU was preempted, and what records it. Empty: it is known of some.
    bool isEmpty() const { return culprits.empty() && threads.empty(); }
};
/// A sentence: why nobody can know whether a vCPU was preempted, and what records it. Empty: it is known of some.
std::string whyPreemptionIsUnknown(const Timeline& timeline, const std::vector<Machine>& all);
/// The same of what guests' threads lost; that takes a trace of the guest, too.
std::string whyStolenIsUnknown(const Timeline& timeline, const std::vector<Machine>& all);
/// The same of exits, and of interrupts into guests.
std::string whyExitsAreUnknown(const std::vector<Machine>& all);
std::string whyInterruptsAreUnknown(const Timeline& timeline, const std::vector<Machine>& all);

/// Cost: of both; from a query thread.
MachineLosses machineLosses(const Timeline& timeline, TimeRange window, std::stop_token stop = {});

} // namespace helio
