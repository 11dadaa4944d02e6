#include "core/event_model/segment_kinds.h"
#include "core/event_model/vcpu_modes.h"
#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/composite_states.h"
#include "core/query/segments/segments.h"
#include "core/waits/locks/lock_contention.h"
#include "core/waits/path/wait_causes.h"
#include "core/waits/requests/requests.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t LeastRequests = 50; ///< Minimum number of requests with one name: without a normal case, nothing is slow.
constexpr std::size_t LeastSlow = 3; ///< Minimum number of slow requests that are examined.
constexpr std::size_t MostExamined = 20; ///< Maximum number of requests whose paths are computed, of the slow and of the usual ones each.
constexpr Duration LeastExcess = std::chrono::milliseconds(1); ///< Minimum time by which slow requests exceed the median.
constexpr std::int64_t MuchSlower = 3; ///< Minimum ratio of slow requests to the median.
constexpr double MostOfExcess = 0.6; ///< Minimum share of one part in the excess.
/// Minimum ratio of that part to its mean in all other requests. Every distribution has a tail: the largest hundredth of exponentially
/// distributed times is 5.6 times the mean. More than that has a cause of its own.
constexpr double Unusual = 10;
constexpr std::uint64_t MostSegments = 4'000'000; ///< Maximum number of segments of a kind that is searched; more cost too much time.

/// Kinds of segments whose duration is not the time of a request.
constexpr std::array NoRequests{AllocatedBlocks,  UnfreedBlocks,    FreedBlocks, DoubleFrees,   UnknownFrees,
                                LockWaitSegments, LockHoldSegments, VcpuExits,   VcpuInterrupts};

struct Request {
    TimeRange range;
    TrackRef thread;
};
using RequestsByName = std::map<std::string, std::vector<Request>>;

/// Returns the kinds of requests. System calls are left out, because many of them wait by design.
std::vector<RequestKind> searchedKinds(const Timeline& timeline)
{
    std::vector<RequestKind> kinds = requestKinds(timeline);
    std::erase_if(kinds, [&](const RequestKind& it) {
        return findCompositeState(timeline, it.id) || std::ranges::find(NoRequests, it.id) != NoRequests.end()
            || segmentSum(timeline, it.id).count > MostSegments;
    });
    return kinds;
}

bool canLookForRequests(const FindingScope& scope) { return !searchedKinds(scope.timeline()).empty(); }

using PathParts = std::array<double, PathKinds>;

/// Returns the mean time of the requests by kind of path segment, in ns.
PathParts meanParts(PathFinder& finder, std::span<const Request> requests, const std::stop_token& stop)
{
    PathParts parts{};
    for (const Request& it : requests)
        for (const PathSegment& segment : finder.find(it.thread, it.range, stop).segments)
            parts[static_cast<std::size_t>(segment.kind)] += double(segment.range.duration().count()) / double(requests.size());
    return parts;
}

double totalOf(const PathParts& parts)
{
    double sum = 0;
    for (const double part : parts)
        sum += part;
    return sum;
}

/// Requests with one name whose slowest differ from the usual ones by one part.
struct SlowRequests {
    std::string name;
    Occurrences slow;
    std::size_t count = 0; ///< Number of all requests with this name.
    Duration median{};
    Duration excess{}; ///< Mean time by which slow requests exceed the median.
    Duration lost{}; ///< Sum of these times.
};

/// Returns the slowest 1 % of the requests, at least LeastSlow, if they are much slower than the median. Sorts the requests by duration.
std::optional<SlowRequests> slowestOf(const FindingScope& scope, const std::string& name, std::vector<Request>& requests)
{
    if (requests.size() < LeastRequests)
        return {};
    std::ranges::stable_sort(requests, {}, [](const Request& it) { return it.range.duration(); });
    SlowRequests found{name, {}, requests.size(), requests[requests.size() / 2].range.duration()};
    for (std::size_t i = requests.size() - std::max(LeastSlow, requests.size() / 100); i < requests.size(); ++i) {
        found.slow.add(requests[i].range, requests[i].thread);
        found.lost += requests[i].range.duration() - found.median;
    }
    found.excess = found.lost / static_cast<std::int64_t>(found.slow.count());
    const Duration least = found.slow.all().front().range.duration();
    const bool isSlow = found.excess >= LeastExcess && least >= MuchSlower * found.median;
    return isSlow && std::min(found.lost, found.slow.covered()) >= scope.threshold() ? std::optional(std::move(found)) : std::nullopt;
}

/// Returns the kind of path segment that makes the slow requests slow; nullopt if no single kind does.
std::optional<PathKind> causeOf(PathFinder& finder, const std::vector<Request>& sorted, const SlowRequests& found, Duration& difference,
                                const std::stop_token& stop)
{
    const std::size_t slow = std::min<std::size_t>(MostExamined, found.slow.count()), usual = std::min(MostExamined, sorted.size() / 2);
    const std::span<const Request> all(sorted);
    const PathParts ofSlow = meanParts(finder, all.last(slow), stop);
    const PathParts ofUsual = meanParts(finder, all.subspan(sorted.size() / 2 - usual / 2, usual), stop);
    std::vector<Request> others; // Requests of all durations but the slowest.
    for (std::size_t i = 0; i < MostExamined; ++i)
        others.push_back(sorted[(2 * i + 1) * (sorted.size() - found.slow.count()) / (2 * MostExamined)]);
    const PathParts ofOthers = meanParts(finder, others, stop);
    const double sumSlow = totalOf(ofSlow), sumUsual = totalOf(ofUsual);
    if (stop.stop_requested() || sumSlow <= sumUsual || sumUsual <= 0)
        return {};
    std::size_t most = 0;
    for (std::size_t i = 0; i < PathKinds; ++i)
        if (ofSlow[i] - ofUsual[i] > ofSlow[most] - ofUsual[most])
            most = i;
    const auto kind = static_cast<PathKind>(most);
    const bool isOne = ofSlow[most] - ofUsual[most] >= MostOfExcess * (sumSlow - sumUsual);
    const bool isUnusual = ofSlow[most] >= Unusual * ofOthers[most];
    difference = Duration(static_cast<std::int64_t>(ofSlow[most] - ofUsual[most]));
    return isOne && isUnusual && kind != PathKind::Unknown ? std::optional(kind) : std::nullopt;
}

Finding describe(const FindingScope& scope, const SlowRequests& found, PathKind cause, Duration difference)
{
    Finding finding;
    finding.subject = found.name;
    finding.text = "The slowest " + std::to_string(found.slow.count()) + " of " + countText(found.count, found.name, found.name) + " take "
        + shortDuration(found.excess) + " longer than the median: " + std::string(wordOf(cause)) + " +" + shortDuration(difference);
    finding.detail = "median " + shortDuration(found.median) + ", longest " + shortDuration(found.slow.longest().range.duration());
    finding.color = stateOf(cause).style.color;
    finding.isWait = true;
    found.slow.fill(finding, [&](const Occurrences::Occurrence& it) {
        return threadWords(scope.timeline(), it.row) + ": " + found.name + ' ' + shortDuration(it.range.duration());
    });
    finding.explained = std::min(finding.explained, found.lost);
    return finding;
}

bool isAccepted(const FindingScope& scope, TrackRef thread, std::map<TrackRef, bool>& known)
{
    const auto [it, isNew] = known.try_emplace(thread);
    if (isNew) {
        const auto row = rowOf(scope.timeline(), thread);
        it->second = row && scope.accepts(*row);
    }
    return it->second;
}

/// Returns at most one finding for a kind: functions call each other, so that their requests lie within each other.
std::optional<Finding> findIn(const FindingScope& scope, const RequestKind& kind)
{
    RequestsByName byName;
    std::map<TrackRef, bool> accepted;
    // No request is accepted, so that no path is computed before the slow requests are known.
    const auto collect = [&](const std::string& name, TrackRef thread, TimeRange range) {
        byName[name].push_back({range, thread});
        return false;
    };
    forEachRequestPath(
        scope.timeline(), kind.id, {collect}, scope.window(), [](RequestPath&&) {}, scope.stop());
    std::vector<std::pair<SlowRequests, std::vector<Request>*>> candidates;
    for (auto& [name, requests] : byName) {
        if (!scope.isOfAllRows())
            std::erase_if(requests, [&](const Request& it) { return !isAccepted(scope, it.thread, accepted); });
        if (auto found = slowestOf(scope, name, requests))
            candidates.emplace_back(std::move(*found), &requests);
    }
    std::ranges::stable_sort(candidates, std::ranges::greater(), [](const auto& it) { return it.first.lost; });
    PathFinder finder(scope.timeline());
    for (const auto& [found, requests] : candidates) {
        Duration difference{};
        if (const auto cause = causeOf(finder, *requests, found, difference, scope.stop()))
            return describe(scope, found, *cause, difference);
    }
    return {};
}

std::vector<Finding> findSlowRequests(const FindingScope& scope)
{
    std::vector<Finding> findings;
    for (const RequestKind& kind : searchedKinds(scope.timeline()))
        if (!scope.stop().stop_requested())
            if (auto finding = findIn(scope, kind))
                findings.push_back(std::move(*finding));
    return findings;
}

} // namespace

extern const Finder slowRequestFinder;
const Finder slowRequestFinder{"slow-requests", "Slow requests", canLookForRequests, findSlowRequests, RecordableData::FunctionCalls};

} // namespace helio
