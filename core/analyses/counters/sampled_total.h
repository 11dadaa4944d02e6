#pragma once

#include "core/store/counters.h"

#include <cstdint>
#include <optional>

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

} // namespace helio::counters
