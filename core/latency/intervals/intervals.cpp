#include "core/latency/intervals/intervals.h"

#include "core/base/parallel_for.h"
#include "core/profiling/calls/call_ends.h"
#include "core/profiling/calls/function_calls.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/virtual_machine_names.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <utility>

namespace helio {
namespace {

/// Makes the texts for NamedInterval::name.
/// Threads: used by one thread at a time.
class IntervalNames {
public:
    IntervalNames(const std::shared_ptr<const Timeline>& timeline, const IntervalKind& kind, const std::stop_token& stop)
        : m_timeline(timeline)
        , m_kind(kind)
        , m_stop(stop)
        , m_machines(*timeline)
    {
    }

    /// Returns the name of an interval. The text is valid until of() is called again, and only as long as the texts in `it` are valid.
    std::string_view of(const SourceInterval& it)
    {
        std::string_view own = it.function ? functionText(*it.function) : it.name;
        if (own.empty())
            own = it.name.empty() && m_kind.areSegments ? std::string_view(m_kind.title) : it.name;
        const TrackRef row = it.segment ? it.segment->row() : it.row.ref.isValid() ? it.row.ref : it.shown;
        if (m_kind.areTransits || (!it.segment && !row.isValid()))
            return own;
        if (const std::string& machine = m_machines.machineOf(row); !machine.empty())
            return joined(own, " of ", machine);
        if (m_timeline->hosts.size() < 2 || isOfAllTraces(*m_timeline, row.store))
            return own;
        return joined(own, " on ", m_timeline->hosts[m_timeline->traces[traceOf(*m_timeline, row.store)].host].shownName());
    }

private:
    /// Returns the function's label, with its module if several functions share the label; empty if only the address is known.
    std::string_view functionText(const SampledFunction& function)
    {
        if (!m_functions) {
            m_functions = callNamesOf(m_timeline, m_stop);
            std::map<std::string_view, int> counts;
            for (const SampledFunction& it : m_functions->functions())
                ++counts[it.label()];
            for (const SampledFunction& it : m_functions->functions())
                m_texts.push_back(counts[it.label()] > 1 && !it.module.empty() ? it.label() + " (" + it.module + ")" : it.label());
        }
        const auto index = static_cast<std::size_t>(&function - m_functions->functions().data());
        return index == 0 || index >= m_texts.size() ? std::string_view() : std::string_view(m_texts[index]);
    }

    std::string_view joined(std::string_view own, const char* word, const std::string& place)
    {
        return m_text.assign(own).append(word).append(place);
    }

    const std::shared_ptr<const Timeline>& m_timeline;
    const IntervalKind& m_kind;
    std::stop_token m_stop;
    const VirtualMachineNames m_machines;
    std::string m_text;
    std::shared_ptr<const CallNames> m_functions; ///< Function labels; nullptr until the first function is named.
    std::vector<std::string> m_texts; ///< Texts that name the functions, indexed like CallNames::functions().
};

void forEachNamed(IntervalNames& names, const IntervalSource& source, const IntervalRequest& request,
                  const std::function<void(const NamedInterval&)>& take, const std::stop_token& stop)
{
    const auto takeOne = [&](const SourceInterval& it) {
        const TrackRef row = it.shown.isValid() ? it.shown : it.segment ? it.segment->row() : it.row.ref;
        take({it.range, row, names.of(it), it.segment, it.isUnfinished});
    };
    source.forEach(request, takeOne, stop);
}

/// Computes statistics on several threads. Each thread takes one row after another from the list, in which the rows with the most
/// intervals come first.
std::vector<DurationStats> statsByRow(const std::shared_ptr<const Timeline>& timeline, const IntervalSource& source, std::vector<Row> rows,
                                      TimeRange range, std::size_t buckets, const std::stop_token& stop)
{
    std::ranges::stable_sort(rows, std::greater(), &Row::intervals);
    std::vector<DurationAggregator> sums(usefulThreadCount(4));
    std::atomic<std::size_t> next = 0;
    parallelFor(sums.size(), [&](std::size_t thread) {
        IntervalNames names(timeline, source.kind(), stop);
        const auto add = [&](const NamedInterval& it) { sums[thread].add(it.name, it.range, {}, it.isUnfinished); };
        for (std::size_t i = next++; i < rows.size() && !stop.stop_requested(); i = next++) {
            const std::vector<Row> one{rows[i]};
            IntervalRequest request{range, IntervalOrder::ByRow};
            request.rows = &one;
            forEachNamed(names, source, request, add, stop);
        }
    });
    for (std::size_t i = 1; i < sums.size(); ++i)
        sums[0].add(std::move(sums[i]));
    return sums[0].take(buckets);
}

void forEachCall(const std::shared_ptr<const Timeline>& timeline, const SampledFunction& function, TimeRange range,
                 const std::function<void(const NamedInterval&)>& take, const std::stop_token& stop)
{
    const auto names = callNamesOf(timeline, stop);
    const FunctionCalls calls(*timeline, *names, function);
    UnfinishedCalls unfinished(*timeline, stop);
    std::string name = function.name.empty() ? std::string() : function.label();
    const auto takeOne = [&](const Segment& it) {
        if (!calls.contains(it) || it.range.begin < range.begin || it.range.end > range.end)
            return;
        if (name.empty())
            name = frameText(*timeline, it.store, it.recorded.stack());
        take({it.range, it.row(), name, &it, unfinished.contains(it)});
    };
    for (const SegmentKind& kind : segmentKinds(*timeline))
        if (kind.areCalls)
            forEachSegment(*timeline, kind.id, range, takeOne, stop);
}

std::unique_ptr<IntervalSource> sourceOf(const std::shared_ptr<const Timeline>& timeline, std::string_view id)
{
    auto source = findIntervalSource(timeline, id);
    return source ? std::move(*source) : nullptr;
}

} // namespace

std::vector<IntervalKind> intervalKinds(const std::shared_ptr<const Timeline>& timeline)
{
    std::vector<IntervalKind> kinds;
    for (const auto& it : intervalSources(timeline))
        kinds.push_back(it->kind());
    return kinds;
}

std::optional<IntervalKind> findIntervalKind(const std::shared_ptr<const Timeline>& timeline, std::string_view id)
{
    const auto source = sourceOf(timeline, id);
    return source ? std::optional(source->kind()) : std::nullopt;
}

void forEachInterval(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query,
                     const std::function<void(const NamedInterval&)>& take, std::stop_token stop)
{
    if (query.function)
        return forEachCall(timeline, *query.function, query.range, take, stop);
    const auto source = sourceOf(timeline, query.kind);
    if (!source)
        return;
    IntervalNames names(timeline, source->kind(), stop);
    forEachNamed(names, *source, {query.range}, take, stop);
}

std::vector<DurationStats> durationStats(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query, std::size_t buckets,
                                         std::stop_token stop)
{
    DurationAggregator sums;
    const auto add = [&](const NamedInterval& it) { sums.add(it.name, it.range, {}, it.isUnfinished); };
    if (query.function) {
        forEachCall(timeline, *query.function, query.range, add, stop);
        return sums.take(buckets);
    }
    const auto source = sourceOf(timeline, query.kind);
    if (!source)
        return {};
    if (auto rows = source->rows(); !rows.empty())
        return statsByRow(timeline, *source, std::move(rows), query.range, buckets, stop);
    IntervalNames names(timeline, source->kind(), stop);
    forEachNamed(names, *source, {query.range, IntervalOrder::ByRow}, add, stop);
    return sums.take(buckets);
}

} // namespace helio
