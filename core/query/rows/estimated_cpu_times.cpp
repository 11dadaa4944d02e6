#include "core/query/rows/estimated_cpu_times.h"

#include "core/query/rows/sampled_rows.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>

namespace helio {
namespace {

void add(EstimatedCpuTime& use, const SampleKind& kind, const HostSample& sample)
{
    ++use.samples;
    (sample.mode == CodeMode::User ? use.user : use.kernel) += samplePeriod(kind, sample.weight);
}

} // namespace

std::size_t cpuTimeKind(const SampleSet& samples)
{
    const auto kinds = samples.kinds();
    const auto isCpuTime = [](const SampleKind& kind) { return kind.isTime && kind.origin == SampleKind::Origin::Event; };
    auto found = std::ranges::find_if(kinds, isCpuTime);
    if (found == kinds.end())
        found = std::ranges::find_if(kinds, [](const SampleKind& kind) { return kind.spacing > Duration(0); });
    return static_cast<std::size_t>(found - kinds.begin());
}

Duration samplePeriod(const SampleKind& kind, std::uint64_t weight)
{
    const Duration period = kind.isTime ? Duration(static_cast<std::int64_t>(std::min<std::uint64_t>(weight, INT64_MAX))) : kind.spacing;
    return std::clamp(period, Duration(0), MaxSamplePeriod);
}

Duration samplePeriod(const Timeline& timeline, std::uint32_t trace)
{
    const SampleSet& samples = samplesIn(timeline, storeWithSamples(timeline, trace));
    const std::size_t kind = cpuTimeKind(samples);
    if (kind == samples.kinds().size())
        return {};
    if (!samples.kinds()[kind].isTime)
        return std::min(samples.kinds()[kind].spacing, MaxSamplePeriod);
    std::vector<Duration> periods;
    std::stop_source first;
    const auto take = [&](std::span<const HostSample> part) {
        for (const HostSample& sample : part)
            if (const Duration period = samplePeriod(samples.kinds()[kind], sample.weight); period > Duration(0))
                periods.push_back(period);
        first.request_stop();
    };
    samples.visit(SampleKindId(kind), HostRange{HostTimestamp::min(), HostTimestamp::max()}, take, first.get_token());
    if (periods.empty())
        return {};
    const auto middle = periods.begin() + static_cast<std::ptrdiff_t>(periods.size() / 2);
    std::ranges::nth_element(periods, middle);
    return *middle;
}

EstimatedStateTimes estimatedStateTimes(const EstimatedCpuTime& use, Duration range)
{
    const Duration onCpu = std::min(use.onCpu(), range);
    const double part = use.onCpu() > Duration(0) ? double(onCpu.count()) / double(use.onCpu().count()) : 0;
    const Duration user(std::int64_t(double(use.user.count()) * part));
    return {user, onCpu - user, range - onCpu};
}

EstimatedCpuTimes::EstimatedCpuTimes(const Timeline& timeline, TimeRange range, std::stop_token stop)
{
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const SampleSet& samples = store.samples();
        const std::size_t kind = cpuTimeKind(samples);
        if (kind == samples.kinds().size())
            return;
        SampledRows rows(timeline, index);
        std::vector<EstimatedCpuTime> lives;
        std::map<std::int32_t, EstimatedCpuTime> cpus;
        const auto take = [&](const HostSample& sample) {
            if (sample.isIdle)
                return;
            const auto life = static_cast<std::size_t>(rows.lifeAt(sample.thread, sample.time));
            lives.resize(std::max(lives.size(), rows.lives()));
            add(lives[life], samples.kinds()[kind], sample);
            add(cpus[sample.cpu], samples.kinds()[kind], sample);
        };
        samples.visit(
            SampleKindId(kind), clockOf(timeline, index).inverse(range),
            [&](std::span<const HostSample> part) { std::ranges::for_each(part, take); }, stop);
        for (std::uint32_t life = 0; life < lives.size(); ++life)
            m_uses[rows.rowOf(SampledRows::Life{life})] += lives[life];
        for (const auto& [cpu, use] : cpus)
            m_uses[cpuRow(timeline, traceOf(timeline, index), cpu)] += use;
    });
}

std::optional<SampleKind> cpuTimeKind(const Timeline& timeline)
{
    std::optional<SampleKind> best;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        const SampleSet& samples = store.samples();
        const std::size_t kind = cpuTimeKind(samples);
        if (kind < samples.kinds().size() && (!best || (samples.kinds()[kind].isTime && !best->isTime)))
            best = samples.kinds()[kind];
    });
    return best;
}

EstimatedCpuTime EstimatedCpuTimes::of(TrackRef row) const
{
    const auto use = m_uses.find(row);
    return use != m_uses.end() && row.isValid() ? use->second : EstimatedCpuTime();
}

} // namespace helio
