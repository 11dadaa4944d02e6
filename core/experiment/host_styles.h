#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// The name and colour that the user gave a host, for views. Command lines and files keep using the name from the trace.
struct HostStyle {
    std::string name; ///< The host's label is shown if empty.
    std::int32_t color = -1; ///< Number of a category colour; -1 if the colour follows from the host's index.
    bool operator==(const HostStyle&) const = default;
};

/// The looks of all hosts, by TimelineHost::id.
struct HostStyles {
    std::map<std::string, HostStyle> hosts;
    /// Ids of the hosts that are shown first, in this order; other hosts follow in the order of Timeline::hosts.
    std::vector<std::string> order;
    bool operator==(const HostStyles&) const = default;
};

/// Returns the timeline with these looks set; null if `timeline` is null.
/// Cost: a copy of the timeline without its stores.
std::shared_ptr<const Timeline> withHostStyles(std::shared_ptr<const Timeline> timeline, const HostStyles& looks);

} // namespace helio
