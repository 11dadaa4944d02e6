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

/// Index of a series of a counter's values in its store.
enum class CounterSeriesId : std::uint32_t {};

/// Which numbers the values of a series are.
enum class CounterNumber : std::uint8_t {
    Integer, ///< Signed, 64 bits.
    Real, ///< A double, always finite.
};

/// A value of a counter. Its series says which of the two it is.
class CounterValue {
public:
    CounterValue() = default;
    static CounterValue ofInteger(std::int64_t value) { return CounterValue(static_cast<std::uint64_t>(value)); }
    static CounterValue ofReal(double value) { return CounterValue(std::bit_cast<std::uint64_t>(value)); }
    static CounterValue ofBits(std::uint64_t bits) { return CounterValue(bits); } ///< As bits() gave them.

    std::int64_t integer() const { return static_cast<std::int64_t>(m_bits); }
    double real() const { return std::bit_cast<double>(m_bits); }
    std::uint64_t bits() const { return m_bits; }

    /// For pictures: to 53 bits.
    double number(CounterNumber kind) const { return kind == CounterNumber::Integer ? static_cast<double>(integer()) : real(); }
    bool operator==(const CounterValue&) const = default;

private:
    explicit CounterValue(std::uint64_t bits)
        : m_bits(bits)
    {
    }
    std::uint64_t m_bits = 0;
};

/// What a series counts, as the analysis that makes it says it.
struct CounterSeries {
    enum class Kind : std::uint8_t {
        Gauge, ///< A level: bytes in use, kHz.
        Accumulating, ///< A total that grows: what counts is how much between two times.
    };
    std::string view; ///< That shows it, with all series that name it: TrackView::id. Empty: none does.
    std::string id; ///< "cpu:0/cache-misses": unique in its store.
    std::string title; ///< "Cache misses".
    std::string unit{}; ///< "B"; empty: a plain number.
    Kind kind = Kind::Gauge;
    CounterNumber number = CounterNumber::Integer;
    TrackId track = NoTrack; ///< That it belongs to: a CPU, a thread; NoTrack: to none.
    bool operator==(const CounterSeries&) const = default;
};

/// Behind the id of an accumulating series that is sampled: the id of the series added right after it, of no view and in reals, which says
/// how fast it grew, a second, from each of its points to the next. So the fastest and the slowest of any stretch of time are known, too.
constexpr std::string_view GrowthSuffix = "/growth";

/// From its time on a counter has the value, until the next point of its series.
struct CounterPoint {
    HostTimestamp time;
    CounterValue value;
    bool operator==(const CounterPoint&) const = default;
};

/// The points of a series in one column of a picture.
struct CounterColumn {
    HostTimestamp begin; ///< A multiple of the resolution, counted from time 0.
    std::uint64_t count = 0; ///< 1 or more.
    CounterPoint first;
    CounterPoint last; ///< Its value holds until the next column's first point.
    CounterValue least;
    CounterValue most;
    double mean = 0; ///< By time, over the part of the column that lies in the window and has a value; to about a billionth of the largest.
};

/// What a series does in a window. Every point of the window is in one of these: however far one zooms out, the least and the most of a
/// column are known.
struct CounterColumns {
    std::optional<CounterPoint> before; ///< The last point before the window: its value holds where the window begins.
    std::vector<CounterColumn> columns; ///< In time order; those that have points.
};

/// The counters of one trace. Immutable.
///
/// Threads: any at once. Errors: none; a series that is not there has no points. A damaged block reads as missing, and isDamaged() is then
/// true; what was summed up is right all the same.
/// Cost:    a block of 512 points is read in about 5 µs; of others, what they sum up to is known without.
class CounterSet {
public:
    virtual ~CounterSet() = default;

    virtual std::span<const CounterSeries> series() const = 0;
    virtual std::uint64_t count(CounterSeriesId series) const = 0; ///< Points.

    /// Some points turned out to be unreadable.
    virtual bool isDamaged() const = 0;

    using Take = std::function<void(std::span<const CounterPoint>)>;
    /// Hands over the points whose times lie in the range, in the order in which they were added, some hundreds at a time.
    virtual void visit(CounterSeriesId series, HostRange range, const Take& take, std::stop_token stop = {}) const = 0;

    /// At most window / resolution + 2 columns, and no more than there are points. Exact at any zoom. Cost: about a block a column.
    /// Requires: resolution > 0.
    virtual CounterColumns spans(CounterSeriesId series, HostRange window, Duration resolution, std::stop_token stop = {}) const = 0;

    /// The last point at or before `at`: its value is the one at that time. Nothing before the first point. Cost: a block.
    virtual std::optional<CounterPoint> valueAt(CounterSeriesId series, HostTimestamp at) const = 0;
    /// The first point after `at`, the last before it. Cost: a block.
    virtual std::optional<CounterPoint> next(CounterSeriesId series, HostTimestamp at) const = 0;
    virtual std::optional<CounterPoint> previous(CounterSeriesId series, HostTimestamp at) const = 0;
};

/// Of a store without counters.
const CounterSet& noCounters();

/// The write side. One thread.
class CounterSink {
public:
    virtual ~CounterSink() = default;

    /// The same id for a series of the same id, as it was first given. Errors: Unsupported: more than 65,536 series.
    /// Requires: a track of this sink's store, or NoTrack.
    virtual Result<CounterSeriesId> addSeries(const CounterSeries& series) = 0;

    /// In time order within a series; one that is late counts as at the time of the one before it. Points of the same time all stay. A
    /// value is taken as a number of the series' kind: the nearest there is. What is not finite is no value, and is dropped.
    virtual void addInteger(CounterSeriesId series, HostTimestamp time, std::int64_t value) = 0;
    virtual void addReal(CounterSeriesId series, HostTimestamp time, double value) = 0;
};

/// Takes points and keeps none.
CounterSink& droppedCounters();

} // namespace helio
