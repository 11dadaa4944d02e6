#include "core/profiling/calls/call_durations.h"

#include "core/profiling/calls/call_ends.h"
#include "core/profiling/calls/recorded_cpu_times.h"
#include "core/profiling/samples/collect_calls.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace helio {
namespace {

/// Sums up calls by function, and by name of the thread if `byCommand`.
class LengthCollector {
public:
    LengthCollector(const Timeline& timeline, const SampleFilter& filter, bool byCommand, ThreadCpuTimes::Stolen stolen,
                    const std::stop_token& stop)
        : m_timeline(timeline)
        , m_filter(filter)
        , m_byCommand(byCommand)
        , m_names(timeline, stop)
        , m_unfinished(timeline, stop)
        , m_clocks(timeline, {Timestamp::min(), Timestamp::max()}, stop, stolen)
        , m_recorded(timeline, stop)
    {
    }

    void add(const Segment& call)
    {
        const Thread& thread = threadOf(call);
        if (!thread.isChosen)
            return;
        Sum& sum = m_sums[{m_names.indexOf(call.store, call.recorded.stack()), m_byCommand ? thread.comm : std::string_view()}];
        const Duration length = lengthOf(call.range);
        const bool isFinished = !m_unfinished.contains(call);
        const bool isFirst = sum.lengths.empty() && (isFinished || sum.unfinished == 0);
        if (isFirst || (length > lengthOf(sum.longest.range) && (isFinished || sum.lengths.empty())))
            sum.longest = call;
        if (isFinished)
            sum.lengths.push_back(length.count());
        sum.unfinished += isFinished ? 0 : 1;
        if (const TrackRef states = m_clocks.rowThroughout(call.row(), call.range); states.isValid() && m_clocks.hasCpuTimes(states))
            sum.onCpu = sumOf(sum.onCpu.value_or(Duration{}), m_clocks.onCpu(states, call.range));
        else if (const auto recorded = m_recorded.of(call))
            sum.onCpu = sumOf(sum.onCpu.value_or(Duration{}), *recorded);
        else
            sum.lacksCpuTime |= m_recorded.areRecordedWith(call);
    }

    std::vector<CallDurations> take()
    {
        std::vector<CallDurations> all;
        for (auto& [key, sum] : m_sums)
            all.push_back({m_names.functions()[key.first], std::string(key.second), summarizeDurations(std::move(sum.lengths)),
                           sum.lacksCpuTime ? std::nullopt : sum.onCpu, sum.longest, sum.unfinished});
        return all;
    }

private:
    struct Thread {
        std::string_view comm; ///< Label of the thread's track.
        bool isChosen = false;
    };
    struct Sum {
        std::vector<std::int64_t> lengths; ///< Lengths of the calls with a recorded exit in ns, in any order.
        std::uint64_t unfinished = 0;
        std::optional<Duration> onCpu;
        bool lacksCpuTime = false; ///< True if the application recorded CPU times, but not of all these calls.
        Segment longest;
    };

    const Thread& threadOf(const Segment& call)
    {
        const TrackRef ref{call.store, threadTrack(storeAt(m_timeline, call.store), call.recorded.track)};
        const auto [it, isNew] = m_threads.try_emplace(ref);
        if (!isNew)
            return it->second;
        it->second.isChosen = selectsCallsOf(m_timeline, m_filter, ref);
        if (const Track* const track = trackOf(m_timeline, ref))
            it->second.comm = track->label;
        return it->second;
    }

    const Timeline& m_timeline;
    const SampleFilter& m_filter;
    const bool m_byCommand;
    CallNames m_names;
    UnfinishedCalls m_unfinished;
    ThreadCpuTimes m_clocks;
    RecordedCpuTimes m_recorded;
    std::map<TrackRef, Thread> m_threads;
    std::map<std::pair<std::uint32_t, std::string_view>, Sum> m_sums;
};

} // namespace

std::vector<CallDurations> callDurations(const Timeline& timeline, const SampleFilter& filter, bool byCommand, std::stop_token stop)
{
    const auto kind = filter.kinds.empty() ? std::nullopt : callKind(timeline, filter.kinds.front());
    if (!kind)
        return {};
    LengthCollector collector(timeline, filter, byCommand, stealTimeOf(*kind), stop);
    std::vector<TimeRange> ranges = filter.ranges;
    if (ranges.empty())
        ranges = {{Timestamp::min(), Timestamp::max()}};
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    // Latest end of the filter's ranges that were visited so far. A call that begins before this time, and ends at or before it, was
    // counted with an earlier range.
    Timestamp counted = Timestamp::min();
    for (const TimeRange& range : ranges) {
        const auto take = [&](const Segment& call) {
            const bool isCounted = call.range.begin < counted && call.range.end <= counted;
            if (call.range.begin >= range.begin && call.range.end <= range.end && !isCounted)
                collector.add(call);
        };
        forEachSegment(timeline, kind->segments, range, take, stop);
        counted = std::max(counted, range.end);
    }
    return collector.take();
}

} // namespace helio
