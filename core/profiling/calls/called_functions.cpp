#include "core/profiling/calls/called_functions.h"

#include "core/profiling/calls/call_ends.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/rows/duration_distribution.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace helio {
namespace {

/// Adds up calls by function.
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
        // Only few calls need the query of m_unfinished.
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
    std::vector<FunctionSum> m_sums; ///< Indexed like the functions of m_names.
};

} // namespace

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
