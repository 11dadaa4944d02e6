#pragma once

#include "core/query/path/path.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// What the time of paths went into: those stretches of one kind and detail together; of waits for a CPU the time that each one had it.
struct PathCause {
    PathKind kind = PathKind::Unknown;
    std::string detail;
    std::uint64_t count = 0;
    Duration total{};
    Duration most{}; ///< In one stretch:
    TimeRange longest{}; ///< that one,
    TrackRef row{}; ///< and who that was.
};

/// Adds them up, of any number of paths together: what would have to be quicker. One thread.
class PathCauses {
public:
    void add(const CriticalPath& path);
    Duration total() const { return m_total; } ///< Of all paths.
    std::vector<PathCause> all() const; ///< The most time first.

private:
    PathCause& causeOf(PathKind kind, const std::string& detail);

    std::map<std::pair<PathKind, std::string>, PathCause> m_causes;
    Duration m_total{};
};

/// The same of one path alone.
std::vector<PathCause> causesOf(const CriticalPath& path);

} // namespace helio
