#pragma once

#include "core/store/counters.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

constexpr std::size_t MaxCounterSeries = 65'536;

/// The series of a sink. Also corrects the times of points: they ascend within a series and are within TimeLimit.
class CounterSeriesList {
public:
    /// Implements CounterSink::addSeries().
    Result<CounterSeriesId> add(const CounterSeries& series);
    const std::vector<CounterSeries>& all() const { return m_all; }
    bool has(CounterSeriesId series) const { return static_cast<std::size_t>(series) < m_all.size(); }
    CounterNumber numberIn(CounterSeriesId series) const { return m_all[static_cast<std::size_t>(series)].number; }

    /// Returns the corrected time of a point added at `time`: not before the series' previous point.
    HostTimestamp takeTime(CounterSeriesId series, HostTimestamp time);

private:
    std::vector<CounterSeries> m_all;
    std::vector<HostTimestamp> m_last; ///< Time of the last point of each series.
    std::unordered_map<std::string, CounterSeriesId> m_byId;
};

/// Base class of counter sinks: converts each added value to the number type of its series.
class CounterPointSink : public CounterSink {
public:
    Result<CounterSeriesId> addSeries(const CounterSeries& series) final { return m_list.add(series); }
    void addInteger(CounterSeriesId series, HostTimestamp time, std::int64_t value) final;
    void addReal(CounterSeriesId series, HostTimestamp time, double value) final;

protected:
    /// Records a point. `series` is in m_list, and the time of `point` is not before the time of the previous point.
    virtual void take(CounterSeriesId series, const CounterPoint& point) = 0;

    CounterSeriesList m_list;
};

} // namespace helio
