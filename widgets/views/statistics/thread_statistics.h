#pragma once

#include "core/query/rows.h"
#include "core/query/statistics.h"

#include <QString>

#include <vector>

namespace helio {

/// Where one thread's time went in a range. Exact.
struct ThreadStatistics {
    struct Part {
        QString state;
        std::uint64_t count = 0;
        Duration total{};
        Duration min{};
        Duration max{};
    };
    TrackRef track;
    QString name;
    std::int32_t tid = -1;
    QString setId;
    Duration onCpu{};
    bool isLeast = false; ///< Events were lost in the range and part of the thread's time is unknown: onCpu may be more.
    std::vector<Part> parts;
};

/// All threads that exist in the range, most time on a CPU first. A few µs a thread.
std::vector<ThreadStatistics> threadStatistics(const Timeline& timeline, TimeRange range, std::stop_token stop);

} // namespace helio
