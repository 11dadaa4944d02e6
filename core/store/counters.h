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

/// Type of the numbers of a series.
enum class CounterNumber : std::uint8_t {
    Integer, ///< Signed, 64 bits.
    Real, ///< A double, always finite.
};

/// One value of a counter. CounterSeries::number tells which of the two types it has.
class CounterValue {
public:
    CounterValue() = default;
    static CounterValue fromInteger(std::int64_t value) { return CounterValue(static_cast<std::uint64_t>(value)); }
    static CounterValue fromReal(double value) { return CounterValue(std::bit_cast<std::uint64_t>(value)); }
    static CounterValue fromBits(std::uint64_t bits) { return CounterValue(bits); } ///< `bits` must come from bits().

    std::int64_t integer() const { return static_cast<std::int64_t>(m_bits); }
    double real() const { return std::bit_cast<double>(m_bits); }
    std::uint64_t bits() const { return m_bits; }

    /// The value as a double, for drawing: exact to 53 bits only.
    double number(CounterNumber kind) const { return kind == CounterNumber::Integer ? static_cast<double>(integer()) : real(); }
    bool operator==(const CounterValue&) const = default;

private:
    explicit CounterValue(std::uint64_t bits)
        : m_bits(bits)
    {
    }
    std::uint64_t m_bits = 0;
};

/// Description of a counter series, given by the analysis that records it.
struct CounterSeries {
    enum class Kind : std::uint8_t {
        Gauge, ///< A level: bytes in use, kHz.
        Accumulating, ///< A growing total. Its change between two times is what matters.
    };
    std::string view; ///< TrackView::id of the view that shows this series together with all other series of that view; empty if no view
                      ///< shows it.
    std::string id; ///< Unique in its store, e.g. "cpu:0/cache-misses".
    std::string title; ///< For example "Cache misses".
    std::string unit{}; ///< For example "B"; empty for a plain number.
    Kind kind = Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    TrackId track = NoTrack; ///< CPU or thread that the series belongs to; NoTrack if it belongs to none.
    bool operator==(const CounterSeries&) const = default;
};

/// Suffix of the id of a growth series. An analysis adds a growth series right after each sampled accumulating series; its id is that of
/// the accumulating series plus this suffix. It has no view, holds doubles, and gives for each point the growth per second until the next
/// point. The highest and lowest growth rate of any time range can be looked up in it.
constexpr std::string_view GrowthSuffix = "/growth";

/// The counter has `value` from `time` until the next point of its series.
struct CounterPoint {
    HostTimestamp time;
    CounterValue value;
    bool operator==(const CounterPoint&) const = default;
};

/// Points of a series that fall into one column of a picture.
struct CounterColumn {
    HostTimestamp begin; ///< A multiple of the resolution, counted from time 0.
    std::uint64_t count = 0; ///< Number of points, at least 1.
    CounterPoint first;
    CounterPoint last; ///< Its value holds until the first point of the next column.
    CounterValue least;
    CounterValue most;
    /// Time-weighted mean over the part of the column that lies in the window and has a value. Error: about a billionth of the largest
    /// value.
    double mean = 0;
};

/// A series within a window, folded into columns. Every point of the window is in one column, so the least and the greatest value of each
/// column are exact at any zoom.
struct CounterColumns {
    std::optional<CounterPoint> before; ///< Last point before the window. Its value holds at the begin of the window.
    std::vector<CounterColumn> columns; ///< Columns that have points, in time order.
};

/// The counters of one trace. Immutable.
///
/// Threads: all methods may be called from any thread at once.
/// Errors: none. An unknown series has no points. A damaged block reads as if its points were missing, and isDamaged() is then true; the
/// sums kept for the block in the directory stay right.
/// Cost: about 5 µs for each block of 512 points that is decoded. Blocks that lie wholly inside a column are not decoded: their sums are in
/// the directory.
class CounterSet {
public:
    virtual ~CounterSet() = default;

    virtual std::span<const CounterSeries> series() const = 0;
    virtual std::uint64_t count(CounterSeriesId series) const = 0; ///< Number of points.

    /// True if some points were found to be unreadable.
    virtual bool isDamaged() const = 0;

    using Take = std::function<void(std::span<const CounterPoint>)>;
    /// Calls `take` with the points in the range, a few hundred at a time, in the order in which they were added.
    virtual void visit(CounterSeriesId series, HostRange range, const Take& take, std::stop_token stop = {}) const = 0;

    /// Returns the series folded into columns: at most window / resolution + 2 of them, and no more than there are points. The columns are
    /// exact at any zoom. Requires: resolution > 0. Cost: decodes about one block a column.
    virtual CounterColumns spans(CounterSeriesId series, HostRange window, Duration resolution, std::stop_token stop = {}) const = 0;

    /// Returns the last point at or before `at`, which holds the value at that time; nullopt before the first point. Cost: decodes one
    /// block.
    virtual std::optional<CounterPoint> valueAt(CounterSeriesId series, HostTimestamp at) const = 0;
    /// next() returns the first point after `at`, previous() the last one before it. Cost: decodes one block.
    virtual std::optional<CounterPoint> next(CounterSeriesId series, HostTimestamp at) const = 0;
    virtual std::optional<CounterPoint> previous(CounterSeriesId series, HostTimestamp at) const = 0;
};

/// The counters of a store without any: an empty set.
const CounterSet& noCounters();

/// Records counters into a store.
/// Threads: to be used by one thread.
class CounterSink {
public:
    virtual ~CounterSink() = default;

    /// Adds a series. If a series with this id exists, its CounterSeriesId is returned and its first description is kept. Requires:
    /// `series.track` is a track of this sink's store, or NoTrack. Errors: Unsupported if there are more than 65,536 series.
    virtual Result<CounterSeriesId> addSeries(const CounterSeries& series) = 0;

    /// Add a point. Times must ascend within a series: an earlier time is replaced by the time of the series' previous point. Points of the
    /// same time are all kept. The value is converted to the nearest number of the series' type; NaN and infinities are dropped.
    virtual void addInteger(CounterSeriesId series, HostTimestamp time, std::int64_t value) = 0;
    virtual void addReal(CounterSeriesId series, HostTimestamp time, double value) = 0;
};

/// A sink that drops all points.
CounterSink& droppedCounters();

} // namespace helio
