#include "core/timesync/message_method.h"

#include "core/correlation/transmissions.h"

#include <algorithm>

namespace helio {

ClockMethod bestMessageMethod(const Timeline& timeline, std::uint32_t host)
{
    ClockMethod best = ClockMethod::None;
    for (const auto& relation : timeline.relations) {
        if (!relation || !relation->comparisons)
            continue;
        for (const HostComparison& it : *relation->comparisons)
            if ((it.pair.here == host || it.pair.there == host) && it.pair.fit.quality > FitQuality::Failed)
                best = std::max(best, it.method);
    }
    return best;
}

std::string messagesOf(const Timeline& timeline, ClockMethod method)
{
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages && relation->comparisons)
            for (const HostComparison& it : *relation->comparisons)
                if (it.method == method && !it.messages.empty())
                    return relation->messages->plural;
    return {};
}

std::string messagesOfRelation(const Timeline& timeline, std::size_t relation) { return timeline.relations[relation]->messages->plural; }

std::string messagesPlural(const Timeline& timeline)
{
    std::string found;
    for (const auto& relation : timeline.relations)
        if (relation && relation->messages && !relation->messages->all.empty())
            found = found.empty() ? relation->messages->plural : "messages";
    return found.empty() ? "messages" : found;
}

} // namespace helio
