#include "core/profiling/calls/call_names.h"
#include "core/profiling/export/speedscope.h"
#include "core/profiling/samples/call_path.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

bool isHidden(const SampledFunction& function, const CallTreeOptions& options)
{
    const auto matches = [](const std::string& text, const std::vector<std::string>& patterns) {
        return std::ranges::any_of(patterns, [&](const std::string& pattern) { return matchesPattern(text, pattern); });
    };
    return matches(function.label(), options.hiddenFunctions) || matches(function.name, options.hiddenFunctions)
        || matches(function.module, options.hiddenModules);
}

} // namespace

SpeedscopeCalls collectCallSequences(const Timeline& timeline, const CallKind& kind, const SampleFilter& filter,
                                     const CallTreeOptions& options, std::stop_token stop)
{
    SpeedscopeCalls all;
    const CallNames names(timeline, stop);
    all.functions = names.functions();
    // nullopt: the filter does not select the thread.
    std::map<TrackRef, std::optional<CallSequence>> threads;
    std::vector<TimeRange> ranges = filter.ranges;
    if (ranges.empty())
        ranges = {{Timestamp::min(), Timestamp::max()}};
    // End of the ranges so far: calls that began before it were taken with an earlier range.
    Timestamp taken = Timestamp::min();
    const auto take = [&](const Segment& call) {
        const TrackRef thread{call.store, threadTrack(storeAt(timeline, call.store), call.recorded.track)};
        const auto [place, isNew] = threads.try_emplace(thread);
        if (isNew && selectsCallsOf(timeline, filter, thread)) {
            const Track* track = trackOf(timeline, thread);
            place->second.emplace().name = kind.facts.kind.name + ": " + (track ? track->label : "unknown thread")
                + (track && track->tid >= 0 ? " (" + std::to_string(track->tid) + ')' : "");
        }
        if (!place->second || call.range.begin < taken || (filter.accepts && !filter.accepts(thread, call.range.begin)))
            return;
        const std::uint32_t function = names.indexOf(call.store, call.recorded.stack());
        if (!isHidden(all.functions[function], options))
            place->second->calls.push_back({call.range, function});
    };
    for (const TimeRange& range : ranges) {
        forEachSegment(timeline, kind.segments, range, take, stop);
        taken = range.end;
    }
    for (auto& [thread, sequence] : threads)
        if (sequence) {
            // Among calls with the same begin, the longest is the caller.
            std::ranges::stable_sort(sequence->calls, [](const CallSequence::Call& a, const CallSequence::Call& b) {
                return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
            });
            all.threads.push_back(std::move(*sequence));
        }
    std::ranges::stable_sort(all.threads, std::greater(), [](const CallSequence& it) { return it.calls.size(); });
    return all;
}

} // namespace helio
