#pragma once

#include "core/store/counters/counter_series_list.h"

#include <memory>
#include <vector>

namespace helio {

/// Keeps points in plain vectors and queries them with plain loops: the model that block counters are tested against.
class MemoryCounters final : public CounterPointSink {
public:
    /// Returns the points so far; nullptr if there are no series.
    std::shared_ptr<const CounterSet> picture() const;

protected:
    void take(CounterSeriesId series, const CounterPoint& point) override;

private:
    std::vector<std::vector<CounterPoint>> m_points; ///< Indexed by series.
};

} // namespace helio
