#pragma once

#include "core/store/counters.h"

#include <cstdint>
#include <optional>

namespace helio::counters {

/// A total that was read now and then, as an accumulating series with its growth (GrowthSuffix).
///
/// Between two reads a total is taken to grow evenly, so a stretch in which next to nothing was counted would say little: 1 in 300 ns is no
/// rate of three millions a second. A point is written once 16 were counted in a microsecond or more since the last one, or 0.1 ms has
/// passed; what was read in between is left out. But for a read from which on a total grows twice as fast as before: that is where a CPU
/// that idled got a thread. Where each read counts, as those at switches of threads do, all of them are points, and only the growth is by
/// such stretches. The last of all is always there, and those before and after a fall. Where a total falls it began anew, and
/// nothing is known of what it grew by. One thread; the sink outlives it.
class SampledTotal {
public:
    /// Which of what is read stays.
    struct Keeps {
        bool growth = true; ///< Not where what was read does not lie where it was counted.
        bool allReads = false;
    };
    /// `series`: accumulating; of reals, its values are ns that are kept as seconds. More series than a store has are not kept.
    SampledTotal(CounterSink& sink, CounterSeries series, Keeps keeps);

    /// What it was then. One that comes late counts as of the last one's time.
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
    Read m_kept; ///< The last one that was written; with m_last.
};

} // namespace helio::counters
