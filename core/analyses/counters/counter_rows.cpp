#include "core/analyses/counters/counter_rows.h"

#include <utility>

namespace helio::counters {

CounterRow::CounterRow(StateSink& sink, const std::vector<Counter>& counters, std::string_view view, Track track)
    : m_sink(sink)
    , m_counters(counters)
    , m_view(view)
    , m_key(track.key)
    , m_track(sink.addTrack(std::move(track)))
    , m_totals(counters.size())
{
}

SampledTotal& CounterRow::total(std::size_t counter)
{
    std::optional<SampledTotal>& total = m_totals[counter];
    if (total)
        return *total;
    const Counter& it = m_counters[counter];
    CounterSeries series{std::string(m_view), m_key + '/' + it.name, it.name, it.isTime ? "s" : ""};
    series.kind = CounterSeries::Kind::Accumulating;
    series.number = it.isTime ? CounterNumber::Real : CounterNumber::Integer;
    series.track = m_track;
    return total.emplace(m_sink.counters(), std::move(series), it.hasGrowth);
}

void CounterRow::finish()
{
    for (std::optional<SampledTotal>& total : m_totals)
        if (total)
            total->finish();
}

Track cpuTrack(std::int32_t cpu)
{
    Track track;
    track.kind = "cpu";
    track.key = "cpu:" + std::to_string(cpu);
    track.label = "CPU " + std::to_string(cpu);
    track.cpu = cpu;
    track.sortKey = cpu;
    return track;
}

} // namespace helio::counters
