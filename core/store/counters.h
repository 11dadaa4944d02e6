#pragma once

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/store/track.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Index of a counter series in its store.
enum class CounterSeriesId : std::uint32_t {};

/// Type of the values of a counter series.
enum class CounterNumber : std::uint8_t {
    Integer, ///< Signed 64-bit integer.
    Real, ///< Finite double.
};

/// Value of a counter, an integer or a double; CounterSeries::number says which.
class CounterValue {
public:
    CounterValue() = default;
    static CounterValue fromInteger(std::int64_t value) { return CounterValue(static_cast<std::uint64_t>(value)); }
    static CounterValue fromReal(double value) { return CounterValue(std::bit_cast<std::uint64_t>(value)); }
    static CounterValue fromBits(std::uint64_t bits) { return CounterValue(bits); } ///< Restores a value from the result of bits().

    std::int64_t integer() const { return static_cast<std::int64_t>(m_bits); }
    double real() const { return std::bit_cast<double>(m_bits); }
    std::uint64_t bits() const { return m_bits; }

    /// Returns the value as a double, for drawing; integers beyond 53 bits are rounded.
    double number(CounterNumber kind) const { return kind == CounterNumber::Integer ? static_cast<double>(integer()) : real(); }
    bool operator==(const CounterValue&) const = default;

private:
    explicit CounterValue(std::uint64_t bits)
        : m_bits(bits)
    {
    }
    std::uint64_t m_bits = 0;
};

/// Description of a counter series by the analysis that records it.
struct CounterSeries {
    enum class Kind : std::uint8_t {
        Gauge, ///< A level that can rise and fall: bytes in use, kHz.
        Accumulating, ///< A growing total; its change over time is what matters.
    };
    /// TrackView::id of the view that shows the series, possibly with more series. Empty if no view shows the series.
    std::string view;
    std::string id; ///< Stable identifier, unique in its store, for example "cpu:0/cache-misses".
    std::string title; ///< Title for the user, for example "Cache misses".
    std::string unit{}; ///< Unit of the values, for example "B"; empty for a plain number.
    Kind kind = Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    TrackId track = NoTrack; ///< Track of the CPU or thread to which the series belongs; NoTrack if it belongs to neither.
    bool operator==(const CounterSeries&) const = default;
};

/// Suffix of the id of a growth series: the growth per second of an accumulating series. An analysis adds a growth series right after
/// each sampled accumulating series; its id is the id of that series plus this suffix. A growth series has no view. Each of its
/// points is a double: the growth per second from that point to the next one. With a growth series, the highest and lowest growth
/// rate in any time range can be queried; with the accumulating series, they cannot.
constexpr std::string_view GrowthSuffix = "/growth";

/// Point of a counter series: the counter has `value` from `time` until the next point.
struct CounterPoint {
    HostTimestamp time;
    CounterValue value;
    bool operator==(const CounterPoint&) const = default;
};

/// Points of a series that fall into one pixel column.
struct CounterColumn {
    HostTimestamp begin; ///< Begin of the column: a multiple of the resolution, counted from time 0.
    std::uint64_t count = 0; ///< Number of points in the column, at least 1.
    CounterPoint first;
    CounterPoint last; ///< Last point of the column. Its value is valid until the first point of the next column.
    CounterValue least;
    CounterValue most;
    /// Time-weighted mean of the values over the part of the column that lies in the time range. Times before the first point do not count.
    /// Error: about a billionth of the largest value.
    double mean = 0;
};

/// A series within a time range, aggregated by pixel column. Every point of the range is in exactly one column, so each column has its
/// exact minimum and maximum at any zoom.
struct CounterColumns {
    std::optional<CounterPoint> before; ///< Last point before the range: the source of the value at the range's start.
    std::vector<CounterColumn> columns; ///< Columns that have points, in time order.
};

/// The counters of one trace. Immutable.
///
/// Threads: all methods may be called from any thread at once.
/// Errors: none. An unknown series has no points. The points of a damaged block are missing, and isDamaged() is then true; the block's
/// totals in the directory of blocks stay valid.
/// Cost: about 5 µs for each block of 512 points that is decoded. A block that lies completely inside a column is not decoded, because its
/// totals are in the directory of blocks.
class CounterSet {
public:
    virtual ~CounterSet() = default;

    virtual std::span<const CounterSeries> series() const = 0;
    virtual std::uint64_t count(CounterSeriesId series) const = 0; ///< Number of points of the series.

    /// True if some points could not be read.
    virtual bool isDamaged() const = 0;

    using Take = std::function<void(std::span<const CounterPoint>)>;
    /// Calls `take` with the points in the range, in the order of recording, a few hundred per call.
    virtual void visit(CounterSeriesId series, HostRange range, const Take& take, std::stop_token stop = {}) const = 0;

    /// Returns the series aggregated by pixel column: at most window / resolution + 2 columns, and at most one per point. The columns are
    /// exact at any zoom. Requires: resolution > 0.
    /// Cost: decodes about one block per column.
    virtual CounterColumns spans(CounterSeriesId series, HostRange window, Duration resolution, std::stop_token stop = {}) const = 0;

    /// Returns the last point at or before `at`; nullopt before the first point. The counter has the value of this point at `at`.
    /// Cost: decodes one block.
    virtual std::optional<CounterPoint> valueAt(CounterSeriesId series, HostTimestamp at) const = 0;
    /// next() returns the first point after `at`; previous() returns the last point before `at`.
    /// Cost: decodes one block.
    virtual std::optional<CounterPoint> next(CounterSeriesId series, HostTimestamp at) const = 0;
    virtual std::optional<CounterPoint> previous(CounterSeriesId series, HostTimestamp at) const = 0;
};

/// Empty counter set, for stores without counters.
const CounterSet& noCounters();

/// Records counters into a store.
/// Threads: to be used by one thread.
class CounterSink {
public:
    virtual ~CounterSink() = default;

    /// Adds a series. If a series with this id exists, its CounterSeriesId is returned and its first description stays. Requires:
    /// `series.track` is a track of this sink's store, or NoTrack.
    /// Errors: Unsupported if there are more than 65,536 series.
    virtual Result<CounterSeriesId> addSeries(const CounterSeries& series) = 0;

    /// Adds a point. Times must ascend within a series; an earlier time is replaced by the time of the previous point. All points of equal
    /// time are kept. The value is converted to the nearest value of the series' type; NaN and infinities are dropped.
    virtual void addInteger(CounterSeriesId series, HostTimestamp time, std::int64_t value) = 0;
    virtual void addReal(CounterSeriesId series, HostTimestamp time, double value) = 0;
};

/// Sink that discards all points.
CounterSink& droppedCounters();

} // namespace helio
