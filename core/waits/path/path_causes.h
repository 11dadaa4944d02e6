#pragma once

#include "core/waits/path/path.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// What stretches of paths are summed up by.
enum class PathBy {
    Cause, ///< Kind and detail; of waits for a CPU the time that each one had it.
    Thread, ///< Who ran or waited.
    Host,
};

/// What the time of paths went into.
struct PathCause {
    PathKind kind = PathKind::Unknown; ///< Of threads and hosts what most of their time was.
    std::string detail; ///< Of those their names.
    std::uint64_t count = 0;
    Duration total{};
    Duration most{}; ///< In one stretch:
    TimeRange longest{}; ///< that one,
    TrackRef row{}; ///< and who that was.
};

/// Adds them up, of any number of paths together: what would have to be quicker. One thread.
class PathCauses {
public:
    /// The timeline outlives it.
    explicit PathCauses(const Timeline& timeline, PathBy by = PathBy::Cause)
        : m_timeline(timeline)
        , m_by(by)
    {
    }

    void add(const CriticalPath& path);
    Duration total() const { return m_total; } ///< Of all paths.
    std::vector<PathCause> all() const; ///< The most time first.

private:
    struct Sum {
        PathCause cause;
        std::array<Duration, PathKinds> kinds{};
    };

    Sum& sumOf(const PathStretch& it, const std::string& detail);

    const Timeline& m_timeline;
    const PathBy m_by;
    std::map<std::pair<PathKind, std::string>, Sum> m_sums;
    Duration m_total{};
};

/// The same of one path alone.
std::vector<PathCause> causesOf(const Timeline& timeline, const CriticalPath& path, PathBy by = PathBy::Cause);

} // namespace helio
