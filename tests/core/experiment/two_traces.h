#pragma once

#include "core/experiment/timeline.h"
#include "core/store/store.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace helio::test {

/// Finishes the store of a trace from 0 to 1000 ns and returns it.
inline std::shared_ptr<const Store> finished(StoreBuilder& builder)
{
    StoreSummary summary;
    summary.range = {hostTime(0), hostTime(1000)};
    return *builder.finish(std::move(summary));
}

/// Makes a timeline of two traces, each with a store, or without one for nullptr. The second trace belongs to host 0.
inline Timeline twoTraces(std::shared_ptr<const Store> first, std::shared_ptr<const Store> second, std::uint32_t hostOfFirst)
{
    Timeline timeline;
    timeline.traces.resize(2);
    timeline.traces[0].host = hostOfFirst;
    timeline.stores.push_back({0, std::move(first), true});
    timeline.stores.push_back({1, std::move(second), true});
    return timeline;
}

} // namespace helio::test
