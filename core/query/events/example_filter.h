#pragma once

#include <memory>
#include <stop_token>
#include <string>

namespace helio {

struct Timeline;

/// An expression that finds some of the timeline's events, as an example of how they are asked for: those of sched_switch, where it was
/// recorded, else of their most frequent type, with a value that a field of theirs has. Empty where there is no event yet.
/// Cost: a few are decoded again; some ms.
std::string exampleFilter(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
