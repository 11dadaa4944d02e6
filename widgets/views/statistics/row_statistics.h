#pragma once

#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"

#include <QString>

#include <memory>
#include <vector>

namespace helio {

/// Where one thread's time went in a range. Exact, except for what samples stand for.
struct ThreadStatistics {
    struct Part {
        std::shared_ptr<const StateKind> state; ///< Shared by all lines.
        std::uint64_t count = 0;
        Duration total{};
        Duration min{};
        Duration max{};
    };
    TrackRef track;
    QString name;
    std::int32_t tid = -1;
    Duration onCpu{};
    bool isLeast = false; ///< Events were lost in the range and part of the thread's time is unknown: onCpu may be more.
    std::uint64_t samples = 0; ///< Not 0: its states were not recorded, and onCpu and parts are what samples of CPU time stand for.
    std::vector<Part> parts; ///< Of samples: no counts.
    Duration covered{}; ///< What the thread's trace has of the range.

    /// It did nothing but rest, or nobody knows what it did. Never where events were lost.
    bool isResting() const;
    /// Neither states nor samples say anything of it.
    bool isUnknown() const;
};

/// How the lines of a table are ordered.
struct StatisticsOrder {
    enum Column { Thread, Tid, OnCpu, Share, ColumnCount };
    Column column = OnCpu;
    bool isDescending = true;
    bool operator==(const StatisticsOrder&) const = default;
};
void sortStatistics(std::vector<ThreadStatistics>& lines, StatisticsOrder order);

/// What is said of lines that are left out: "2 more threads only rested, of 6 the states are not known". Empty of none.
QString leftOutText(std::int64_t resting, std::int64_t unknown);

/// All threads that exist in the range, most time on a CPU first. A few µs a thread.
std::vector<ThreadStatistics> threadStatistics(const Timeline& timeline, TimeRange range, std::stop_token stop);

} // namespace helio
