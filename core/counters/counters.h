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

/// Queries for counters in all stores of a timeline. Times are on the experiment's clock. A query for a series that does not exist, or not
/// yet, returns an empty result.
/// Cost: see CounterSet.
namespace helio {

struct Timeline;

/// Identifies a series of one of the timeline's stores. Stays valid from one published timeline to the next.
struct CounterRef {
    StoreIndex store{};
    CounterSeriesId series{};
    auto operator<=>(const CounterRef&) const = default;
};

/// A series as a view shows it.
struct ViewSeries {
    CounterRef ref;
    std::string id; ///< Unique in its store.
    std::string title;
    std::string unit; ///< Empty for a plain number.
    CounterSeries::Kind kind = CounterSeries::Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    TrackRef track; ///< Row that it belongs to, for example a CPU or a thread; not valid if it belongs to none.
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::optional<CounterRef> growth = {}; ///< Series with its growth from point to point, if the store has one (see GrowthSuffix).
    bool operator==(const ViewSeries&) const = default;
};

/// The row and the virtual machine that a series belongs to, as views show them.
struct SeriesOwner {
    TrackRef row; ///< Row of the series; for a series of a virtual machine's process, the machine's row. Not valid if no shown row fits.
    std::string machine; ///< Id of the machine's row, even if that row is not shown; empty if the series belongs to no virtual machine.
    std::string machineName;
    std::optional<std::uint32_t> guest; ///< Index of the host that runs in that machine; nullopt if unknown.
};
/// Returns the places of series in the order of `series`.
/// Cost: one findVirtualMachines() if a series belongs to a virtual machine's process, else little.
std::vector<SeriesOwner> findSeriesOwners(const Timeline& timeline, std::span<const ViewSeries> series);

/// Returns the series of a view, grouped by store and sorted by the order of their rows. Series without a row come first. Series of one row
/// keep the order in which they were added.
std::vector<ViewSeries> viewSeries(const Timeline& timeline, std::string_view view);

/// Returns distinct names of series, in the order of `series`. A name is the title; for a virtual machine's process, with the machine's
/// name. Equal names are extended by the row, then by the host, then by the traced program or the trace.
std::vector<std::string> namesOf(const Timeline& timeline, std::span<const ViewSeries> series, std::span<const SeriesOwner> places);

/// Returns the row that a series belongs to. If no such row is shown, returns a row without a track in its place; if the series has no row,
/// this row has the id and the label of the series.
Row rowOf(const Timeline& timeline, const ViewSeries& series);

struct SeriesPoint {
    Timestamp time;
    CounterValue value;
    bool operator==(const SeriesPoint&) const = default;
};

/// The points of a series in one column of pixels.
struct SeriesColumn {
    TimeRange range; ///< Always as wide as the resolution, even if the window shows only a part of the column.
    std::uint64_t count = 0; ///< Count of points; at least 1.
    SeriesPoint first;
    SeriesPoint last; ///< Last point; its value holds until the first point of the next column.
    CounterValue least; ///< Smallest value of the points.
    CounterValue most; ///< Largest value of the points.
    double mean = 0; ///< Mean weighted by time, over the part of the column in which the window shows a value.
};

/// The course of a series in a window; every point of the window is in one of the columns.
struct SeriesColumns {
    std::optional<SeriesPoint> before; ///< The last point before the window; its value holds at the window's beginning.
    std::vector<SeriesColumn> columns; ///< Columns with points, in the order of time.
    std::optional<SeriesPoint> after; ///< The first point after the window.
};

/// Returns the columns of a series in a window. Requires: resolution > 0.
SeriesColumns seriesColumns(const Timeline& timeline, CounterRef series, TimeRange window, Duration resolution, std::stop_token stop = {});

/// Calls `take` with the points in the range, in the order of time, a few hundred at a time.
void forEachPoint(const Timeline& timeline, CounterRef series, TimeRange range,
                  const std::function<void(std::span<const SeriesPoint>)>& take, std::stop_token stop = {});

/// Returns the last point at or before `at`, which has the value at that time; nullopt before the first point.
std::optional<SeriesPoint> pointAt(const Timeline& timeline, CounterRef series, Timestamp at);
/// Returns the first point after `at`; nullopt if there is none.
std::optional<SeriesPoint> nextPoint(const Timeline& timeline, CounterRef series, Timestamp at);
/// Returns the last point before `at`; nullopt if there is none.
std::optional<SeriesPoint> previousPoint(const Timeline& timeline, CounterRef series, Timestamp at);

/// Returns the time up to which values of the series are known; a time after all events once its store is complete.
Timestamp knownUntil(const Timeline& timeline, CounterRef series);

/// Returns for example "12" or "0.25": integers exactly, doubles with the fewest digits that give the same double again.
std::string valueText(CounterNumber number, CounterValue value);

} // namespace helio
