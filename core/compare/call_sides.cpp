#include "core/compare/call_sides.h"

#include "core/compare/causes.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/state_times.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace helio {
namespace {

/// Identity of a calling thread: host and TID, or else its row if the thread has no TID.
using Caller = std::tuple<std::uint32_t, std::int32_t, TrackRef>;

Caller callerOf(const Timeline& timeline, TrackRef row)
{
    const Track* const track = trackOf(timeline, row);
    if (!track)
        return {0, -1, row};
    const std::uint32_t host = timeline.traces[traceOf(timeline, row)].host;
    const std::int32_t tid = hostTidOf(timeline, row);
    return {host, tid, tid >= 0 ? TrackRef() : TrackRef{row.store, threadTrack(storeAt(timeline, row.store), row.track)}};
}

/// Recognizes the functions that a call of callsOf() searches for.
class SearchedFunctions {
public:
    using Matcher = std::function<bool(const SampledFunction&)>;

    /// `isMeant` returns true for the searched functions. A function without a name is searched if the text of its address equals `name`.
    SearchedFunctions(const Timeline& timeline, std::string_view name, const Matcher& isMeant, const std::stop_token& stop)
        : m_timeline(timeline)
        , m_names(timeline, stop)
        , m_name(name)
    {
        for (const SampledFunction& function : m_names.functions())
            m_isMeant.push_back(isMeant(function));
    }

    /// Returns the function of the stack's innermost frame if the search is for this function; else nullptr.
    const SampledFunction* find(StoreIndex store, StackId stack)
    {
        const SampledFunction& function = m_names.functionOf(store, stack);
        if (m_isMeant[m_names.indexOf(store, stack)])
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
    std::vector<bool> m_isMeant; ///< True if callsOf() searches for the function; indexed by function index of m_names.
    std::map<std::pair<StoreIndex, StackId>, bool> m_nameless;
};

/// Detects recursion: calls of searched functions inside other calls of searched functions. Requires: calls come thread by thread, in
/// order of start times; with equal start times the longest call first, then callers before callees.
class Recursion {
public:
    Recursion(const Timeline& timeline, SearchedFunctions& meant)
        : m_timeline(timeline)
        , m_meant(meant)
    {
    }

    bool isWithin(const FunctionCall& call)
    {
        if (const Caller own = callerOf(m_timeline, call.row); own != m_caller) {
            m_caller = own;
            m_outer = {Timestamp::min(), Timestamp::min()};
            m_ends.clear();
        }
        m_ends[{call.row.store, call.stack}] = call.range.end;
        const bool hasLength = call.range.begin < call.range.end;
        const bool isWithin = call.range.begin < m_outer.end && (hasLength || m_outer.begin < call.range.begin);
        if (isWithin || (!hasLength && isCalledWithin(call)))
            return true;
        if (hasLength)
            m_outer = call.range;
        return false;
    }

private:
    /// Returns true if a call of zero duration was made inside another call, according to the call stacks. Times are not sufficient: they
    /// do not tell whether a call that begins or ends at the same time was active.
    bool isCalledWithin(const FunctionCall& call)
    {
        const StoreIndex store = call.row.store;
        for (StackId stack = callerIn(store, call.stack); stack != NoStack; stack = callerIn(store, stack))
            if (const auto known = m_ends.find({store, stack}); known != m_ends.end() && known->second >= call.range.end)
                return true;
        return false;
    }

    /// Returns the stack of the innermost caller that is a searched function; NoStack if no caller is.
    StackId callerIn(StoreIndex store, StackId stack)
    {
        const auto nodes = storeAt(m_timeline, store).stacks().nodes();
        const auto callerOf = [&](StackId id) { return id < StackId(nodes.size()) ? nodes[std::size_t(id)].parent() : NoStack; };
        std::vector<StackId> path;
        StackId found = callerOf(stack);
        for (; found != NoStack && !m_meant.find(store, found); found = callerOf(found)) {
            if (const auto known = m_callers.find({store, found}); known != m_callers.end()) {
                found = known->second;
                break;
            }
            path.push_back(found);
        }
        for (const StackId it : path)
            m_callers[{store, it}] = found;
        return found;
    }

    const Timeline& m_timeline;
    SearchedFunctions& m_meant;
    Caller m_caller;
    TimeRange m_outer; ///< The thread's latest outermost call with a duration above 0.
    std::map<std::pair<StoreIndex, StackId>, Timestamp> m_ends; ///< End of the thread's latest call for each stack.
    /// Results of callerIn() for stacks whose innermost function is not searched, keyed by store and stack; avoids repeated walks over the
    /// same callers.
    std::map<std::pair<StoreIndex, StackId>, StackId> m_callers;
};

TimesByCause computeTimesByCause(const Timeline& timeline, const std::vector<FunctionCall>& calls, const std::stop_token& stop)
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
    TimesByCause causes;
    for (const auto& [key, ns] : sums) {
        const auto& [row, state, value] = key;
        causes[{stateKind(timeline, row, state), valueText(timeline, row, value)}] += ns;
    }
    if (unknown > 0)
        causes[{stateThatMeans(timeline, {}, StateCategory::Unknown), {}}] += unknown;
    return causes;
}

/// Returns a filter for the call kind's samples that accepts only times inside `calls`, on the threads of these calls.
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

/// Returns the call tree of the callees of one side's calls, with summed times.
CallTree calledWithin(const Timeline& timeline, const CallKind& kind, const SampledFunction& function,
                      const std::vector<FunctionCall>& calls, const std::stop_token& stop)
{
    const StackProfile profile = collectStacks(timeline, filterOf(timeline, kind, calls), nullptr, stop);
    CallTreeOptions options;
    options.base = CallTreeOptions::Base::None;
    options.shape = CallTreeOptions::Shape::Callees;
    options.identity = function;
    options.by = WeightBy::Weight;
    return buildCallTree(profile, nameStacks(profile, timeline, {.expandsInlined = false}, nullptr, stop), options);
}

CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, SearchedFunctions meant, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, const std::stop_token& stop)
{
    CallsOfFunction found;
    const ThreadCpuTimes clocks(timeline, window, stop, ThreadCpuTimes::Stolen::LeftOut);
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
        found.calls.push_back(
            {call.row(), call.range, clocks.stateRowOf(clocks.rowThroughout(call.row(), call.range)), call.recorded.stack()});
    };
    forEachSegment(timeline, kind.segments, window, take, stop);
    std::ranges::stable_sort(found.calls, {}, [&](const FunctionCall& it) {
        return std::tuple(callerOf(timeline, it.row), it.range.begin, -it.range.end.time_since_epoch().count(), it.stack);
    });
    Recursion recursion(timeline, meant);
    std::erase_if(found.calls, [&](const FunctionCall& call) { return recursion.isWithin(call); });
    return found;
}

} // namespace

CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, std::string_view function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop)
{
    const auto isMeant = [name = std::string(function)](const SampledFunction& it) { return it.isCalled(name); };
    return callsOf(timeline, kind, SearchedFunctions(timeline, function, isMeant, stop), window, accepts, stop);
}

CallsOfFunction callsOf(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, TimeRange window,
                        const std::function<bool(const Row&, std::string_view, TimeRange)>& accepts, std::stop_token stop)
{
    const auto isMeant = [&function](const SampledFunction& it) { return identityOf(it) == identityOf(function); };
    return callsOf(timeline, kind, SearchedFunctions(timeline, function.label(), isMeant, stop), window, accepts, stop);
}

SplitCalls splitByDuration(std::vector<FunctionCall> calls, std::optional<Duration> limit)
{
    SplitCalls sides;
    std::vector<std::int64_t> lengths;
    for (const FunctionCall& call : calls)
        lengths.push_back(call.range.duration().count());
    if (!limit && !lengths.empty()) {
        limit = nearestRank(lengths, 50);
        std::ranges::sort(lengths);
        // If no call is longer than the median, use the second longest duration as limit, so that side B is not empty.
        if (limit->count() == lengths.back()) {
            const auto longest = std::ranges::lower_bound(lengths, lengths.back());
            limit = Duration(longest == lengths.begin() ? lengths.back() : *std::prev(longest));
        }
    }
    sides.limit = limit.value_or(Duration());
    for (FunctionCall& call : calls)
        (call.range.duration() > sides.limit ? sides.b : sides.a).push_back(std::move(call));
    return sides;
}

Breakdown computeBreakdown(const Timeline& timeline, const SplitCalls& sides, std::stop_token stop)
{
    return makeBreakdown(computeTimesByCause(timeline, sides.a, stop), sides.a.size(), computeTimesByCause(timeline, sides.b, stop),
                         sides.b.size());
}

DifferenceTree compareCallees(const Timeline& timeline, const CallKind& kind, const SampledFunction& function, const SplitCalls& sides,
                              std::stop_token stop)
{
    const auto scaleOf = [](const std::vector<FunctionCall>& calls) { return 1.0 / double(std::max<std::size_t>(1, calls.size())); };
    return compareTrees(calledWithin(timeline, kind, function, sides.a, stop), calledWithin(timeline, kind, function, sides.b, stop),
                        {.a = scaleOf(sides.a), .b = scaleOf(sides.b), .isMeasured = true}, stop);
}

} // namespace helio
