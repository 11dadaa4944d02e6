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

/// Time of one row by state within a range. The times are exact if states were recorded, and estimated if only samples were recorded.
struct RowStatistics {
    struct Part {
        std::shared_ptr<const StateKind> state; ///< State that the row was in; all lines of the table share one object per state.
        std::uint64_t count = 0;
        Duration total{};
        Duration min{};
        Duration max{};
    };
    TrackRef track;
    QString name;
    std::int32_t tid = -1;
    Duration onCpu{};
    /// Time in states whose activity is known, but not whether the row had a CPU (StateFlag::ActivityKnown), e.g. in system calls of
    /// strace.
    Duration inCalls{};
    /// onCpu converted to the nominal CPU frequency, for threads; nullopt if CPU frequencies were not recorded.
    std::optional<NominalTime> nominal{};
    bool isLowerBound = false; ///< True if onCpu is a lower bound, because the row may have run while its state was unknown.
    /// Number of samples from which onCpu and parts are estimated, because states were not recorded; 0 if they are exact.
    std::uint64_t samples = 0;
    std::vector<Part> parts; ///< Time by state; counts are 0 if estimated from samples.
    Duration covered{}; ///< Duration that the whole bar of `parts` stands for: how much of the range the row's trace covers.
    std::uint32_t threads = 1; ///< Number of threads that the line sums.

    /// True if the row certainly did not run: it has no running time, all of its states are at rest or unknown, and it cannot have run in
    /// an unknown state (isLowerBound is false).
    bool isInactive() const;
    /// True if the row has neither states nor samples.
    bool isUnknown() const;
};

/// Sort order of the table of statistics.
struct StatisticsOrder {
    enum Column { Name, Tid, OnCpu, Nominal, Share, ColumnCount };
    Column column = OnCpu;
    bool isDescending = true;
    bool operator==(const StatisticsOrder&) const = default;
};
/// Sorts the lines. A line without a value in the sort column counts as 0. Equal times on a CPU are sorted by RowStatistics::inCalls.
void sortStatistics(std::vector<RowStatistics>& lines, StatisticsOrder order);

/// Unit that a line of the statistics sums: a row, a process, or all threads with one name.
enum class StatisticsSum { Row, Process, ThreadName };

/// Choice of rows to list.
struct StatisticsRows {
    std::string view; ///< Id of the view; empty for the threads of all views.
    /// Objects that the lines stand for: rows, processes or thread names; always Row if `view` is not empty.
    StatisticsSum sum = StatisticsSum::Row;
    QString title = QStringLiteral("Threads");
    QString one = QStringLiteral("thread"); ///< Noun for one row.
    QString many = QStringLiteral("threads");
    bool operator==(const StatisticsRows&) const = default;
};

/// Returns the choices of lines: threads, processes, thread names, and every view of other rows that has states with a legend.
std::vector<StatisticsRows> statisticsRows(const Timeline& timeline);

/// Returns a note about omitted lines, e.g. "2 idle threads hidden, 6 threads have no state data"; empty if no line is omitted.
QString omittedRowsText(std::int64_t resting, std::int64_t unknown, const StatisticsRows& of = {});

/// Returns lines for threads without state data: how to record their states, and which dock shows the threads instead.
QString substituteText(const Timeline& timeline);

/// Computes the statistics of the rows of a view that exist in the range, sorted by decreasing time on a CPU.
/// - `view`: id of the view; empty for all threads
/// - `excludesStealTime`: shows the steal time of guests' rows as a state of its own instead of as time on a CPU; nominal times of these
/// rows are then unknown
/// - `nominal`: running times converted to the nominal CPU frequency; nullptr to omit them
/// Cost: a few µs per row.
std::vector<RowStatistics> rowStatistics(const Timeline& timeline, TimeRange range, std::stop_token stop, const std::string& view = {},
                                         bool excludesStealTime = false, const NominalTimes* nominal = nullptr);

/// Sums the statistics of threads by process, or by host and name. A line's track is that of the process's main thread, or of the busiest
/// thread with the name; its bar stands for the time of all its threads together, so that `onCpu` may exceed the range.
std::vector<RowStatistics> sumStatistics(const Timeline& timeline, std::vector<RowStatistics> threads, StatisticsSum sum);

} // namespace helio
