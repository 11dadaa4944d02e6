#include "core/profiling/calls/function_calls.h"

#include "core/profiling/calls/call_ends.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace helio {
namespace {

constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};

std::uint64_t addressOf(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    return static_cast<std::size_t>(stack) < nodes.size() ? nodes[static_cast<std::size_t>(stack)].frame().address : 0;
}

/// Returns the sort key of a segment: its start, followed by other members, so that no two segments of the timeline's stores have
/// equal keys.
auto placeOf(const Segment& it)
{
    const HostSegment& own = it.recorded;
    return std::tuple(it.range.begin, it.store, own.end, own.track, own.name, own.value);
}

bool isEarlier(const Segment& a, const Segment& b) { return placeOf(a) < placeOf(b); }

/// Returns the index of the function; the number of functions if `names` does not contain the function.
std::uint32_t numberOf(const CallNames& names, const SampledFunction& function)
{
    const auto found = findFunction(names.functions(), function);
    return static_cast<std::uint32_t>(found ? static_cast<std::size_t>(*found) : names.functions().size());
}

/// Counts the calls of each function and finds the longest call of each.
class CallCounter {
public:
    CallCounter(const Timeline& timeline, const std::stop_token& stop)
        : m_names(timeline, stop)
        , m_unfinished(timeline, stop)
        , m_sums(m_names.functions().size())
    {
    }

    void add(const Segment& call)
    {
        const std::uint32_t function = m_names.indexOf(call.store, call.recorded.stack());
        if (function >= m_sums.size())
            return;
        FunctionSum& sum = m_sums[function];
        const bool isFirst = sum.calls++ == 0;
        const bool isLonger = isFirst || lengthOf(call.range) > lengthOf(sum.longest.range);
        // Do not query m_unfinished for a call that cannot replace sum.longest, because the query is slow.
        if (!isLonger && sum.isFinished)
            return;
        const bool isFinished = !m_unfinished.contains(call);
        if (isFinished == sum.isFinished ? !isLonger : !isFinished)
            return;
        sum.longest = call;
        sum.isFinished = isFinished;
    }

    std::vector<FunctionSum> take()
    {
        for (std::size_t i = 0; i < m_sums.size(); ++i)
            m_sums[i].function = m_names.functions()[i];
        std::erase_if(m_sums, [](const FunctionSum& sum) { return sum.calls == 0; });
        std::ranges::stable_sort(m_sums, std::greater(), &FunctionSum::calls);
        return std::move(m_sums);
    }

private:
    const CallNames m_names;
    UnfinishedCalls m_unfinished;
    std::vector<FunctionSum> m_sums; ///< Sum of each function, indexed like the functions of m_names.
};

} // namespace

FunctionCalls::FunctionCalls(const Timeline& timeline, const CallNames& names, const Segment& call)
    : m_timeline(timeline)
    , m_names(names)
    , m_function(names.indexOf(call.store, call.recorded.stack()))
{
    if (m_function == 0)
        m_address = addressOf(timeline, call.store, call.recorded.stack());
}

FunctionCalls::FunctionCalls(const Timeline& timeline, const CallNames& names, const SampledFunction& function)
    : m_timeline(timeline)
    , m_names(names)
    , m_function(numberOf(names, function))
{
    if (m_function == 0)
        m_address = function.address;
}

SampledFunction FunctionCalls::function() const
{
    if (m_function >= m_names.functions().size())
        return {};
    SampledFunction function = m_names.functions()[m_function];
    function.address = m_address.value_or(function.address);
    return function;
}

bool FunctionCalls::isOfFunction(StoreIndex store, StackId stack) const
{
    return m_names.indexOf(store, stack) == m_function && (!m_address || addressOf(m_timeline, store, stack) == m_address);
}

void FunctionCalls::each(TimeRange range, const std::function<void(const Segment&)>& take, std::stop_token stop) const
{
    forEachStore(m_timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const ClockTransform& clock = clockOf(m_timeline, index);
        const auto kinds = store.segments().kinds();
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if (!kinds[i].areCalls)
                continue;
            const auto some = [&](std::span<const HostSegment> calls) {
                for (const HostSegment& it : calls)
                    if (isOfFunction(index, it.stack()))
                        take({clock(HostRange{it.begin, it.end}), index, it});
            };
            store.segments().visit(SegmentKindId{static_cast<std::uint8_t>(i)}, clock.inverse(range), some, stop);
        }
    });
}

std::optional<CallRank> FunctionCalls::rankOf(const Segment& call, std::stop_token stop) const
{
    UnfinishedCalls unfinished(m_timeline, stop);
    if (unfinished.contains(call))
        return {};
    CallRank rank;
    std::vector<std::int64_t> lengths;
    const Duration own = lengthOf(call.range);
    each(
        Always,
        [&](const Segment& it) {
            if (unfinished.contains(it)) {
                ++rank.unfinished;
                return;
            }
            const Duration length = lengthOf(it.range);
            rank.longer += length > own ? 1 : 0;
            rank.shorter += length < own ? 1 : 0;
            lengths.push_back(length.count());
        },
        stop);
    if (!lengths.empty()) {
        rank.p25 = nearestRank(lengths, 25);
        rank.p75 = nearestRank(lengths, 75);
    }
    rank.lengths = summarizeDurations(std::move(lengths));
    return rank;
}

std::optional<Segment> FunctionCalls::step(const Segment& from, CallSelector step, std::stop_token stop) const
{
    const auto found = step == CallSelector::Next || step == CallSelector::Previous ? neighbour(from, step == CallSelector::Next, stop)
                                                                                    : firstOfLength(step, stop);
    return stop.stop_requested() ? std::nullopt : found;
}

std::optional<Segment> FunctionCalls::neighbour(const Segment& from, bool forward, const std::stop_token& stop) const
{
    std::optional<Segment> best;
    const auto isBetter = [&](const Segment& it) {
        return forward ? isEarlier(from, it) && (!best || isEarlier(it, *best)) : isEarlier(it, from) && (!best || isEarlier(*best, it));
    };
    each(
        Always,
        [&](const Segment& it) {
            if (it.recorded.begin < it.recorded.end && isBetter(it))
                best = it;
        },
        stop);
    return best;
}

std::optional<Segment> FunctionCalls::firstOfLength(CallSelector step, const std::stop_token& stop) const
{
    std::vector<std::int64_t> lengths;
    UnfinishedCalls unfinished(m_timeline, stop);
    const auto isMeasured = [&](const Segment& it) { return it.recorded.begin < it.recorded.end && !unfinished.contains(it); };
    const auto eachShown = [&](const auto& take) {
        each(
            Always, [&](const Segment& it) { isMeasured(it) ? take(it) : void(); }, stop);
    };
    eachShown([&](const Segment& it) { lengths.push_back(lengthOf(it.range).count()); });
    if (lengths.empty())
        return {};
    const Duration length = step == CallSelector::Longest ? Duration(*std::ranges::max_element(lengths))
        : step == CallSelector::Shortest                  ? Duration(*std::ranges::min_element(lengths))
                                                          : nearestRank(lengths, 50);
    std::optional<Segment> first;
    eachShown([&](const Segment& it) {
        if (lengthOf(it.range) == length && (!first || isEarlier(it, *first)))
            first = it;
    });
    return first;
}

std::vector<FunctionSum> calledFunctions(const Timeline& timeline, std::stop_token stop)
{
    std::vector<SegmentKind> kinds = segmentKinds(timeline);
    std::erase_if(kinds, [](const SegmentKind& kind) { return !kind.areCalls; });
    if (kinds.empty())
        return {};
    CallCounter counter(timeline, stop);
    for (const SegmentKind& kind : kinds)
        forEachSegment(
            timeline, kind.id, {Timestamp::min(), Timestamp::max()}, [&](const Segment& call) { counter.add(call); }, stop);
    return counter.take();
}

} // namespace helio
