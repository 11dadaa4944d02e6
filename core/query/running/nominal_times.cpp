#include "core/query/running/nominal_times.h"

#include "core/query/rows/composed.h"
#include "core/query/rows/interval_walk.h"

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
    for (Row row : cpus(timeline)) {
        const TrackRef frequency = attributeOf(timeline, row.ref, TrackRole::Frequency);
        const Track* const track = trackOf(timeline, frequency);
        if (!track)
            continue;
        row.ref = frequency;
        row.intervals = track->intervals;
        std::vector<Stretch>& stretches = m_cpus[{row.host, row.cpu}];
        std::uint32_t& nominal = m_nominal[{row.host, row.cpu}];
        eachInterval(
            timeline, row, row.life,
            [&](const Interval& it) {
                Stretch next{it.range, it.value};
                if (!stretches.empty()) {
                    const auto [kHz, known] = until(stretches, it.range.begin);
                    next.kHzBefore = kHz;
                    next.knownBefore = known;
                }
                stretches.push_back(next);
                nominal = std::max(nominal, it.value);
            },
            stop);
        nominal = nominalKHz.value_or(nominal);
    }
    std::erase_if(m_cpus, [](const auto& it) { return it.second.empty(); });
    std::erase_if(m_nominal, [this](const auto& it) { return !m_cpus.contains(it.first); });
    if (areKnown())
        m_runs.emplace(timeline, stop);
}

std::pair<long double, Duration> NominalTimes::until(const std::vector<Stretch>& stretches, Timestamp at)
{
    auto it = std::ranges::upper_bound(stretches, at, {}, [](const Stretch& stretch) { return stretch.range.begin; });
    if (it == stretches.begin())
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
