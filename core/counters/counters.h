#pragma once

#include "core/query/rows/rows.h"
#include "core/store/counters.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Queries for counters in all stores of a timeline. Times are on the experiment's clock. For a series that does not exist or is not
/// indexed yet, the result is empty.
/// Cost: see CounterSet.
namespace helio {

struct Timeline;

/// Identifies a series of one of the timeline's stores. Also valid in later timelines of the same experiment.
struct CounterRef {
    StoreIndex store{};
    CounterSeriesId series{};
    auto operator<=>(const CounterRef&) const = default;
};

/// A series whose rate is the utilization of a row, see isShareOfTime().
struct UtilizationSeries {
    CounterRef ref;
    CounterNumber number = CounterNumber::Real;
    bool operator==(const UtilizationSeries&) const = default;
};

struct ViewSeries {
    CounterRef ref;
    std::string id; ///< Id of the series, unique in the store that contains the series.
    std::string title;
    std::string unit; ///< Unit of the series' values; empty for plain numbers.
    CounterSeries::Kind kind = CounterSeries::Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    TrackRef track; ///< Row of the series, for example a CPU or a thread; not valid if the series has no row.
    std::uint32_t trace = 0; ///< Trace of the series, as an index into Timeline::traces.
    /// Series that contains the growth per second of this series (its id ends with GrowthSuffix); nullopt if the store has none.
    std::optional<CounterRef> growth = {};
    bool operator==(const ViewSeries&) const = default;
};

/// The row and the virtual machine that a series belongs to, as views show them.
struct SeriesOwner {
    TrackRef row; ///< Row of the series; for a series of a virtual machine's process, the machine's row. Not valid if no view shows it.
    /// Id of the virtual machine's row, even if that row is not shown; empty if the series belongs to no virtual machine.
    std::string machine;
    std::string machineName;
    std::optional<std::uint32_t> guest; ///< Guest of the virtual machine, as an index into Timeline::hosts; nullopt if unknown.
};
/// Returns the row and virtual machine of each series, in the order of `series`.
/// Cost: one findVirtualMachines() if a series belongs to a virtual machine's process, else little.
std::vector<SeriesOwner> findSeriesOwners(const Timeline& timeline, std::span<const ViewSeries> series);

/// Returns the series of a view, grouped by store, then in the order of their rows. Series without a row come first. Series of one row are
/// in the order in which the analysis added them.
std::vector<ViewSeries> viewSeries(const Timeline& timeline, std::string_view view);

/// Returns distinct names of series, in the order of `series`. A name is the title of the series; for a virtual machine's process it is
/// "TITLE of MACHINE". Equal names are extended by the row; if they are still equal, by the host, and then by the traced program or the
/// trace.
std::vector<std::string> namesOf(const Timeline& timeline, std::span<const ViewSeries> series, std::span<const SeriesOwner> places);

/// Returns the row that a series belongs to. If no view shows that row, the result has no track. If the series has no row, the result has
/// the id and the label of the series.
Row rowOf(const Timeline& timeline, const ViewSeries& series);

struct SeriesPoint {
    Timestamp time;
    CounterValue value;
    bool operator==(const SeriesPoint&) const = default;
};

/// The points of a series in one column of pixels.
struct SeriesColumn {
    TimeRange range; ///< Range of the column. Always as wide as the resolution, even if only a part of it lies in the time range.
    std::uint64_t count = 0; ///< Number of the series' points in the column, at least 1.
    SeriesPoint first;
    SeriesPoint last; ///< Last point; the series has the point's value until the first point of the next column.
    CounterValue least; ///< Smallest value of the points in the column.
    CounterValue most; ///< Largest value of the points in the column.
    double mean = 0; ///< Time-weighted mean over the part of the column that lies in the time range and has a value.
};

/// The values of a series in a time range, by column of pixels. Every point in the time range is in a column.
struct SeriesColumns {
    /// Last point before the time range: the series' value at the time range's beginning. nullopt if there is none.
    std::optional<SeriesPoint> before;
    std::vector<SeriesColumn> columns; ///< Columns that have points of the series, in time order.
    std::optional<SeriesPoint> after; ///< First point of the series after the time range; nullopt if there is none.
};

/// Returns the columns of a series in a time range. Requires: resolution > 0.
SeriesColumns seriesColumns(const Timeline& timeline, CounterRef series, TimeRange window, Duration resolution, std::stop_token stop = {});

/// Calls `take` with the points in the range, in time order and in chunks of a few hundred.
void forEachPoint(const Timeline& timeline, CounterRef series, TimeRange range,
                  const std::function<void(std::span<const SeriesPoint>)>& take, std::stop_token stop = {});

/// Returns the last point at or before `at`, whose value the series has at that time; nullopt before the first point.
std::optional<SeriesPoint> pointAt(const Timeline& timeline, CounterRef series, Timestamp at);
/// Returns the first point of the series after `at`; nullopt if there is none.
std::optional<SeriesPoint> nextPoint(const Timeline& timeline, CounterRef series, Timestamp at);
/// Returns the last point of the series before `at`; nullopt if there is none.
std::optional<SeriesPoint> previousPoint(const Timeline& timeline, CounterRef series, Timestamp at);

/// Returns the time up to which the series is indexed; Timestamp::max() if its store is complete.
Timestamp knownUntil(const Timeline& timeline, CounterRef series);

/// Returns a value as text, for example "12" or "0.25". Integers are exact; doubles have as few digits as are needed to read back the same
/// double.
std::string valueText(CounterNumber number, CounterValue value);

} // namespace helio
