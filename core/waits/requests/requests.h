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

/// Things that lasted on a thread, each with its critical path: a request is a call, a pattern's segment, a wait for an answer.
namespace helio {

struct RequestKind {
    std::string id; ///< A kind of segments: "call", "server-requests".
    std::string title; ///< "Server requests"
    bool operator==(const RequestKind&) const = default;
};
/// Calls first, then other segments, then what threads do by themselves, as system calls. Disks' requests and mapped files are none: their
/// time is no thread's. Cost: little.
std::vector<RequestKind> requestKinds(const Timeline& timeline);

/// A part of a request, in the order that they were in: what it was longest for in that time.
struct RequestPart {
    Duration end{}; ///< From the request's begin; it begins where the one before ends.
    PathKind kind = PathKind::Unknown;
};

/// What the time of one went into.
struct RequestPath {
    TimeRange range;
    TrackRef row{}; ///< Where it is.
    TrackRef thread{}; ///< The row with its thread's states.
    std::string name;
    std::array<Duration, PathKinds> parts{}; ///< By PathKind; they add up to the range.
    std::vector<RequestPart> lane{}; ///< At most MostRequestParts: shorter ones are then part of those around them.
};
constexpr std::size_t MostRequestParts = 160;

/// The part that a time from the begin lies in. Null: none.
const RequestPart* partAt(const RequestPath& request, Duration at);

/// Whether a request of a timeline is on another one of the same traces as it was: its thread is in the same place, the clocks are the
/// same.
bool isStillThere(const Timeline& was, const Timeline& is, const RequestPath& request);

/// Which of a kind.
struct RequestChoice {
    std::function<bool(const std::string& name, TrackRef thread)> accepts{}; ///< None: all.
    std::size_t most = std::numeric_limits<std::size_t>::max(); ///< Of more the longest.
};

/// Whether both have the same requests with the same paths: what they differ in is at most the path that is shown.
bool haveSameRequests(const Timeline& was, const Timeline& is);

/// Hands over those of a kind that lie in the window as a whole, in the order of their begins, and returns how many are accepted, whether
/// they are among the longest or not. What is on no thread whose states are known is left out. Ends early once `stop` is requested.
/// Threads: any but the UI's: reads symbols. Cost: as criticalPath() of each, and 40 bytes for each; to find the longest some 100 ns each.
std::uint64_t eachRequestPath(const Timeline& timeline, std::string_view kind, const RequestChoice& choice, TimeRange window,
                              const std::function<void(RequestPath&&)>& take, std::stop_token stop = {}, QueryProgress* progress = nullptr);

} // namespace helio
