#pragma once

#include "core/base/time.h"
#include "core/store/links.h"
#include "core/store/states.h"
#include "core/store/track_ref.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// The critical path of a thread: how the time of a range was spent, on any thread, device or host. Where the thread ran or was runnable,
/// the path consists of the thread's own time. Where it waited, the path follows the thread that ended the wait, recursively.
///
/// Source: Giraldeau and Dagenais, "Wait analysis of distributed systems using kernel tracing" (IEEE TPDS, 2016).
namespace helio {

struct Timeline;

/// Id of the correlator that makes the rows of a critical path, and of the view with these rows.
constexpr std::string_view PathRelation = "critical-path";

/// Kind of a path segment: an activity or a wait of a thread.
enum class PathKind : std::uint8_t {
    Running,
    Interrupted, ///< An interrupt was handled on the thread's CPU.
    PageFault, ///< The thread ran in the handler of a page fault.
    WaitCpu, ///< The thread was runnable, but had no CPU yet.
    Preempted, ///< The thread was runnable, but another thread had its CPU.
    Throttled, ///< The thread was runnable, but kept off an idle CPU, probably by a CPU quota.
    Stolen, ///< The thread seemed to run, but its vCPU did not.
    Disk,
    Network,
    Timer,
    Lock,
    Pipe, ///< The thread waited for data from a pipe, or from a socket of the same host.
    Process, ///< The thread waited for a child process or a signal.
    Ipi, ///< The thread waited for an interrupt from another CPU.
    Input, ///< The thread waited for input by the user or from a serial line.
    Blocked, ///< The thread waited; the cause was not recorded.
    Unknown, ///< The activity of the thread was not recorded.
};
constexpr std::size_t PathKinds = 17;

/// Returns the states that represent path segments in rows, with their names, categories and styles, indexed by PathKind.
const StateSet& pathStates();
inline const StateKind& stateOf(PathKind kind) { return pathStates().states[static_cast<std::size_t>(kind)]; }
/// Returns the kind's name in files and output, for example "wait-cpu".
inline std::string_view wordOf(PathKind kind) { return stateOf(kind).name; }

/// A segment of a path. Segments of a path are adjacent and add up to the path's range.
struct PathSegment {
    TimeRange range;
    TrackRef row; ///< Row of the thread that runs or waits.
    PathKind kind = PathKind::Unknown;
    std::int32_t cpu = NoCpu; ///< CPU on which the thread ran, or on which it ran after a wait for a CPU; NoCpu if unknown.
    std::uint32_t detail = 0; ///< Text of the activity or of the wait's cause, as an index into CriticalPath::details.
    std::uint16_t depth = 0; ///< Number of nested waits that led to this segment; 0 for the time of the path's own thread.
    /// Index into CriticalPath::shares of the segment's first share. A wait for a CPU has one share for each occupant of the CPU.
    std::uint32_t firstShare = 0;
    std::uint32_t shareCount = 0; ///< Number of shares of this segment in CriticalPath::shares; 0 if the segment is not split.
    std::uint32_t parentWait = 0; ///< Enclosing wait, as an index into CriticalPath::expandedWaits plus 1; 0 if there is none.
    TrackRef waker{}; ///< Thread that ended the wait; not valid if the segment is not a wait or if no thread ended it.
    Timestamp wokenAt{}; ///< Time of the event that ended the wait; the end of `range` if unknown.
};

/// The share of one cause in a segment's time.
struct PathShare {
    std::uint32_t detail = 0; ///< Text of the cause, as an index into CriticalPath::details.
    Duration total{};
};

struct CriticalPath {
    std::vector<PathSegment> segments;
    /// Shares of all segments. The shares of one segment are adjacent, longest first, and add up to the segment.
    std::vector<PathShare> shares;
    /// Waits that were expanded. For the time of an expanded wait, `segments` has the segments of the threads that were waited for, with a
    /// greater depth than the wait.
    std::vector<PathSegment> expandedWaits;
    /// Texts to which `detail` of segments and shares refers, without duplicates; the first text is empty.
    std::vector<std::string> details{{}};
    /// Activities of the segments' threads, keyed by index into `details`, for example "writing 64 KiB to vda". Only for segments of a
    /// kind that does not tell the activity.
    std::map<std::uint32_t, std::string> activities;
    std::vector<std::string> limits; ///< Sentences that say where and why the path was not followed further.
    bool isStopped = false; ///< True if the path ends early because `stop` was requested.
    bool isPart = false; ///< True if the path ends early because PathLimits::timeLimit was exceeded.

    const std::string& detailOf(const PathSegment& it) const { return details[it.detail]; }
};

/// Returns the row with the states of the thread to which `row` belongs; `row` may be of any view, for example a row of call stacks. If the
/// TID was reused, returns the thread at time `at`. Not valid if there is no thread or if its states were not recorded.
TrackRef findPathThread(const Timeline& timeline, TrackRef row, Timestamp at);

/// A request for a critical path: the thread and the range.
struct PathRequest {
    TrackRef thread{};
    TimeRange range{}; ///< Range of the path; empty for the whole lifetime of the thread.
    bool operator==(const PathRequest&) const = default;
};

/// Returns the range of the request; if it is empty, the lifetime of the thread.
TimeRange rangeOf(const Timeline& timeline, const PathRequest& question);

struct PathLimits {
    std::size_t depth = 1000; ///< Maximum depth of nested waits.
    std::size_t segments = 4'000'000; ///< Maximum number of segments; each takes 80 bytes.
    Duration timeLimit{}; ///< Maximum computing time, after which the path ends early so that its beginning can be shown; 0 for no limit.
};

/// Computes the critical path of a thread in a range. `thread` is a row with states. The experiment's clocks decide the order of events
/// between hosts.
/// Threads: to be called from any thread but the UI thread.
/// Cost: about 5 µs for each state on the path.
CriticalPath criticalPath(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop = {},
                          const PathLimits& limits = {});

/// Computes many critical paths of one timeline. Data that all paths need, such as the names of threads, is looked up once and kept.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
class PathFinder {
public:
    explicit PathFinder(const Timeline& timeline, const PathLimits& limits = {});
    ~PathFinder();
    PathFinder(const PathFinder&) = delete;
    PathFinder& operator=(const PathFinder&) = delete;

    CriticalPath find(TrackRef thread, TimeRange range, std::stop_token stop = {}); ///< Computes a critical path like criticalPath().

private:
    std::unique_ptr<class PathWalk> m_walk;
};

} // namespace helio
