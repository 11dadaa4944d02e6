#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Name and colour that the user gave a host, for views. Command lines and files use the name from the trace.
struct HostStyle {
    std::string name; ///< Name of the host; if empty, the host's label is shown.
    std::int32_t color = -1; ///< Index of a category colour; -1 to derive the colour from the host's index.
    bool operator==(const HostStyle&) const = default;
};

/// Styles of the hosts, keyed by TimelineHost::id.
struct HostStyles {
    std::map<std::string, HostStyle> hosts;
    /// Ids of the hosts that are shown first, in display order; other hosts follow in the order of Timeline::hosts.
    std::vector<std::string> order;
    bool operator==(const HostStyles&) const = default;
};

/// Returns the timeline with these styles set; null if `timeline` is null.
/// Cost: a copy of the timeline without its stores.
std::shared_ptr<const Timeline> withHostStyles(std::shared_ptr<const Timeline> timeline, const HostStyles& looks);

} // namespace helio
