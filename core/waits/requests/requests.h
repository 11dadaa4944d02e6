#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/waits/path/path.h"

#include <array>
#include <functional>
#include <limits>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Requests on threads with their critical paths: a request is a call, another segment, or a composite state such as a system call.
namespace helio {

struct RequestKind {
    std::string id; ///< Id of the kind, for example "call" or "server-requests".
    std::string title; ///< Title of the kind, for example "Server requests".
    bool operator==(const RequestKind&) const = default;
};
/// Returns the kinds of requests: calls, then other segments, then composite states of threads, which consist of several states, for
/// example system calls. Disk requests and mapped files are excluded, because their time belongs to no thread.
/// Cost: visits each track.
std::vector<RequestKind> requestKinds(const Timeline& timeline);

/// A time interval of a request, with the kind of path segment that takes most of it.
struct RequestPart {
    Duration end{}; ///< End of the interval relative to the request's beginning. Each interval begins at the end of the previous one.
    PathKind kind = PathKind::Unknown;
};

/// Breakdown of one request's time.
struct RequestPath {
    TimeRange range;
    TrackRef row{}; ///< Row that shows the request, e.g. a row of calls.
    TrackRef thread{}; ///< Row with the states of the request's thread.
    std::string name;
    /// Time of the request by kind of path segment, indexed by PathKind; the elements add up to the duration of `range`.
    std::array<Duration, PathKinds> parts{};
    /// Path segments of the request in time order; adjacent segments of one kind are merged. If there are more than MostRequestParts
    /// segments, the request is divided into MostRequestParts equal time steps, each with the kind that takes most of its time.
    std::vector<RequestPart> lane{};
};
constexpr std::size_t MostRequestParts = 160;

/// Returns the element of RequestPath::lane at the time `at` after the request's beginning; nullptr if no element contains this time.
const RequestPart* partAt(const RequestPath& request, Duration at);

/// True if a request from the older timeline `was` is also valid in the timeline `is` of the same traces: the thread has the same index,
/// and the clocks are unchanged.
bool isStillValid(const Timeline& was, const Timeline& is, const RequestPath& request);

/// Selects the requests that forEachRequestPath() returns: a condition on each, and their maximum number.
struct RequestSelection {
    /// Predicate on a request's name, thread and range; empty to accept all requests.
    std::function<bool(const std::string& name, TrackRef thread, TimeRange range)> accepts{};
    /// Maximum number of requests; if there are more, the longest requests are selected.
    std::size_t limit = std::numeric_limits<std::size_t>::max();
};

/// True if both timelines have the same requests with the same paths, i.e. differ at most in the critical path that a view shows.
bool haveSameRequests(const Timeline& was, const Timeline& is);

/// Calls `take` for each request of a kind that lies entirely in `window`, in the order of their beginnings; if there are more than
/// RequestSelection::limit, only for the longest. Omits requests of threads without a row of states. Returns the number of accepted
/// requests, including those that are not among the longest. Returns early if `stop` is requested. Threads: to be called from any thread
/// but the UI thread, because it reads symbols. Memory: 40 bytes for each request. Cost: one criticalPath() for each call of `take`, and
/// about 100 ns for each request to find the longest.
std::uint64_t forEachRequestPath(const Timeline& timeline, std::string_view kind, const RequestSelection& choice, TimeRange window,
                                 const std::function<void(RequestPath&&)>& take, std::stop_token stop = {},
                                 QueryProgress* progress = nullptr);

} // namespace helio
