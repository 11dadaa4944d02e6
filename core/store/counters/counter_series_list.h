#pragma once

#include "core/store/counters.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

constexpr std::size_t MaxCounterSeries = 65'536;

/// The series that a sink was asked for, and their points as they come: in order, of the right numbers, within the limits of time.
class CounterSeriesList {
public:
    /// As CounterSink::addSeries().
    Result<CounterSeriesId> add(const CounterSeries& series);
    const std::vector<CounterSeries>& all() const { return m_all; }
    bool has(CounterSeriesId series) const { return static_cast<std::size_t>(series) < m_all.size(); }
    CounterNumber numberIn(CounterSeriesId series) const { return m_all[static_cast<std::size_t>(series)].number; }

    /// When a point counts that was added at `time`; later ones count no earlier.
    HostTimestamp takeTime(CounterSeriesId series, HostTimestamp time);

private:
    std::vector<CounterSeries> m_all;
    std::vector<HostTimestamp> m_last; ///< By series: the time of its last point.
    std::unordered_map<std::string, CounterSeriesId> m_byId;
};

/// Turns what is added into points of the right numbers.
class CounterPointSink : public CounterSink {
public:
    Result<CounterSeriesId> addSeries(const CounterSeries& series) final { return m_list.add(series); }
    void addInteger(CounterSeriesId series, HostTimestamp time, std::int64_t value) final;
    void addReal(CounterSeriesId series, HostTimestamp time, double value) final;

protected:
    /// `series` is one of the list, and the point is in order.
    virtual void take(CounterSeriesId series, const CounterPoint& point) = 0;

    CounterSeriesList m_list;
};

} // namespace helio
