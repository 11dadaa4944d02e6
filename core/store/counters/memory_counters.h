#pragma once

#include "core/store/counters/counter_series_list.h"

#include <memory>
#include <vector>

namespace helio {

/// Points in plain vectors, asked by plain loops: the model that counters in blocks are tested against.
class MemoryCounters final : public CounterPointSink {
public:
    /// The points so far; null where there are no series.
    std::shared_ptr<const CounterSet> picture() const;

protected:
    void take(CounterSeriesId series, const CounterPoint& point) override;

private:
    std::vector<std::vector<CounterPoint>> m_points; ///< By series.
};

} // namespace helio
