#pragma once

#include "tests/support/made_analysis.h"
#include "tests/support/made_timeline.h"

#include <memory>
#include <string>
#include <vector>

namespace helio::test {

/// An analysis that describes the counter view "load"; by default the view is placed between the resources and the threads.
class LoadKind final : public MadeKind {
public:
    explicit LoadKind(int order = 15)
        : m_loads{{.id = "load",
                   .title = "Load",
                   .shape = TrackView::Shape::Curves,
                   .order = order,
                   .one = "counter",
                   .many = "counters",
                   .nothing = "No load was recorded."}}
    {
        name = "loads";
    }
    std::span<const TrackView> views() const override { return m_loads; }

private:
    const std::vector<TrackView> m_loads;
};

/// Returns a synthetic timeline (0 to 4000 ns) with `traces` traces. Each trace has its own store, which fill(builder) fills with series.
/// The timeline's analyses are the built-in ones and the analysis of "load".
template <typename Fill> std::shared_ptr<const Timeline> withCounters(const Fill& fill, int traces = 1, int order = 15)
{
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
    auto analyses = std::make_shared<Analyses>(*Analyses::builtin());
    [[maybe_unused]] const auto added = analyses->add(std::make_shared<LoadKind>(order));
    timeline->analyses = analyses;
    for (int i = 0; i < traces; ++i) {
        if (i > 0)
            addTrace(*timeline, {timeline->stores[0].store, std::make_shared<MadeTrace>(), {}, "host-" + std::to_string(i)});
        const auto builder = makeMemoryStoreBuilder(hostTime(0));
        fill(*builder);
        StoreSummary summary;
        summary.range = {hostTime(0), hostTime(4000)};
        timeline->stores.push_back({std::uint32_t(i), *builder->finish(std::move(summary)), true});
    }
    return timeline;
}

/// Adds a series of integers with the given points (ns, value) to the view "load".
inline CounterSeriesId addSeries(StoreBuilder& builder, const std::string& id, std::vector<std::pair<std::int64_t, std::int64_t>> points,
                                 CounterSeries::Kind kind = CounterSeries::Kind::Gauge, const std::string& unit = {})
{
    const auto series = *builder.counters().addSeries({.view = "load", .id = id, .title = "Title of " + id, .unit = unit, .kind = kind});
    for (const auto& [time, value] : points)
        builder.counters().addInteger(series, hostTime(time), value);
    return series;
}

} // namespace helio::test
