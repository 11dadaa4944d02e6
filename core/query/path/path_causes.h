#pragma once

#include "core/query/path/path.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// What the time of paths went into, by kind and detail, of any number of paths together: what would have to be quicker.
struct PathCause {
    PathKind kind = PathKind::Unknown;
    std::string detail;
    std::uint64_t count = 0;
    Duration total{};
    Duration most{}; ///< In one stretch:
    TimeRange longest{}; ///< that one,
    TrackRef row{}; ///< and who that was.
};

/// Adds them up. One thread.
class PathCauses {
public:
    void add(const CriticalPath& path);
    Duration total() const { return m_total; } ///< Of all paths.
    std::vector<PathCause> all() const; ///< The most time first.

private:
    std::map<std::pair<PathKind, std::string>, PathCause> m_causes;
    Duration m_total{};
};

} // namespace helio
