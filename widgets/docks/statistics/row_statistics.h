#pragma once

#include "core/latency/running/nominal_times.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/statistics.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// Where the time of one row, a thread's or any other's, went in a range. Exact, except for what samples stand for.
struct RowStatistics {
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
    std::optional<NominalTime> nominal{}; ///< Of onCpu, where frequencies of CPUs were recorded; of threads only.
    bool isLeast = false; ///< Part of the row's time is unknown, and it may have run then: onCpu may be more.
    std::uint64_t samples = 0; ///< Not 0: its states were not recorded, and onCpu and parts are what samples of CPU time stand for.
    std::vector<Part> parts; ///< Of samples: no counts.
    Duration covered{}; ///< What the row's trace has of the range.

    /// It did nothing but rest, or nobody knows what it did. Never where events were lost.
    bool isResting() const;
    /// Neither states nor samples say anything of it.
    bool isUnknown() const;
};

/// How the lines of a table are ordered.
struct StatisticsOrder {
    enum Column { Name, Tid, OnCpu, Nominal, Share, ColumnCount };
    Column column = OnCpu;
    bool isDescending = true;
    bool operator==(const StatisticsOrder&) const = default;
};
/// Those without what they are ordered by count as none of it.
void sortStatistics(std::vector<RowStatistics>& lines, StatisticsOrder order);

/// Which rows there are statistics of.
struct StatisticsRows {
    std::string view; ///< Empty: the threads of all views.
    QString title = QStringLiteral("Threads");
    QString one = QStringLiteral("thread"); ///< What one of them is called.
    QString many = QStringLiteral("threads");
    bool operator==(const StatisticsRows&) const = default;
};

/// The threads, and the rows of each other view that has states with a legend.
std::vector<StatisticsRows> statisticsRows(const Timeline& timeline);

/// What is said of lines that are left out: "2 more threads only rested, of 6 the states are not known". Empty of none.
QString leftOutText(std::int64_t resting, std::int64_t unknown, const StatisticsRows& of = {});

/// All rows of the view (empty: all threads) that exist in the range, most time on a CPU first. A few µs a row.
/// `leavesOutStolen`: of rows of guests, what was stolen of them is a state of its own, and no time on a CPU; nor is it known then what
/// that is at a nominal frequency. `nominal`: nullptr where that is not asked for.
std::vector<RowStatistics> rowStatistics(const Timeline& timeline, TimeRange range, std::stop_token stop, const std::string& view = {},
                                         bool leavesOutStolen = false, const NominalTimes* nominal = nullptr);

} // namespace helio
