#pragma once

#include "widgets/sql/sql_result.h"
#include "widgets/workspace/result_panels.h"

#include <QStringList>

#include <stop_token>

namespace helio {

/// Which columns of a result a panel shows.
struct SqlPanelColumns {
    QString partition; ///< Column with a row of the panel for each value; empty for one row.
    QString value{}; ///< Column with the values of curves; unused for bars.
    bool operator==(const SqlPanelColumns&) const = default;
};

constexpr std::size_t MostLanes = 200; ///< Maximum number of rows of a panel; the rows with the most time are kept.
constexpr std::size_t MostCurves = 24; ///< Maximum number of curves of a panel.
constexpr std::uint32_t MostLineDepths = 8; ///< Maximum number of lines for overlapping intervals of a row.

bool canBeBars(const SqlResult& result); ///< True if the result has times and durations.
bool canBeCurves(const SqlResult& result); ///< True if the result has times, and a column of numbers for values.
QStringList partitionColumns(const SqlResult& result); ///< Columns that may be a partition: those with few different values.
/// Computes the facts about all rows of a result.
/// Cost: visits each value of columns with few different values; about 0.1 s for 100,000 rows.
SqlResult::Facts factsOf(const SqlResult& result);
/// Returns the columns to show unless the user chose others: the partition is a name, a thread, a track or a CPU.
SqlPanelColumns defaultColumns(const SqlResult& result, bool isChart);
/// Makes the contents of a panel from a result.
/// Threads: any.
std::shared_ptr<const ResultPanelData> makePanelData(const SqlResult& result, const SqlPanelColumns& columns, bool isChart,
                                                     const std::stop_token& stop = {});

} // namespace helio
