#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// How many events of each name there are, most first; those that were read.
std::vector<std::pair<std::string, std::uint64_t>> eventCounts(const Timeline& timeline);

} // namespace helio
