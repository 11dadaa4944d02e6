#include "core/query/rows/buckets.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_kind.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/row_utilization.h"
#include "core/query/rows/sampled_rows.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace helio {
namespace {

enum class Use : std::uint8_t { None, User, Kernel, Interrupt, Unknown };

Use useOf(StateCategory state)
{
    switch (state) {
    case StateCategory::OnCpu:
    case StateCategory::OnCpuUser: return Use::User;
    case StateCategory::OnCpuSyscall:
    case StateCategory::OnCpuKernel:
    case StateCategory::OnCpuExit: return Use::Kernel;
    case StateCategory::OnCpuInterrupt: return Use::Interrupt;
    case StateCategory::Unknown: return Use::Unknown;
    default: return Use::None;
    }
}

std::vector<Use> usesOf(const StateSet& set)
{
    std::vector<Use> uses(32, Use::None);
    for (std::size_t i = 0; i < set.states.size() && i < uses.size(); ++i)
        uses[i] = useOf(set.states[i].meaning);
    return uses;
}

void addCpu(const Timeline& timeline, TrackRef cpu, TimeRange window, std::size_t buckets, std::vector<CpuUtilization>& sums,
            std::stop_token stop)
{
    const std::vector<Use> uses = usesOf(statesOf(timeline, cpu));
    Spans found;
    const Duration resolution = std::max(Duration(1), window.duration() / std::int64_t(buckets));
    spans(timeline, cpu, window, resolution, found, std::move(stop));
    const auto take = [&](TimeRange range, std::size_t state, float share) {
        spread(range, window, buckets, [&](std::size_t b, double part) {
            const float amount = share * float(part);
            switch (uses[state]) {
            case Use::User: sums[b].user += amount; break;
            case Use::Kernel: sums[b].kernel += amount; break;
            case Use::Interrupt: sums[b].interrupt += amount; break;
            case Use::Unknown: sums[b].unknown += amount; break;
            case Use::None: break;
            }
        });
    };
    for (const Span& span : found.spans) {
        if (span.count == 1) {
            take(span.range, static_cast<std::size_t>(span.state) & 31, 1);
            continue;
        }
        std::size_t share = span.firstShare;
        for (std::uint32_t mask = span.mask; mask && share < found.shares.size(); mask &= mask - 1)
            take(span.range, std::size_t(std::countr_zero(mask)), float(found.shares[share++]) / 255);
    }
}

/// Divides the time whose states are unknown by samples of CPU time. A sample stands for its period before it.
void addSampled(const SampleSet& samples, const ClockTransform& clock, TimeRange window, std::vector<CpuUtilization>& sums,
                const std::stop_token& stop)
{
    const std::size_t kind = cpuTimeKind(samples);
    if (kind == samples.kinds().size())
        return;
    std::vector<CpuUtilization> sampled(sums.size());
    const auto add = [&](const HostSample& sample) {
        if (sample.isIdle)
            return;
        const Duration length = samplePeriod(samples.kinds()[kind], sample.weight);
        const Timestamp end = clock(sample.time);
        float CpuUtilization::*use = sample.mode == CodeMode::User ? &CpuUtilization::user : &CpuUtilization::kernel;
        spread({end - length, end}, window, sums.size(), [&](std::size_t b, double part) { sampled[b].*use += float(part); });
    };
    samples.visit(
        SampleKindId(kind), clock.inverse(TimeRange{window.begin, window.end + MaxSamplePeriod}),
        [&](std::span<const HostSample> part) { std::ranges::for_each(part, add); }, stop);
    for (std::size_t b = 0; b < sums.size(); ++b) {
        const float whole = sampled[b].user + sampled[b].kernel;
        const float known = std::min(whole, sums[b].unknown);
        if (known <= 0)
            continue;
        sums[b].user += sampled[b].user * known / whole;
        sums[b].kernel += sampled[b].kernel * known / whole;
        sums[b].unknown -= known;
    }
}

/// Attributes whose intervals are ticks, of samples or of events.
constexpr std::array TickRoles{TrackRole::SamplesUser, TrackRole::SamplesKernel, TrackRole::SamplesOther, TrackRole::SamplesEvents,
                               TrackRole::Events};

/// True if the row has a tick in the window, of a sample or of an event.
bool hasTicks(const Timeline& timeline, TrackRef track, TimeRange window)
{
    return std::ranges::any_of(TickRoles, [&](TrackRole role) {
        const RowTicks ticks = ticksOf(timeline, track, role);
        const TimeRange own = window.clippedTo(ticks.life);
        if (!ticks.track.isValid() || own.isEmpty())
            return false;
        const auto next = nextInterval(timeline, ticks.track, own.begin - Duration(1));
        return !next.empty() && next.front().range.begin < own.end;
    });
}

/// Use of a row in a window, according to its states. If BusyTime::isKnown is false, samples must be asked.
struct KnownUse {
    BusyTime time;
    bool hasUnknown = false;
    bool isInactive = true;
};

KnownUse knownUse(const Timeline& timeline, TrackRef track, TimeRange range)
{
    const StateSet& set = statesOf(timeline, track);
    KnownUse result;
    for (const StateTotal& total : totals(timeline, track, range)) {
        const auto index = static_cast<std::size_t>(total.state);
        if (total.total == Duration(0) || index >= set.states.size())
            continue;
        const StateCategory meaning = set.states[index].meaning;
        const Use use = useOf(meaning);
        result.time.isKnown |= use != Use::Unknown;
        result.hasUnknown |= use == Use::Unknown;
        result.isInactive &= isAtRest(set.states[index]);
        if (use != Use::None && use != Use::Unknown)
            result.time.busy += total.total;
    }
    return result;
}

} // namespace

namespace {

/// Returns the range covered by the trace of a row's tid and pid. For a row of a correlator that is the trace of the row that it shows
/// again.
TimeRange coveredOf(const Timeline& timeline, TrackRef track)
{
    const auto note = noteOf(timeline, track);
    return coveredRange(timeline, note ? note->trace : traceOf(timeline, track));
}

} // namespace

BusyTime busyTime(const Timeline& timeline, TrackRef track, TimeRange range) { return knownUse(timeline, track, range).time; }

double busyShare(const Timeline& timeline, TrackRef track, TimeRange range)
{
    range = range.clippedTo(coveredOf(timeline, track));
    return range.isEmpty() ? 0 : double(busyTime(timeline, track, range).busy.count()) / double(range.duration().count());
}

std::vector<RowUtilization> rowUtilizations(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                            std::stop_token stop)
{
    std::vector<RowUtilization> uses;
    std::unique_ptr<const EstimatedCpuTimes> sampled; // Made when it is first needed: mostly never.
    UnrecordedRuns unseen(timeline, window);
    for (const TrackRef track : tracks) {
        if (stop.stop_requested())
            break;
        // Time that is not read yet does not count as idle.
        const TimeRange covered = window.clippedTo(coveredOf(timeline, track));
        const TimeRange known{covered.begin, std::min(covered.end, knownUntil(timeline, track))};
        if (known.isEmpty())
            continue;
        KnownUse use = knownUse(timeline, track, known);
        if (!use.time.isKnown) {
            if (!sampled)
                sampled = std::make_unique<EstimatedCpuTimes>(timeline, window, stop);
            use.time.busy = std::min(sampled->of(track).onCpu(), known.duration());
            use.isInactive = use.isInactive && use.time.busy == Duration(0) && !hasTicks(timeline, track, known);
        }
        const bool isLowerBound = use.time.isKnown && use.hasUnknown && unseen.mayExistIn(traceOf(timeline, track));
        uses.push_back({track, double(use.time.busy.count()) / double(known.duration().count()), isLowerBound, use.isInactive});
    }
    return uses;
}

std::vector<std::pair<TrackRef, BusyShare>> busyShares(const Timeline& timeline, std::span<const TrackRef> tracks, TimeRange window,
                                                       std::stop_token stop)
{
    std::vector<std::pair<TrackRef, BusyShare>> shares;
    for (const RowUtilization& use : rowUtilizations(timeline, tracks, window, std::move(stop)))
        shares.emplace_back(use.row, BusyShare(use.busy, use.isLowerBound));
    return shares;
}

std::vector<CpuUtilization> cpuUtilization(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets,
                                           std::stop_token stop)
{
    std::vector<CpuUtilization> sums(buckets);
    if (window.isEmpty() || buckets == 0)
        return sums;
    std::size_t cpus = 0;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& t) {
        if (t.host != host)
            return;
        forEachTrack(index, store, TrackRole::Cpu, [&](TrackRef cpu, const Track&) {
            ++cpus;
            addCpu(timeline, cpu, window, buckets, sums, stop);
        });
    });
    // Then divide the time that states leave unknown; its samples may be in other stores.
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace& t) {
        if (t.host == host)
            addSampled(store.samples(), clockOf(timeline, index), window, sums, stop);
    });
    for (CpuUtilization& use : sums) {
        use.user /= float(std::max<std::size_t>(1, cpus));
        use.kernel /= float(std::max<std::size_t>(1, cpus));
        use.interrupt /= float(std::max<std::size_t>(1, cpus));
        use.unknown /= float(std::max<std::size_t>(1, cpus));
    }
    return sums;
}

} // namespace helio
