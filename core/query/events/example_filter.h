#pragma once

#include <memory>
#include <stop_token>
#include <string>

namespace helio {

struct Timeline;

/// Returns an example of an expression that finds some of the timeline's events: sched_switch events if they were recorded, else events of
/// the most frequent type, with the value of one of their fields. Empty if there is no event yet.
/// Cost: decodes a few events; a few ms.
std::string makeExampleFilter(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
