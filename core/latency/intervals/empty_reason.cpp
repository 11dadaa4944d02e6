#include "core/latency/intervals/empty_reason.h"

#include "core/latency/periods/find_periods.h"
#include "core/query/rows/views.h"
#include "core/query/segments/composite_states.h"
#include "core/query/segments/state_intervals.h"

#include <algorithm>

namespace helio {
namespace {

/// Returns the view with the states that form the kind's intervals; empty if the intervals are not formed by states.
std::string viewOf(const Timeline& timeline, std::string_view kind)
{
    for (const TrackView& view : describedViews(timeline))
        if (std::ranges::find(view.runs, kind, &CompositeState::id) != view.runs.end())
            return view.id;
    return {};
}

/// Returns the missing events that explain why the trace has no intervals of the kind: the events that the kind needs, or else the
/// events that the view with the kind's states needs. nullptr if no needed events are missing.
const MissingEvents* lackOf(const TimelineTrace& trace, std::string_view kind, std::string_view view)
{
    const auto isOfKind = [&](const MissingEvents& need) { return std::ranges::find(need.kinds, kind) != need.kinds.end(); };
    const auto isOfView = [&](const MissingEvents& need) { return need.isEssential && !need.anyOf.empty() && need.view == view; };
    auto lack = std::ranges::find_if(trace.missing, isOfKind);
    if (lack == trace.missing.end())
        lack = std::ranges::find_if(trace.missing, isOfView);
    return lack == trace.missing.end() ? nullptr : &*lack;
}

std::string wordsOf(const MissingEvents& need)
{
    return need.anyOf.front() + (need.isSampled ? " was only sampled, not fully recorded" : " was not recorded") + need.advice().suffix();
}

/// Returns a text that explains why the timeline has no interval of the kind although the needed events were recorded. Empty if a row has
/// the kind's states, or if there is no explanation.
std::string whyNone(const Timeline& timeline, std::string_view kind, std::string_view view)
{
    const auto run = findCompositeState(timeline, kind);
    if (!run || run->nothing.empty())
        return {};
    const auto hasOne = [&](const Row& row) {
        return std::ranges::any_of(run->firsts, [&](const std::string& state) { return findState(timeline, row.ref, state).has_value(); });
    };
    return std::ranges::any_of(rows(timeline, view), hasOne) ? std::string() : run->nothing;
}

} // namespace

std::string missingEvents(const Timeline& timeline, std::string_view kind)
{
    const std::string view = viewOf(timeline, kind);
    std::string words;
    for (const TimelineTrace& t : timeline.traces) {
        const MissingEvents* const lack = lackOf(t, kind, view);
        if (!lack)
            return whyNone(timeline, kind, view); // This trace misses no event that the kind needs, so missing events are not the reason.
        if (words.empty())
            words = wordsOf(*lack);
    }
    return words;
}

std::string whyTooFewToRepeat(std::uint64_t count)
{
    if (count >= MinPeriodicValues)
        return {};
    const std::string there = count == 0 ? "no intervals" : count == 1 ? "only 1 interval" : "only " + std::to_string(count) + " intervals";
    return there + ": too few to find a period";
}

} // namespace helio
