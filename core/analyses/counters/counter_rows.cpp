#include "core/analyses/counters/counter_rows.h"

#include <utility>

namespace helio::counters {

CounterRow::CounterRow(StateSink& sink, const std::vector<Counter>& counters, std::string_view view, Track track)
    : m_sink(sink)
    , m_counters(counters)
    , m_view(view)
    , m_key(track.key)
    , m_track(sink.addTrack(std::move(track)))
{
}

SampledTotal& CounterRow::total(std::size_t counter)
{
    if (const auto known = m_totals.find(counter); known != m_totals.end())
        return known->second;
    const Counter& it = m_counters[counter];
    CounterSeries series{std::string(m_view), m_key + '/' + it.name, it.name, it.isTime ? "s" : ""};
    series.kind = CounterSeries::Kind::Accumulating;
    series.number = it.isTime ? CounterNumber::Real : CounterNumber::Integer;
    series.track = m_track;
    return m_totals.try_emplace(counter, m_sink.counters(), std::move(series), it.keeps).first->second;
}

void CounterRow::finish()
{
    for (auto& [counter, total] : m_totals)
        total.finish();
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
