#include "core/store/counters.h"

namespace helio {
namespace {

class NoCounters final : public CounterSet {
public:
    std::span<const CounterSeries> series() const override { return {}; }
    std::uint64_t count(CounterSeriesId) const override { return 0; }
    bool isDamaged() const override { return false; }
    void visit(CounterSeriesId, HostRange, const Take&, std::stop_token) const override { }
    CounterColumns spans(CounterSeriesId, HostRange, Duration, std::stop_token) const override { return {}; }
    std::optional<CounterPoint> valueAt(CounterSeriesId, HostTimestamp) const override { return {}; }
    std::optional<CounterPoint> next(CounterSeriesId, HostTimestamp) const override { return {}; }
    std::optional<CounterPoint> previous(CounterSeriesId, HostTimestamp) const override { return {}; }
};

class DroppedCounters final : public CounterSink {
public:
    Result<CounterSeriesId> addSeries(const CounterSeries&) override { return CounterSeriesId{}; }
    void addInteger(CounterSeriesId, HostTimestamp, std::int64_t) override { }
    void addReal(CounterSeriesId, HostTimestamp, double) override { }
};

} // namespace

const CounterSet& noCounters()
{
    static const NoCounters none;
    return none;
}

CounterSink& droppedCounters()
{
    static DroppedCounters sink; // The sink is stateless, so any thread may use it.
    return sink;
}

} // namespace helio
