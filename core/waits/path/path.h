#pragma once

#include "core/base/time.h"
#include "core/store/links.h"
#include "core/store/states.h"
#include "core/store/track_ref.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// The critical path of a thread: how the time of a range was spent, on any thread, device or host. Where the thread ran or was runnable,
/// the path is its own time. Where it waited, the path follows the thread that ended the wait, recursively.
///
/// Source: Giraldeau and Dagenais, "Wait analysis of distributed systems using kernel tracing" (IEEE TPDS, 2016).
namespace helio {

struct Timeline;

/// Name of the relation that makes the rows of a path, and of their view.
constexpr std::string_view PathRelation = "critical-path";

/// Kind of a path segment.
enum class PathKind : std::uint8_t {
    Running,
    Interrupted, ///< An interrupt was served on the thread's CPU.
    PageFault, ///< The thread ran in the handler of a page fault.
    WaitCpu, ///< The thread was runnable, but had no CPU yet.
    Preempted, ///< The thread was runnable, but another thread had its CPU.
    Stolen, ///< The thread seemed to run, but its vCPU did not.
    Disk,
    Network,
    Timer,
    Lock,
    Pipe, ///< A pipe, or a socket of the same host.
    Process, ///< A child process or a signal.
    Ipi, ///< An interrupt from another CPU.
    Input, ///< Input of the user or of a serial line.
    Blocked, ///< The cause of the wait was not recorded.
    Unknown, ///< The activity of the thread was not recorded.
};
constexpr std::size_t PathKinds = 16;

/// Returns the states of path segments, indexed by PathKind; look.md, section 3, defines their style.
const StateSet& pathStates();
inline const StateKind& stateOf(PathKind kind) { return pathStates().states[static_cast<std::size_t>(kind)]; }
/// Returns the kind's name in files and output, for example "wait-cpu".
inline std::string_view wordOf(PathKind kind) { return stateOf(kind).name; }

/// A segment of a path. Segments of a path are adjacent and add up to the path's range.
struct PathSegment {
    TimeRange range;
    TrackRef row; ///< Row of the thread that runs or waits.
    PathKind kind = PathKind::Unknown;
    std::int32_t cpu = NoCpu; ///< CPU that the thread runs on, or got after waiting for one; NoCpu if unknown.
    std::uint32_t detail = 0; ///< Index into CriticalPath::details of the activity or the cause of the wait.
    std::uint16_t depth = 0; ///< Count of the nested waits that lead here; 0 for the thread's own time.
    /// Index into CriticalPath::shares of the segment's first share. The shares of a wait for a CPU are the occupants of the CPU.
    std::uint32_t firstShare = 0;
    std::uint32_t shares = 0; ///< Count of shares; 0 if the segment is not split.
    std::uint32_t parentWait = 0; ///< Index of the enclosing wait in CriticalPath::followed plus 1; 0 if there is none.
    TrackRef waker{}; ///< Thread that ended the wait; not valid if it is no wait or no thread ended it.
    Timestamp wokenAt{}; ///< Time of the event that ended the wait; the end of the range if unknown.
};

/// The part of a segment's time with one cause.
struct PathShare {
    std::uint32_t detail = 0; ///< Index into CriticalPath::details.
    Duration total{};
};

struct CriticalPath {
    std::vector<PathSegment> stretches;
    std::vector<PathShare> shares; ///< Shares of one segment are adjacent, sorted from the longest; they add up to the segment.
    /// Waits that were expanded: the segments in their time say what the threads did that were waited for.
    std::vector<PathSegment> followed;
    std::vector<std::string> details{{}}; ///< Distinct texts; the first is empty.
    std::vector<std::string> limits; ///< Sentences that say where the path was not followed further.
    bool isStopped = false; ///< True if `stop` was requested: the path ends early.
    bool isPart = false; ///< True if PathLimits::timeLimit was exceeded: the path ends early.

    const std::string& detailOf(const PathSegment& it) const { return details[it.detail]; }
};

/// Returns the row with the states of the thread that a row of any view belongs to, for example a row of call stacks. Not valid if there is
/// no thread or if its states were not recorded. `at` selects the thread if its TID was reused.
TrackRef findPathThread(const Timeline& timeline, TrackRef row, Timestamp at);

/// The thread and the range for which a path is wanted.
struct PathRequest {
    TrackRef thread{};
    TimeRange range{}; ///< Empty for the whole life of the thread.
    bool operator==(const PathRequest&) const = default;
};

/// Returns the range of the question; the life of its thread if that is empty.
TimeRange rangeOf(const Timeline& timeline, const PathRequest& question);

struct PathLimits {
    std::size_t depth = 1000; ///< Maximum depth of nested waits.
    std::size_t stretches = 4'000'000; ///< Maximum count of segments, 80 bytes each.
    Duration timeLimit{}; ///< Time limit, after which the path ends early, so that its beginning is soon available; 0 for no limit.
};

/// Computes the critical path of a thread in a range. `thread` is a row with states. The experiment's clocks decide the order of events
/// between hosts.
/// Threads: to be called from any thread but the UI thread.
/// Cost: about 5 µs for each state that the path goes through.
CriticalPath criticalPath(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop = {},
                          const PathLimits& limits = {});

/// Computes any number of paths. Facts of the timeline that they all need are looked up once.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
class PathFinder {
public:
    explicit PathFinder(const Timeline& timeline, const PathLimits& limits = {});
    ~PathFinder();
    PathFinder(const PathFinder&) = delete;
    PathFinder& operator=(const PathFinder&) = delete;

    CriticalPath find(TrackRef thread, TimeRange range, std::stop_token stop = {}); ///< Works like criticalPath().

private:
    std::unique_ptr<class PathWalk> m_walk;
};

} // namespace helio
