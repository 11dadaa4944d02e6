#include "core/store/intervals/state_times.h"

namespace helio {

void putTimes(const BlockSummary& facts, ByteWriter& out)
{
    if (hasSingleState(facts.node)) {
        if (facts.node.count > 1)
            out.put(static_cast<std::uint64_t>(facts.times[static_cast<std::size_t>(facts.node.state)].min));
        return;
    }
    forEachState(facts.node.mask, [&](std::size_t state) {
        const StateTime& time = facts.times[state];
        out.put(time.count);
        out.put(static_cast<std::uint64_t>(time.total));
        if (time.count > 1) {
            out.put(static_cast<std::uint64_t>(time.min));
            out.put(static_cast<std::uint64_t>(time.max - time.min));
        }
    });
}

} // namespace helio
