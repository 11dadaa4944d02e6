#pragma once

#include "core/waits/path/path.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Criterion by which PathCauses groups the segments of paths.
enum class PathGrouping {
    Cause, ///< Groups segments by kind and detail; splits waits for a CPU by the occupants of the CPU.
    Thread, ///< Groups segments by the thread that ran or waited.
    Host,
};

/// Sum of the segments of paths with the same cause, thread or host.
struct PathCause {
    PathKind kind = PathKind::Unknown; ///< Kind of the segments; for groups by thread or host, the kind with the longest total.
    std::string detail; ///< Detail of the segments, for example "futex"; for groups by thread or host, the name of the thread or host.
    std::uint64_t count = 0;
    Duration total{};
    Duration most{}; ///< Duration of the longest segment or share.
    TimeRange longest{}; ///< Range of the longest segment.
    TrackRef row{}; ///< Row of the longest segment.
};

/// Sums up the segments of many paths by cause, thread or host. The largest sums show where optimization pays.
/// Threads: to be used by one thread.
class PathCauses {
public:
    /// Ownership: the timeline outlives the object.
    explicit PathCauses(const Timeline& timeline, PathGrouping by = PathGrouping::Cause)
        : m_timeline(timeline)
        , m_by(by)
    {
    }

    void add(const CriticalPath& path);
    Duration total() const { return m_total; } ///< Returns the total duration of all paths that were passed to add().
    std::vector<PathCause> all() const; ///< Returns the sum of each group, the longest total first.

private:
    struct Sum {
        PathCause cause;
        std::array<Duration, PathKinds> kinds{};
    };

    Sum& sumOf(const PathSegment& it, const std::string& detail);

    const Timeline& m_timeline;
    const PathGrouping m_by;
    std::map<std::pair<PathKind, std::string>, Sum> m_sums;
    Duration m_total{};
};

/// Returns the sums of PathCauses for a single path.
std::vector<PathCause> causesOf(const Timeline& timeline, const CriticalPath& path, PathGrouping by = PathGrouping::Cause);

} // namespace helio
