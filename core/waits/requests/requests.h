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

/// Requests on threads with their critical paths: a request is a call, a segment of a pattern, or a wait for an answer.
namespace helio {

struct RequestKind {
    std::string id; ///< Id of a kind of segments, for example "call" or "server-requests".
    std::string title; ///< For example "Server requests".
    bool operator==(const RequestKind&) const = default;
};
/// Returns the kinds of requests: calls, then other segments, then composite states that threads cause themselves, for example system
/// calls. Disk requests and mapped files are excluded, because their time belongs to no thread.
/// Cost: little.
std::vector<RequestKind> requestKinds(const Timeline& timeline);

/// A part of a request in the order of time, with the kind that has the longest share of it.
struct RequestPart {
    Duration end{}; ///< End relative to the request's beginning. A part begins at the end of the previous part.
    PathKind kind = PathKind::Unknown;
};

/// Breakdown of one request's time.
struct RequestPath {
    TimeRange range;
    TrackRef row{}; ///< Row that shows the request.
    TrackRef thread{}; ///< Row with the states of its thread.
    std::string name;
    std::array<Duration, PathKinds> parts{}; ///< Indexed by PathKind; the durations add up to the range.
    std::vector<RequestPart> lane{}; ///< At most MostRequestParts; shorter parts are merged into their neighbours.
};
constexpr std::size_t MostRequestParts = 160;

/// Returns the part at `at`, relative to the beginning; nullptr if there is none.
const RequestPart* partAt(const RequestPath& request, Duration at);

/// True if a request of the timeline `was` is still valid in the timeline `is` with the same traces: its thread has the same index, and the
/// clocks are unchanged.
bool isStillValid(const Timeline& was, const Timeline& is, const RequestPath& request);

/// Selects the requests of a kind.
struct RequestSelection {
    std::function<bool(const std::string& name, TrackRef thread)> accepts{}; ///< Accepts a request by name and thread; empty to accept all.
    std::size_t most = std::numeric_limits<std::size_t>::max(); ///< Maximum count of requests; the longest ones are taken.
};

/// True if both timelines have the same requests with the same paths: they differ at most in the critical path that is shown.
bool haveSameRequests(const Timeline& was, const Timeline& is);

/// Calls `take` for the requests of a kind that lie entirely in the window, in the order of their beginnings; only for the longest ones if
/// there are more than RequestSelection::most. Leaves out requests if no row with the states of their thread is found. Returns the count of
/// all accepted requests, whether they are among the longest or not. Returns early once `stop` is requested.
/// Threads: to be called from any thread but the UI thread, because it reads symbols.
/// Memory: 40 bytes for each request.
/// Cost: one criticalPath() for each call of `take`, and about 100 ns for each request to find the longest.
std::uint64_t forEachRequestPath(const Timeline& timeline, std::string_view kind, const RequestSelection& choice, TimeRange window,
                                 const std::function<void(RequestPath&&)>& take, std::stop_token stop = {},
                                 QueryProgress* progress = nullptr);

} // namespace helio
