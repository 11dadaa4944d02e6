#include "core/compare/preempters.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace helio {
namespace {

/// Key of an interval in which a thread was preempted.
struct Preemption {
    std::int32_t tid = -1;
    Timestamp begin; ///< Time at which the preempted thread lost its CPU.
    bool operator<(const Preemption& other) const { return std::tie(tid, begin) < std::tie(other.tid, other.begin); }
};
/// The parts of each preemption that are inside the compared ranges, in time order.
using Preemptions = std::map<Preemption, std::vector<TimeRange>>;

Preemptions findPreemptions(const SideRuns& side, std::size_t index, const std::stop_token& stop)
{
    Preemptions stays;
    const auto addIn = [&](const Row& thread, TimeRange range) {
        const auto take = [&](const Interval& state) {
            if (meaningOf(side.timeline, thread.ref, state.state) != StateCategory::Preempted)
                return;
            const bool mayBeCut = state.range.begin == range.begin;
            const auto whole = mayBeCut ? intervalAt(side.timeline, thread.ref, state.range.begin) : std::vector<Interval>();
            stays[{thread.tid, whole.empty() ? state.range.begin : whole.front().range.begin}].push_back(state.range);
        };
        forEachRowInterval(side.timeline, thread, range, take, stop);
    };
    for (const TimedThread& it : side.timed[index])
        // Compare TIDs on one host only: equal TIDs on different hosts are different threads.
        if (it.thread.host == side.runs[index].leader.host)
            for (const TimeRange& range : it.ranges)
                addIn(it.thread, range);
    return stays;
}

/// Splits "worker (12)" into name and TID.
std::pair<std::string, std::int32_t> partsOf(const std::string& text)
{
    const auto open = text.rfind(" (");
    std::int32_t tid = -1;
    if (open == std::string::npos || std::from_chars(text.data() + open + 2, text.data() + text.size(), tid).ec != std::errc())
        return {text, -1};
    return {text.substr(0, open), tid};
}

/// Watches one CPU, and sums up times by the name of the thread that ran there. The time of a run counts once for each thread that waited
/// meanwhile because it had been preempted on this CPU.
class CpuWatch {
public:
    CpuWatch(const Preemptions& stays, std::map<std::string, Duration>& sums)
        : m_stays(stays)
        , m_sums(sums)
    {
    }

    void take(TimeRange range, const std::string& who)
    {
        const auto [comm, tid] = partsOf(who);
        std::erase_if(m_open, [&](const TimeRange& it) { return it.end <= range.begin; });
        for (const TimeRange& it : m_open)
            if (range.overlaps(it))
                m_sums[comm] += range.clippedTo(it).duration();
        if (const auto left = m_stays.find({tid, range.end}); left != m_stays.end())
            m_open.insert(m_open.end(), left->second.begin(), left->second.end());
    }

private:
    const Preemptions& m_stays;
    std::map<std::string, Duration>& m_sums;
    std::vector<TimeRange> m_open; ///< Ranges in which threads that lost this CPU were preempted; ended ranges are removed.
};

} // namespace

std::vector<Preempter> preempters(const SideRuns& side, std::stop_token stop)
{
    const Timeline& timeline = side.timeline;
    std::map<std::string, Duration> sums;
    Duration whole{};
    std::vector<Row> cpus = helio::cpus(timeline);
    for (Row& cpu : cpus)
        cpu.ref = attributeOf(timeline, cpu.ref, TrackRole::CpuThread);
    for (std::size_t i = 0; i < side.runs.size() && !stop.stop_requested(); ++i) {
        const ProcessRun& run = side.runs[i];
        const Preemptions stays = findPreemptions(side, i, stop);
        for (const auto& [stay, parts] : stays)
            for (const TimeRange& part : parts)
                whole += part.duration();
        if (stays.empty())
            continue;
        for (const Row& cpu : cpus) {
            if (cpu.host != run.leader.host)
                continue;
            CpuWatch watch(stays, sums);
            std::map<std::uint32_t, std::string> texts;
            const auto textOf = [&](std::uint32_t value) -> const std::string& {
                const auto [known, isNew] = texts.try_emplace(value);
                if (isNew)
                    known->second = valueText(timeline, cpu.ref, value);
                return known->second;
            };
            if (cpu.ref.isValid())
                forEachRowInterval(
                    timeline, cpu, run.range, [&](const Interval& it) { watch.take(it.range, textOf(it.value)); }, stop);
        }
    }
    std::vector<Preempter> all;
    for (const auto& [comm, time] : sums) {
        whole -= time;
        all.push_back({comm, time});
    }
    if (whole > Duration::zero())
        all.push_back({{}, whole});
    std::ranges::stable_sort(all, std::greater(), &Preempter::time);
    return all;
}

} // namespace helio
