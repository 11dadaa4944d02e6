#pragma once

#include "core/base/time.h"

#include <queue>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace helio::sql {

/// Stacks groups of slices, e.g. an outermost call with all calls in it, so that groups that overlap in time do not overlap in depth. Each
/// group gets the smallest free depth; only while more than 500 groups are open, a group is placed below all of them.
/// Threads: to be used by one thread.
class SliceLayout {
public:
    /// Places a group and returns the depth of its first level. `end` is nullopt for a group that lasts to the end of the recording;
    /// `levels` is the number of its levels, at least 1. Requires: no group that was placed before begins later.
    std::uint32_t place(Timestamp begin, std::optional<Timestamp> end, std::uint32_t levels);

private:
    using Ending = std::pair<Timestamp, std::uint32_t>; ///< End of a group, and the depth of its first level.

    std::map<std::uint32_t, std::uint32_t> m_open; ///< Groups that have not ended: end of their levels by the depth of the first level.
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> m_endings; ///< Ends of the groups in m_open, the earliest first.
};

} // namespace helio::sql
