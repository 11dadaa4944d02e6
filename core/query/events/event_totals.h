#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// Returns the number of events of each name, the most frequent first. Counts only events that were read.
std::vector<std::pair<std::string, std::uint64_t>> eventCounts(const Timeline& timeline);

} // namespace helio
