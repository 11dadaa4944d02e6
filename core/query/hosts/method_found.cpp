#include "core/query/hosts/method_found.h"

#include <algorithm>

namespace helio {

ClockMethod methodFound(const Timeline& timeline, std::uint32_t host)
{
    ClockMethod best = ClockMethod::None;
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->comparisons)
            continue;
        for (const ComparedHosts& it : *relation->comparisons)
            if ((it.pair.here == host || it.pair.there == host) && it.pair.fit.quality > FitQuality::Failed)
                best = std::max(best, it.method);
    }
    return best;
}

} // namespace helio
