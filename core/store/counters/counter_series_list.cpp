#include "core/store/counters/counter_series_list.h"

#include "core/store/counters/counter_numbers.h"
#include "core/store/time_limits.h"

#include <algorithm>

namespace helio {

Result<CounterSeriesId> CounterSeriesList::add(const CounterSeries& series)
{
    if (const auto known = m_byId.find(series.id); known != m_byId.end())
        return known->second;
    if (m_all.size() == MaxCounterSeries)
        return Error{Error::Kind::Unsupported, "counter \"" + series.id + "\": too many counters for one store"};
    const CounterSeriesId id{static_cast<std::uint32_t>(m_all.size())};
    m_byId.emplace(series.id, id);
    m_all.push_back(series);
    m_last.push_back(hostTime(-TimeLimit));
    return id;
}

HostTimestamp CounterSeriesList::takeTime(CounterSeriesId series, HostTimestamp time)
{
    HostTimestamp& last = m_last[static_cast<std::size_t>(series)];
    return last = std::max(last, hostTime(limitedTime(time)));
}

void CounterPointSink::addInteger(CounterSeriesId series, HostTimestamp time, std::int64_t value)
{
    if (m_list.has(series))
        take(series, {m_list.takeTime(series, time), numberOf(value, m_list.numberIn(series))});
}

void CounterPointSink::addReal(CounterSeriesId series, HostTimestamp time, double value)
{
    if (!m_list.has(series))
        return;
    if (const auto number = numberOf(value, m_list.numberIn(series)))
        take(series, {m_list.takeTime(series, time), *number});
}

} // namespace helio
