#include "core/experiment/host_styles.h"

#include "core/experiment/timeline.h"

#include <algorithm>

namespace helio {
namespace {

/// Returns the indices of the hosts in the user's order; empty for the order of Timeline::hosts.
std::vector<std::uint32_t> orderOf(const Timeline& timeline, const HostStyles& looks)
{
    if (looks.order.empty())
        return {};
    std::vector<std::uint32_t> order;
    for (const std::string& id : looks.order) {
        const auto found = std::ranges::find(timeline.hosts, id, &TimelineHost::id);
        const auto host = static_cast<std::uint32_t>(found - timeline.hosts.begin());
        if (found != timeline.hosts.end() && std::ranges::find(order, host) == order.end())
            order.push_back(host);
    }
    for (std::uint32_t host = 0; host < timeline.hosts.size(); ++host)
        if (std::ranges::find(order, host) == order.end())
            order.push_back(host);
    return order;
}

} // namespace

std::shared_ptr<const Timeline> withHostStyles(std::shared_ptr<const Timeline> timeline, const HostStyles& looks)
{
    if (!timeline
        || (looks == HostStyles{} && timeline->hostOrder.empty()
            && std::ranges::all_of(timeline->hosts, [](const TimelineHost& host) { return host.look == HostStyle{}; })))
        return timeline;
    auto changed = std::make_shared<Timeline>(*timeline);
    for (TimelineHost& host : changed->hosts) {
        const auto look = looks.hosts.find(host.id);
        host.look = look != looks.hosts.end() ? look->second : HostStyle{};
    }
    changed->hostOrder = orderOf(*changed, looks);
    return changed;
}

} // namespace helio
