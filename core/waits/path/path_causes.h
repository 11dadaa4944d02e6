#pragma once

#include "core/waits/path/path.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Criterion by which segments of paths are summed.
enum class PathGrouping {
    Cause, ///< Kind and detail of a segment; waits for a CPU are split by the occupants of the CPU.
    Thread, ///< The thread that ran or waited.
    Host,
};

/// Sum of the segments of paths with the same cause, thread or host.
struct PathCause {
    PathKind kind = PathKind::Unknown; ///< For threads and hosts, the kind with the longest total.
    std::string detail; ///< For threads and hosts, their names.
    std::uint64_t count = 0;
    Duration total{};
    Duration most{}; ///< Longest segment or share.
    TimeRange longest{}; ///< Range of the longest segment.
    TrackRef row{}; ///< Row of the longest segment.
};

/// Sums the segments of any number of paths, to find what would have to be faster.
/// Threads: to be used by one thread.
class PathCauses {
public:
    /// Keeps a reference to the timeline, which must outlive it.
    explicit PathCauses(const Timeline& timeline, PathGrouping by = PathGrouping::Cause)
        : m_timeline(timeline)
        , m_by(by)
    {
    }

    void add(const CriticalPath& path);
    Duration total() const { return m_total; } ///< Total duration of all paths.
    std::vector<PathCause> all() const; ///< Returns the sums, the longest total first.

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

/// Returns the sums of a single path.
std::vector<PathCause> causesOf(const Timeline& timeline, const CriticalPath& path, PathGrouping by = PathGrouping::Cause);

} // namespace helio
