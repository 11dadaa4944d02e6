#include "core/latency/running/nominal_times.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <cmath>

namespace helio {

Duration NominalTime::atNominal() const { return Duration(std::llround(ns)); }

NominalTime& NominalTime::operator+=(const NominalTime& other)
{
    ns += other.ns;
    known += other.known;
    return *this;
}

NominalTimes::NominalTimes(const Timeline& timeline, std::optional<std::uint32_t> nominalKHz, std::stop_token stop)
{
    for (const Row& cpu : cpus(timeline))
        read(timeline, cpu, stop);
    for (auto& [cpu, intervals] : m_cpus) {
        addUp(intervals);
        m_nominal[cpu] = nominalKHz.value_or(std::ranges::max(intervals, {}, &FrequencyInterval::kHz).kHz);
    }
    if (hasFrequencies())
        m_runs.emplace(timeline, stop);
}

void NominalTimes::read(const Timeline& timeline, Row cpu, const std::stop_token& stop)
{
    const TrackRef frequency = attributeOf(timeline, cpu.ref, TrackRole::Frequency);
    const Track* const track = trackOf(timeline, frequency);
    if (!track || track->intervals == 0)
        return;
    cpu.ref = frequency;
    cpu.intervals = track->intervals;
    forEachRowInterval(
        timeline, cpu, cpu.life,
        [&](const Interval& it) {
            m_cpus[{cpu.host, cpu.cpu}].push_back({it.range, it.value});
        },
        stop);
}

/// Computes for each interval of a CPU the sums over all earlier intervals (kHzBefore, knownBefore). If several traces of a host cover the
/// same time, this time is taken from the interval that began first.
void NominalTimes::addUp(std::vector<FrequencyInterval>& intervals)
{
    std::ranges::stable_sort(intervals, {}, [](const FrequencyInterval& it) { return it.range.begin; });
    std::vector<FrequencyInterval> all;
    for (FrequencyInterval& it : intervals) {
        if (!all.empty())
            it.range.begin = std::max(it.range.begin, all.back().range.end);
        if (it.range.isEmpty())
            continue;
        if (!all.empty()) {
            const FrequencyInterval& last = all.back();
            it.kHzBefore = last.kHzBefore + static_cast<long double>(last.range.duration().count()) * last.kHz;
            it.knownBefore = last.knownBefore + last.range.duration();
        }
        all.push_back(it);
    }
    intervals = std::move(all);
}

std::pair<long double, Duration> NominalTimes::until(const std::vector<FrequencyInterval>& intervals, Timestamp at)
{
    auto it = std::ranges::upper_bound(intervals, at, {}, [](const FrequencyInterval& interval) { return interval.range.begin; });
    if (it == intervals.begin())
        return {0, Duration(0)};
    --it;
    const Duration in = std::min(at, it->range.end) - it->range.begin;
    return {it->kHzBefore + static_cast<long double>(in.count()) * it->kHz, it->knownBefore + in};
}

NominalTime NominalTimes::onCpu(const Cpu& cpu, TimeRange range) const
{
    const auto found = m_cpus.find(cpu);
    if (found == m_cpus.end() || range.isEmpty())
        return {};
    const auto [kHzFrom, knownFrom] = until(found->second, range.begin);
    const auto [kHzTo, knownTo] = until(found->second, range.end);
    return {(kHzTo - kHzFrom) / m_nominal.at(cpu), knownTo - knownFrom};
}

std::optional<NominalTime> NominalTimes::of(const Row& row, TimeRange range) const
{
    if (!m_runs)
        return {};
    if (row.role == TrackRole::Cpu)
        return onCpu({row.host, row.cpu}, range);
    if (row.role != TrackRole::Thread)
        return {};
    const auto runs = m_runs->of(row.ref);
    NominalTime sum;
    auto run = std::ranges::partition_point(runs, [&](const ThreadRun& it) { return it.range.end <= range.begin; });
    for (; run != runs.end() && run->range.begin < range.end; ++run)
        sum += onCpu({row.host, run->cpu}, run->range.clippedTo(range));
    return sum;
}

} // namespace helio
