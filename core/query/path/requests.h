#pragma once

#include "core/query/path/path.h"

#include <array>
#include <functional>
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
/// The kinds of segments that there are, calls first. Cost: little.
std::vector<RequestKind> requestKinds(const Timeline& timeline);

/// What the time of one went into.
struct RequestPath {
    TimeRange range;
    TrackRef row{}; ///< Where it is.
    TrackRef thread{}; ///< The row with its thread's states.
    std::string name;
    std::array<Duration, PathKinds> parts{}; ///< By PathKind; they add up to the range.
};

/// Hands over those of a kind that lie in the window as a whole, in the order of their begins; `name`: those of that name alone, if it is
/// not empty. What is on no thread whose states are known is left out. Ends early once `stop` is requested. Threads: any but the UI's:
/// reads symbols. Cost: as criticalPath() of each.
void eachRequestPath(const Timeline& timeline, std::string_view kind, std::string_view name, TimeRange window,
                     const std::function<void(RequestPath&&)>& take, std::stop_token stop = {});

} // namespace helio
