#pragma once

#include "core/analyses/counters/sampled_total.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace helio::counters {

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
