#include "core/compare/preempters.h"

#include "core/query/rows/interval_walk.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace helio {
namespace {

/// What one thread was preempted for, by when it began.
using Stays = std::map<Timestamp, Timestamp>;

Stays preemptedStays(const Timeline& timeline, const ProcessRun& run, const std::stop_token& stop)
{
    Stays stays;
    eachInterval(
        timeline, run.leader, run.range,
        [&](const Interval& it) {
            if (meaningOf(timeline, run.leader.ref, it.state) == Meaning::Preempted)
                stays.emplace(it.range.begin, it.range.end);
        },
        stop);
    return stays;
}

/// "worker (12)" as name and tid.
std::pair<std::string, std::int32_t> partsOf(const std::string& text)
{
    const auto open = text.rfind(" (");
    std::int32_t tid = -1;
    if (open == std::string::npos || std::from_chars(text.data() + open + 2, text.data() + text.size(), tid).ec != std::errc())
        return {text, -1};
    return {text.substr(0, open), tid};
}

/// Adds up who ran on one CPU after the thread left it.
class CpuWatch {
public:
    CpuWatch(std::int32_t tid, const Stays& stays, std::map<std::string, Duration>& sums)
        : m_tid(tid)
        , m_stays(stays)
        , m_sums(sums)
    {
    }

    void take(TimeRange range, const std::string& who)
    {
        const auto [comm, tid] = partsOf(who);
        if (const Duration time = range.clippedTo(m_stay).duration(); !m_stay.isEmpty() && range.overlaps(m_stay))
            m_sums[comm] += time;
        if (tid != m_tid)
            return;
        const auto stay = m_stays.find(range.end);
        m_stay = stay == m_stays.end() ? TimeRange{} : TimeRange{stay->first, stay->second};
    }

private:
    std::int32_t m_tid;
    const Stays& m_stays;
    std::map<std::string, Duration>& m_sums;
    TimeRange m_stay{}; ///< That the thread was preempted for, from this CPU.
};

} // namespace

std::vector<Preempter> preempters(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop)
{
    std::map<std::string, Duration> sums;
    Duration whole{};
    std::vector<Row> cpus = helio::cpus(timeline);
    for (Row& cpu : cpus)
        cpu.ref = attributeOf(timeline, cpu.ref, TrackRole::CpuThread);
    for (const ProcessRun& run : runs) {
        if (stop.stop_requested())
            break;
        const Stays stays = preemptedStays(timeline, run, stop);
        for (const auto& [begin, end] : stays)
            whole += end - begin;
        if (stays.empty())
            continue;
        for (const Row& cpu : cpus) {
            if (cpu.host != run.leader.host)
                continue;
            CpuWatch watch(run.leader.tid, stays, sums);
            std::map<std::uint32_t, std::string> texts;
            const auto textOf = [&](std::uint32_t value) -> const std::string& {
                const auto [known, isNew] = texts.try_emplace(value);
                if (isNew)
                    known->second = valueText(timeline, cpu.ref, value);
                return known->second;
            };
            if (cpu.ref.isValid())
                eachInterval(
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
