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

/// Counters over all stores of a timeline. What is asked of a series that is not there, or not yet, is answered with nothing. See
/// CounterSet for costs; times are the experiment's.
namespace helio {

struct Timeline;

/// A series of one of the timeline's stores. Stays valid from one published timeline to the next.
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
    std::string unit; ///< Empty: a plain number.
    CounterSeries::Kind kind = CounterSeries::Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    TrackRef track; ///< The row it belongs to: a CPU, a thread. Not valid: none.
    std::uint32_t trace = 0; ///< Index in the timeline.
    std::optional<CounterRef> growth = {}; ///< How fast it grew from point to point, where that is kept: GrowthSuffix.
    bool operator==(const ViewSeries&) const = default;
};

/// Whose a series is, as people see it.
struct SeriesPlace {
    TrackRef row; ///< That it belongs to: of a virtual machine's process, the machine's. Not valid: none that is shown.
    std::string machine; ///< The id of that machine's row, also where it is not shown. Empty: it belongs to none.
    std::string machineName;
    std::optional<std::uint32_t> guest; ///< The host inside of that machine.
};
/// In the order of the series. Cost: of machinesOf() where one belongs to a machine's process.
std::vector<SeriesPlace> placesOf(const Timeline& timeline, std::span<const ViewSeries> series);

/// The series of a view, those of a store beside each other, in the order of their rows; of one row, and first those of none, as they were
/// added.
std::vector<ViewSeries> viewSeries(const Timeline& timeline, std::string_view view);

/// What series are called beside each other: their titles, those of a virtual machine's process with the machine; where those are alike,
/// with their rows, and where those are alike too, with their hosts, then the programs that their traces are of, or the traces. In the
/// order of the series.
std::vector<std::string> namesOf(const Timeline& timeline, std::span<const ViewSeries> series, std::span<const SeriesPlace> places);

/// The row that a series belongs to. Where that is not shown, one without a track that stands for it; where it has none, the id and label
/// of that are the series' own.
Row rowOf(const Timeline& timeline, const ViewSeries& series);

struct SeriesPoint {
    Timestamp time;
    CounterValue value;
    bool operator==(const SeriesPoint&) const = default;
};

/// The points of a series in one column of a picture.
struct SeriesColumn {
    TimeRange range; ///< As wide as the resolution, whichever part of it the window shows.
    std::uint64_t count = 0; ///< 1 or more.
    SeriesPoint first;
    SeriesPoint last; ///< Its value holds until the next column's first point.
    CounterValue least; ///< Of the points.
    CounterValue most;
    double mean = 0; ///< By time, over the part of the column that lies in the window and has a value.
};

/// What a series does in a window: every point of it is in one of the columns.
struct SeriesColumns {
    std::optional<SeriesPoint> before; ///< The last point before the window: its value holds where the window begins.
    std::vector<SeriesColumn> columns; ///< In time order; those that have points.
    std::optional<SeriesPoint> after; ///< The first one behind the window.
};

/// Requires: resolution > 0.
SeriesColumns seriesColumns(const Timeline& timeline, CounterRef series, TimeRange window, Duration resolution, std::stop_token stop = {});

/// Hands over the points whose times lie in the range, in time order, some hundreds at a time.
void visitPoints(const Timeline& timeline, CounterRef series, TimeRange range,
                 const std::function<void(std::span<const SeriesPoint>)>& take, std::stop_token stop = {});

/// The last point at or before `at`: its value is the one at that time. Nothing before the first point.
std::optional<SeriesPoint> pointAt(const Timeline& timeline, CounterRef series, Timestamp at);
/// The first point after `at`, the last before it.
std::optional<SeriesPoint> nextPoint(const Timeline& timeline, CounterRef series, Timestamp at);
std::optional<SeriesPoint> previousPoint(const Timeline& timeline, CounterRef series, Timestamp at);

/// Up to when values of the series are known. After the end of everything once its store is whole.
Timestamp knownUntil(const Timeline& timeline, CounterRef series);

/// "12", "0.25": integers exactly, doubles with the fewest digits that make the same double again.
std::string valueText(CounterNumber number, CounterValue value);

} // namespace helio
