#pragma once

#include "core/store/counters.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio::counters {

/// Writes a total that was read at intervals as an accumulating series, together with a series of its growth (GrowthSuffix).
///
/// A total is assumed to grow evenly between two reads, so the rate over a very short interval would be meaningless: 1 in 300 ns is no
/// rate of three millions per second. Therefore a point is written only after 16 counts in a microsecond or more since the previous point,
/// or after 0.1 ms; reads in between are left out. Exception: a read after which the total grows at least twice as fast is kept, because
/// there an idle CPU got a thread. With Keeps::allReads (for reads at switches of threads), every read is a point, and only the growth uses
/// these intervals. The last read and the reads before and after a fall are always kept. A total that falls has restarted, and its growth
/// over the fall is unknown.
///
/// Threads: to be used by one thread.
/// Ownership: the sink outlives the object.
class SampledTotal {
public:
    /// Selects the data that are written.
    struct Keeps {
        bool growth = true; ///< False if samples are recorded at other times than the events they count.
        bool allReads = false; ///< True if every read is written as a point.
    };
    SampledTotal(CounterSink& sink, CounterSeries series, Keeps keeps);

    /// Adds a read of the total. A read that is earlier than the previous one counts as made at the previous one's time.
    void take(HostTimestamp at, std::int64_t total);
    void finish();

private:
    struct Read {
        HostTimestamp time;
        std::int64_t total = 0;
    };
    bool isEnough() const;
    bool isCorner(const Read& next) const;
    void keepLast();
    void addPoint(const Read& read);
    double number(std::int64_t total) const { return m_isTime ? double(total) / 1e9 : double(total); }

    CounterSink& m_sink;
    bool m_isTime;
    bool m_keepsAllReads;
    std::optional<CounterSeriesId> m_series;
    std::optional<CounterSeriesId> m_growth;
    std::optional<Read> m_last;
    Read m_kept; ///< The last read that was written; valid if m_last is set.
};

/// Ids of the views with the counters of CPUs and of threads.
constexpr std::string_view CpuView = "counters-cpu";
constexpr std::string_view ThreadView = "counters-thread";

constexpr std::int32_t MostCpus = 8192; ///< Maximum of NR_CPUS that Linux can be built for.

/// A counter that all CPUs or threads have.
struct Counter {
    std::string name; ///< Name of the counter, e.g. "page-faults".
    bool isTime = false; ///< True if the counter counts ns; the series then holds seconds.
    SampledTotal::Keeps keeps{};
};

/// The totals of one CPU or thread, in the order of the counters. A counter that is never read gets no series.
///
/// Threads: to be used by one thread.
/// Ownership: the sink and the counters outlive the object.
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
    /// Indexed by counter; only the counters that were read, because metadata may declare very many.
    std::map<std::size_t, SampledTotal> m_totals;
};

/// Returns the track that the series of a CPU's counters belong to. The track itself is in no view.
Track cpuTrack(std::int32_t cpu);

} // namespace helio::counters
