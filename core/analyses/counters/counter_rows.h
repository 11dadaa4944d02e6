#pragma once

#include "core/store/counters.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio::counters {

/// Writes a counter's total as an accumulating series, together with a series of the total's growth (id with the suffix GrowthSuffix). The
/// recording contains the total at single times; such a value with its time is called a read.
///
/// A total is assumed to grow evenly between two reads, so very short intervals would give meaningless rates: a growth by 1 in 300 ns does
/// not mean a rate of three million per second. Therefore a read becomes a point of the series only if the total grew by at least 16 in at
/// least 1 µs since the previous point, or after 0.1 ms. Exceptions:
/// - A read after which the total grows at least twice as fast as before becomes a point, because an idle CPU probably got a thread there.
/// - With WrittenData::allReads (for reads at switches of threads), every read becomes a point, and only the growth uses the longer
/// intervals.
/// - The last read, and the reads before and after a fall, always become points. A total that falls was restarted; its growth over the fall
/// is unknown.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the sink alive longer than the object.
class SampledTotal {
public:
    /// Selects the data that are written for a total.
    struct WrittenData {
        /// True to write a second series with the growth of the total per second. False for samples of a clock, which may come late and
        /// close together: the growth per second between two such samples would mislead the user.
        bool growth = true;
        /// True to write every read as a point of the series; false to leave out reads after little time or growth (see SampledTotal).
        bool allReads = false;
    };
    SampledTotal(CounterSink& sink, CounterSeries series, WrittenData written);

    /// Adds a read: the total at time `at`. If `at` is earlier than the previous read, the read gets the previous read's time.
    void take(HostTimestamp at, std::int64_t total);
    void finish();

private:
    struct Read {
        HostTimestamp time;
        std::int64_t total = 0;
    };
    bool isEnough() const;
    bool isCorner(const Read& next) const;
    void writeLast();
    void addPoint(const Read& read);
    double number(std::int64_t total) const { return m_isTime ? double(total) / 1e9 : double(total); }

    CounterSink& m_sink;
    bool m_isTime;
    bool m_writesAllReads;
    std::optional<CounterSeriesId> m_series;
    std::optional<CounterSeriesId> m_growth;
    std::optional<Read> m_last;
    Read m_lastPoint; ///< Last read that was written as a point of the series; valid only if m_last has a value.
};

/// Ids of the views with the counters of CPUs, and with the counters of threads.
constexpr std::string_view CpuView = "counters-cpu";
constexpr std::string_view ThreadView = "counters-thread";

constexpr std::int32_t MostCpus = 8192; ///< Maximum number of CPUs that Linux can be built for (NR_CPUS).

/// A kind of counter that every CPU or thread has.
struct Counter {
    std::string name; ///< Name of the counter, e.g. "page-faults".
    bool isTime = false; ///< True if the counter counts ns; the values of the series are then in seconds.
    SampledTotal::WrittenData written{};
};

/// The totals of one CPU or thread, one for each kind of counter. A counter that was never recorded on the CPU or thread gets no series.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the sink and the counters alive longer than the object.
class CounterRow {
public:
    CounterRow(StateSink& sink, const std::vector<Counter>& counters, std::string_view view, Track track);

    TrackId track() const { return m_track; }
    SampledTotal& total(std::size_t counter);
    void finish();

private:
    StateSink& m_sink;
    const std::vector<Counter>& m_counters;
    std::string_view m_view;
    std::string m_key;
    TrackId m_track;
    /// Totals, keyed by index of the counter. Contains only counters that were recorded on this row, because a trace may declare very many
    /// counters.
    std::map<std::size_t, SampledTotal> m_totals;
};

/// Returns the track for the series of a CPU's counters. The track itself is in no view.
Track cpuTrack(std::int32_t cpu);

} // namespace helio::counters
