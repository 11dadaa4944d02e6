#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// What a person made of a host for views to show. Command lines and files go on naming it as its traces do.
struct HostLook {
    std::string name; ///< Empty: its label.
    std::int32_t color = -1; ///< The number of a category's; -1: by its place.
    bool operator==(const HostLook&) const = default;
};

/// Of all hosts, named as TimelineHost::id.
struct HostLooks {
    std::map<std::string, HostLook> hosts;
    std::vector<std::string> order; ///< Those that come first, in this order; the others follow as they are.
    bool operator==(const HostLooks&) const = default;
};

/// The same timeline with its hosts looking so. Null stays null. Cost: a copy without its stores.
std::shared_ptr<const Timeline> withLooks(std::shared_ptr<const Timeline> timeline, const HostLooks& looks);

} // namespace helio
