#include "core/analyses/counters/counter_rows.h"

#include <algorithm>
#include <utility>

namespace helio::counters {
namespace {

constexpr std::int64_t FewCounts = 16;
/// Minimum interval for a rate: the clock and the counter are read by the tracer up to 1 µs apart.
constexpr Duration Instant = std::chrono::microseconds(1);
constexpr Duration Pause = std::chrono::microseconds(100);

std::optional<CounterSeriesId> added(CounterSink& sink, const CounterSeries& series)
{
    const auto id = sink.addSeries(series);
    return id ? std::optional(*id) : std::nullopt;
}

} // namespace

SampledTotal::SampledTotal(CounterSink& sink, CounterSeries series, WrittenData written)
    : m_sink(sink)
    , m_isTime(series.number == CounterNumber::Real)
    , m_writesAllReads(written.allReads)
    , m_series(added(sink, series))
{
    series.view.clear();
    series.id += GrowthSuffix;
    series.kind = CounterSeries::Kind::Gauge;
    series.number = CounterNumber::Real;
    if (written.growth)
        m_growth = added(sink, series);
}

void SampledTotal::take(HostTimestamp at, std::int64_t total)
{
    const Read read{m_last ? std::max(at, m_last->time) : at, total};
    const bool hasFallen = m_last && total < m_last->total;
    if (hasFallen || isCorner(read))
        writeLast();
    const bool isOther = !m_last || read.time != m_last->time || read.total != m_last->total;
    if (!m_last || hasFallen || (m_writesAllReads && isOther))
        addPoint(read);
    if (!m_last || hasFallen)
        m_lastPoint = read;
    m_last = read;
    if (isEnough())
        writeLast();
}

bool SampledTotal::isEnough() const
{
    const Duration passed = m_last->time - m_lastPoint.time;
    return passed >= Pause || (passed >= Instant && m_last->total - m_lastPoint.total >= FewCounts);
}

/// Returns true if the total grows at least twice as fast after the last read as before. In this case, the last read must become a point of
/// the series, although it was left out so far. Both intervals must be at least 1 µs long, and the total must grow by at least 16 after the
/// last read.
bool SampledTotal::isCorner(const Read& next) const
{
    if (!m_last || m_last->time - m_lastPoint.time < Instant || next.time - m_last->time < Instant
        || next.total - m_last->total < FewCounts)
        return false;
    const double before = double(m_last->total - m_lastPoint.total) / double((m_last->time - m_lastPoint.time).count());
    const double after = double(next.total - m_last->total) / double((next.time - m_last->time).count());
    return 2 * before <= after;
}

void SampledTotal::writeLast()
{
    const Duration passed = m_last->time - m_lastPoint.time;
    if (passed > Duration() && m_growth)
        m_sink.addReal(*m_growth, m_lastPoint.time, number(m_last->total - m_lastPoint.total) / (double(passed.count()) / 1e9));
    if (!m_writesAllReads && (passed > Duration() || m_last->total != m_lastPoint.total))
        addPoint(*m_last);
    m_lastPoint = *m_last;
}

void SampledTotal::addPoint(const Read& read)
{
    if (m_series && m_isTime)
        m_sink.addReal(*m_series, read.time, number(read.total));
    else if (m_series)
        m_sink.addInteger(*m_series, read.time, read.total);
}

void SampledTotal::finish()
{
    if (m_last)
        writeLast();
}

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
    return m_totals.try_emplace(counter, m_sink.counters(), std::move(series), it.written).first->second;
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
