#include "core/compare/call_sides.h"

#include "core/compare/causes.h"
#include "core/query/calls/call_names.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/duration_spread.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/state_times.h"
#include "core/query/rows/thread_clock.h"
#include "core/query/segments/call_at.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace helio {
namespace {

/// Who calls: a thread of a host, or where the host did not number it its row.
using Caller = std::tuple<std::uint32_t, std::int32_t, TrackRef>;

Caller callerOf(const Timeline& timeline, TrackRef row)
{
    const Track* const track = trackOf(timeline, row);
    if (!track)
        return {0, -1, row};
    const std::uint32_t host = timeline.traces[traceOf(timeline, row)].host;
    const bool isNumbered = track->tid >= 0 && isNumberedByHost(*track);
    return {host, isNumbered ? track->tid : -1,
            isNumbered ? TrackRef() : TrackRef{row.store, threadTrack(storeAt(timeline, row.store), row.track)}};
}

/// Which functions are meant.
class MeantFunctions {
public:
    MeantFunctions(const Timeline& timeline, std::string_view name, const std::stop_token& stop)
        : m_timeline(timeline)
        , m_names(timeline, stop)
        , m_name(name)
    {
    }

    /// Null: it is none of them.
    const SampledFunction* find(StoreIndex store, StackId stack)
    {
        const SampledFunction& function = m_names.functionOf(store, stack);
        if (function.label() == m_name)
            return &function;
        if (!function.name.empty())
            return nullptr;
        const auto [known, isNew] = m_nameless.try_emplace({store, stack});
        if (isNew)
            known->second = frameText(m_timeline, store, stack) == m_name;
        return known->second ? &function : nullptr;
    }

private:
    const Timeline& m_timeline;
    const CallNames m_names;
    const std::string m_name;
    std::map<std::pair<StoreIndex, StackId>, bool> m_nameless;
};

/// Requires: the calls of one thread stand beside each other, by begin, and of one moment the longest first.
void leaveOutermost(const Timeline& timeline, std::vector<FunctionCall>& calls)
{
    Caller caller;
    Timestamp end = Timestamp::min();
    std::erase_if(calls, [&](const FunctionCall& call) {
        const Caller own = callerOf(timeline, call.row);
        if (own == caller && call.range.begin < end)
            return true;
        caller = own;
        end = call.range.end;
        return false;
    });
}

Causes causesOf(const Timeline& timeline, const std::vector<FunctionCall>& calls, const std::stop_token& stop)
{
    std::map<TrackRef, StateTimes> states;
    std::map<std::tuple<TrackRef, State, std::uint32_t>, std::int64_t> sums;
    std::int64_t unknown = 0;
    for (const FunctionCall& call : calls) {
        unknown += call.range.duration().count();
        states.try_emplace(call.states, timeline, call.states, stop)
            .first->second.visit(call.range, [&](State state, std::uint32_t value, Duration time) {
                sums[{call.states, state, value}] += time.count();
                unknown -= time.count();
            });
    }
    Causes causes;
    for (const auto& [key, ns] : sums) {
        const auto& [row, state, value] = key;
        causes[{stateKind(timeline, row, state), valueText(timeline, row, value)}] += ns;
    }
    if (unknown > 0)
        causes[{stateThatMeans(timeline, {}, Meaning::Unknown), {}}] += unknown;
    return causes;
}

/// Those that go on while the calls do, on their threads.
SampleFilter filterOf(const Timeline& timeline, const CallKind& kind, const std::vector<FunctionCall>& calls)
{
    auto ranges = std::make_shared<std::map<Caller, std::vector<TimeRange>>>();
    for (const FunctionCall& call : calls)
        (*ranges)[callerOf(timeline, call.row)].push_back(call.range);
    SampleFilter filter;
    filter.kinds = {kind.facts.kind.name};
    filter.accepts = [&timeline, ranges](TrackRef thread, Timestamp time) {
        const auto own = ranges->find(callerOf(timeline, thread));
        if (own == ranges->end())
            return false;
        const auto after = std::ranges::upper_bound(own->second, time, {}, &TimeRange::begin);
        return after != own->second.begin() && ((after - 1)->contains(time) || (after - 1)->begin == time);
    };
    return filter;
}

/// What the calls of one side called, and how much in all.
CallTree calledWithin(const Timeline& timeline, const CallKind& kind, const SampledFunction& function,
                      const std::vector<FunctionCall>& calls, const std::stop_token& stop)
{
    const StackProfile profile = collectStacks(timeline, filterOf(timeline, kind, calls), nullptr, stop);
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    options.shape = CallTreeOptions::Shape::Callees;
    options.function = function.label();
    options.by = WeightBy::Weight;
    return buildCallTree(profile, nameStacks(profile, timeline, {.expandsInlined = false}, nullptr, stop), options);
}

} // namespace

CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, std::string_view function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop)
{
    CallsOfFunction found;
    MeantFunctions meant(timeline, function, stop);
    const ThreadClocks clocks(timeline, window);
    std::map<TrackRef, Row> rows;
    const auto take = [&](const Segment& call) {
        const bool isInside = call.range.begin >= window.begin && call.range.begin < window.end && call.range.end <= window.end;
        const SampledFunction* const its = isInside ? meant.find(call.store, call.recorded.stack()) : nullptr;
        if (!its)
            return;
        const auto [row, isNew] = rows.try_emplace(call.row());
        if (isNew)
            row->second = rowOf(timeline, call);
        if (!accepts(row->second, its->label(), call.range))
            return;
        if (found.calls.empty())
            found.function = *its;
        found.calls.push_back({call.row(), call.range, clocks.rowAllThrough(call.row(), call.range)});
    };
    eachSegment(timeline, kind.segments, window, take, stop);
    std::ranges::stable_sort(found.calls, {}, [&](const FunctionCall& it) {
        return std::tuple(callerOf(timeline, it.row), it.range.begin, -it.range.end.time_since_epoch().count());
    });
    leaveOutermost(timeline, found.calls);
    return found;
}

CallSides partedByLength(std::vector<FunctionCall> calls, std::optional<Duration> limit)
{
    CallSides sides;
    std::vector<std::int64_t> lengths;
    for (const FunctionCall& call : calls)
        lengths.push_back(call.range.duration().count());
    if (!limit && !lengths.empty()) {
        limit = nearestRank(lengths, 50);
        std::ranges::sort(lengths);
        if (limit->count() == lengths.back()) { // None is longer.
            const auto longest = std::ranges::lower_bound(lengths, lengths.back());
            limit = Duration(longest == lengths.begin() ? lengths.back() : *std::prev(longest));
        }
    }
    sides.limit = limit.value_or(Duration());
    for (FunctionCall& call : calls)
        (call.range.duration() > sides.limit ? sides.b : sides.a).push_back(std::move(call));
    return sides;
}

Ledger whySlower(const Timeline& timeline, const CallSides& sides, std::stop_token stop)
{
    return ledgerOf(causesOf(timeline, sides.a, stop), sides.a.size(), causesOf(timeline, sides.b, stop), sides.b.size());
}

DifferenceTree compareCallees(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, const CallSides& sides,
                              std::stop_token stop)
{
    const auto scaleOf = [](const std::vector<FunctionCall>& calls) { return 1.0 / double(std::max<std::size_t>(1, calls.size())); };
    return compareTrees(calledWithin(timeline, kind, function, sides.a, stop), calledWithin(timeline, kind, function, sides.b, stop),
                        {.a = scaleOf(sides.a), .b = scaleOf(sides.b), .isMeasured = true}, stop);
}

} // namespace helio
