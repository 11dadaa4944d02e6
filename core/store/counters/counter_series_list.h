#pragma once

#include "core/store/counters.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

constexpr std::size_t MaxCounterSeries = 65'536;

/// The series of a sink. Also brings the times of their points into order and within TimeLimit.
class CounterSeriesList {
public:
    /// Implements CounterSink::addSeries().
    Result<CounterSeriesId> add(const CounterSeries& series);
    const std::vector<CounterSeries>& all() const { return m_all; }
    bool has(CounterSeriesId series) const { return static_cast<std::size_t>(series) < m_all.size(); }
    CounterNumber numberIn(CounterSeriesId series) const { return m_all[static_cast<std::size_t>(series)].number; }

    /// Returns the time to record for a point added at `time`: never before the previous point of the series.
    HostTimestamp takeTime(CounterSeriesId series, HostTimestamp time);

private:
    std::vector<CounterSeries> m_all;
    std::vector<HostTimestamp> m_last; ///< Time of the last point of each series.
    std::unordered_map<std::string, CounterSeriesId> m_byId;
};

/// Converts added values into points with the number type of their series.
class CounterPointSink : public CounterSink {
public:
    Result<CounterSeriesId> addSeries(const CounterSeries& series) final { return m_list.add(series); }
    void addInteger(CounterSeriesId series, HostTimestamp time, std::int64_t value) final;
    void addReal(CounterSeriesId series, HostTimestamp time, double value) final;

protected:
    /// Records a point. `series` is in m_list, and the point does not precede the previous one.
    virtual void take(CounterSeriesId series, const CounterPoint& point) = 0;

    CounterSeriesList m_list;
};

} // namespace helio
