#pragma once

#include "core/base/time.h"
#include "core/store/links.h"
#include "core/store/track_ref.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// The active path of a thread: what the time of a range went into, on whichever thread, device or host that was. Where the thread ran or
/// could have run, that is its own; where it waited, it is that of who ended the wait, meanwhile, and so on.
///
/// After Giraldeau and Dagenais, "Wait analysis of distributed systems using kernel tracing" (IEEE TPDS, 2016).
namespace helio {

struct Timeline;

/// The relation that makes rows of a path, and their view.
constexpr std::string_view PathRelation = "critical-path";

/// What a stretch of a path is.
enum class PathKind : std::uint8_t {
    Running,
    Interrupted, ///< An interrupt was served on its CPU.
    PageFault, ///< It ran, in the handler of a fault.
    WaitCpu, ///< It could run, and had no CPU yet.
    Preempted, ///< It could run, and another one had its CPU.
    Stolen, ///< It seemed to run, and its virtual CPU did not.
    Disk,
    Network,
    Timer,
    Lock,
    Pipe, ///< Or a socket of its own host.
    Process, ///< A child, or a signal.
    Ipi, ///< Another CPU's interrupt.
    Input, ///< A person's, or of a serial line.
    Blocked, ///< What for was not recorded.
    Unknown, ///< What it did was not recorded.
};
constexpr std::size_t PathKinds = 16;

/// "wait-cpu": in files and answers.
std::string_view wordOf(PathKind kind);

/// Times touch, and all of a path add up to its range.
struct PathStretch {
    TimeRange range;
    TrackRef row; ///< The thread that runs or waits.
    PathKind kind = PathKind::Unknown;
    std::int32_t cpu = NoCpu; ///< That it runs on, or got after it waited for one.
    std::uint32_t detail = 0; ///< By whom, or on what: place in CriticalPath::details.
    std::uint16_t depth = 0; ///< So many waits led here: 0 is the thread's own time.
    std::uint32_t firstShare = 0; ///< Of a wait for a CPU: who had that, in CriticalPath::shares.
    std::uint32_t shares = 0;
    std::uint32_t within = 0; ///< One more than the place in CriticalPath::followed of the wait that led here; 0: none.
    TrackRef waker{}; ///< Who ended the wait; not valid: no thread, or it is no wait.
    Timestamp wokenAt{}; ///< When the event was that ended it. The range's end where none is known.
};

/// A part of the time of a stretch, by its cause.
struct PathShare {
    std::uint32_t detail = 0; ///< As in PathStretch.
    Duration total{};
};

struct CriticalPath {
    std::vector<PathStretch> stretches;
    std::vector<PathShare> shares; ///< Those of one stretch beside each other, the longest first; they add up to it.
    std::vector<PathStretch> followed; ///< The waits that were: what the thread waited for, as far as it is in the stretches, and why.
    std::vector<std::string> details{{}}; ///< Each once; the first is empty.
    std::vector<std::string> limits; ///< Sentences: where it was not followed further than it was.
    bool isStopped = false; ///< `stop` came: it ends where it was then.
    bool isPart = false; ///< So it does since time was up (PathLimits::patience).

    const std::string& detailOf(const PathStretch& it) const { return details[it.detail]; }
};

/// The row with the states of the thread that a row is of, whichever view that is in: a call stack's, one that shows it again. Not valid:
/// it is of none, or nobody recorded them. `at`: which life of its TID.
TrackRef pathThread(const Timeline& timeline, TrackRef row, Timestamp at);

/// Whose path is asked for, and of when.
struct PathQuestion {
    TrackRef thread{};
    TimeRange range{}; ///< Empty: its life.
    bool operator==(const PathQuestion&) const = default;
};

/// The range that is meant.
TimeRange rangeOf(const Timeline& timeline, const PathQuestion& question);

struct PathLimits {
    std::size_t depth = 1000; ///< Of waits in waits.
    std::size_t stretches = 4'000'000; ///< 80 bytes each.
    Duration patience{}; ///< After so long it ends where it is then: of a path that takes longer the begin is soon there. 0: it takes what
                         ///< it takes.
};

/// Of a thread's row with states, in a range. The experiment's clocks decide what was before what between hosts.
///
/// Threads: any but the UI's. Cost: some 5 µs for each state that the path goes through.
CriticalPath criticalPath(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop = {},
                          const PathLimits& limits = {});

/// Finds any number of paths: what they all ask of the timeline is looked up once. One thread; the timeline outlives it.
class PathFinder {
public:
    explicit PathFinder(const Timeline& timeline, const PathLimits& limits = {});
    ~PathFinder();
    PathFinder(const PathFinder&) = delete;
    PathFinder& operator=(const PathFinder&) = delete;

    CriticalPath find(TrackRef thread, TimeRange range, std::stop_token stop = {}); ///< As criticalPath().

private:
    std::unique_ptr<class PathWalk> m_walk;
};

} // namespace helio
