#pragma once

#include "core/analyses/counters/sampled_total.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace helio::counters {

/// The views: of counters of CPUs, and of threads.
constexpr std::string_view CpuView = "counters-cpu";
constexpr std::string_view ThreadView = "counters-thread";

constexpr std::int32_t MostCpus = 8192; ///< That Linux can be built for.

/// What is counted: of every CPU or thread the same.
struct Counter {
    std::string name; ///< "page-faults".
    bool isTime = false; ///< It counts ns, which are kept as seconds.
    SampledTotal::Keeps keeps{};
};

/// The totals of one CPU or thread, in the order of the counters. Those that are never read make no series. One thread; the sink and the
/// counters outlive it.
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
    std::map<std::size_t, SampledTotal> m_totals; ///< By counter: of those that were read alone, as metadata may declare very many.
};

/// Not shown itself: it says whose series are.
Track cpuTrack(std::int32_t cpu);

} // namespace helio::counters
