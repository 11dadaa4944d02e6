#include "core/query/rows/statistics.h"

#include "core/base/time.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_kind.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/sampled_rows.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <memory>

namespace helio {
namespace {

/// Divides a time range into buckets of equal width and calls add(bucket, share) for each bucket that the range overlaps. `share` is the
/// covered part of the bucket, 0 to 1.
template <typename Add> void spread(TimeRange range, TimeRange window, std::size_t buckets, const Add& add)
{
    const TimeRange part = range.clippedTo(window);
    if (part.isEmpty())
        return;
    const double width = double(window.duration().count()) / double(buckets);
    const double from = double((part.begin - window.begin).count()) / width;
    const double to = double((part.end - window.begin).count()) / width;
    for (auto b = std::size_t(from); b < buckets && double(b) < to; ++b)
        add(b, std::min(to, double(b + 1)) - std::max(from, double(b)));
}

/// Calls add(range, count) with the number of events in each time bucket of the density. Assumes that all buckets are as long as the first
/// one. The last bucket may be shorter; its events are then spread over too long a time.
template <typename Add> void addCounted(const TraceFacts& facts, const Add& add)
{
    const auto density = facts.density();
    const Duration length = density.size() > 1 ? density[1].begin - density[0].begin : Duration(1);
    for (const DensityBucket& bucket : density)
        add(HostRange{bucket.begin, bucket.begin + length}, double(bucket.events));
}

/// Assumed size of an event in bits, including packet headers, as long as no events were counted; kernel events have 20 to 40 bytes.
constexpr double BitsOfAnEvent = 256;

/// Estimates the number of events in CTF packets that are not indexed yet, from the packets' sizes and the mean size of indexed events.
template <typename Add> void addClaimed(const TimelineTrace& t, const Add& add)
{
    const HostTimestamp known = t.facts ? t.facts->knownUntil() : HostTimestamp::min();
    double bitsRead = 0;
    const auto forEachPacket = [&](const auto& visit) {
        for (const StreamInfo& stream : t.trace->streams())
            for (const PacketInfo& packet : stream.packets)
                if (packet.range && packet.range->begin < packet.range->end)
                    visit(*packet.range, double(packet.contentBits));
    };
    const auto shareAfter = [](HostRange range, HostTimestamp at) {
        const double whole = double(nanoseconds(range.end)) - double(nanoseconds(range.begin));
        return std::clamp((double(nanoseconds(range.end)) - double(nanoseconds(at))) / whole, 0.0, 1.0);
    };
    if (t.facts)
        forEachPacket([&](HostRange range, double bits) { bitsRead += bits * (1 - shareAfter(range, known)); });
    const double events = t.facts ? double(t.facts->summary().events) : 0;
    const double bitsOfEvent = events > 0 && bitsRead > 0 ? bitsRead / events : BitsOfAnEvent;
    forEachPacket([&](HostRange range, double bits) {
        if (range.end > known)
            add(HostRange{std::max(range.begin, known), range.end}, bits * shareAfter(range, known) / bitsOfEvent);
    });
}

/// Adds the losses of CTF packets that are not indexed yet, as the headers of these packets report them.
void addClaimedLosses(const TimelineTrace& t, std::uint32_t trace, TimeRange window, std::vector<LossRange>& all)
{
    const HostTimestamp known = t.facts ? t.facts->knownUntil() : HostTimestamp::min();
    for (const StreamInfo& stream : t.trace->streams())
        for (const PacketInfo& packet : stream.packets)
            if (packet.discarded > 0 && packet.range && packet.range->end > known)
                if (const TimeRange range = t.clock(*packet.range); range.overlaps(window))
                    all.push_back({range, packet.discarded, packet.cpu, trace});
}

/// Splits a range into ranges in which the clock has a constant rate: at the points (ClockPoint) of the clock.
std::vector<HostRange> linearRangesOf(const ClockTransform& clock, HostRange range)
{
    std::vector<HostRange> ranges{range};
    for (const ClockPoint& point : clock.points())
        if (point.host > ranges.back().begin && point.host < range.end) {
            ranges.back().end = point.host;
            ranges.push_back({point.host, range.end});
        }
    return ranges;
}

/// Converts durations on the host's clock to durations on the time axis, for a range in which the clock's rate is constant.
class Scale {
public:
    Scale(const ClockTransform& clock, HostRange range)
        : m_rate(static_cast<long double>((clock(range.end) - clock(range.begin)).count())
                 / static_cast<long double>((range.end - range.begin).count()))
    {
    }
    Duration operator()(Duration own) const { return Duration(std::llround(static_cast<long double>(own.count()) * m_rate)); }

private:
    long double m_rate;
};

/// Converts totals from the host's clock to the experiment's clock, which may run at a different rate. Because the rate can change
/// within the range, total times are converted separately for each part with a constant rate. Minimum and maximum are converted with
/// the mean rate over the range, because it is unknown when these intervals occurred.
void convertTotalsToAxis(std::vector<StateTotal>& sums, const Store& store, TrackId track, const ClockTransform& clock, HostRange range)
{
    const Track& row = store.tracks()[static_cast<std::size_t>(track)];
    range = {std::max(range.begin, row.life.begin), std::min(range.end, row.life.end)};
    if (range.begin >= range.end)
        return;
    const Scale all(clock, range);
    for (StateTotal& sum : sums)
        sum = {sum.state, sum.count, Duration(0), all(sum.min), all(sum.max)};
    for (const HostRange& linearRange : linearRangesOf(clock, range)) {
        const Scale here(clock, linearRange);
        for (const StateTotal& part : store.totals(track, linearRange))
            if (const auto sum = std::ranges::find(sums, part.state, &StateTotal::state); sum != sums.end())
                sum->total += here(part.total);
    }
}

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

/// Distributes the time with unknown states according to samples of CPU time. A sample represents the period that ends at its time.
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

/// Roles of the attribute tracks that consist of ticks: one tick for each sample or event.
constexpr std::array TickRoles{TrackRole::SamplesUser, TrackRole::SamplesKernel, TrackRole::SamplesOther, TrackRole::SamplesEvents,
                               TrackRole::Events};

/// True if the row has a sample or an event in `window`.
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

/// CPU use of a row in a time range, computed from the row's states. If no state is known (`time.isKnown` is false), callers estimate the
/// CPU use from samples.
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

/// Returns the range covered by the row's trace. A correlator's row that shows the contents of a trace's row counts as a row of that
/// trace.
TimeRange coveredOf(const Timeline& timeline, TrackRef track)
{
    const auto note = noteOf(timeline, track);
    return coveredRange(timeline, note ? note->trace : traceOf(timeline, track));
}

} // namespace

Duration meanOf(Duration total, std::uint64_t count)
{
    const auto n = static_cast<std::int64_t>(std::max<std::uint64_t>(1, count));
    const auto sum = total.count();
    if (sum < 0)
        return Duration(sum / n - (-(sum % n) >= n + sum % n));
    return Duration(sum / n + (sum % n >= n - sum % n));
}

std::uint64_t countIntervalsBefore(const Timeline& timeline, TrackRef track, Timestamp at)
{
    std::uint64_t count = 0;
    for (const StateTotal& total : totals(timeline, track, {Timestamp::min(), at}))
        count += total.count;
    return count;
}

bool hasDriftingClock(const Timeline& timeline, TrackRef track)
{
    return storeOf(timeline, track) && clockOf(timeline, track.store).drifts();
}

std::vector<StateTotal> totals(const Timeline& timeline, TrackRef track, TimeRange range)
{
    const Store* store = storeOf(timeline, track);
    if (!store)
        return {};
    const ClockTransform& clock = clockOf(timeline, track.store);
    const HostRange all = clock.inverse(range);
    std::vector<StateTotal> sums = store->totals(track.track, all);
    if (clock.drifts() && !sums.empty())
        convertTotalsToAxis(sums, *store, track.track, clock, all);
    return sums;
}

std::vector<double> eventDensity(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets)
{
    std::vector<double> counts(buckets);
    if (window.isEmpty())
        return counts;
    for (const TimelineTrace& t : timeline.traces) {
        if (t.host != host)
            continue;
        const auto addEvents = [&](HostRange range, double events) {
            const double whole = double(range.duration().count()) * double(buckets) / double(window.duration().count());
            spread(t.clock(range), window, buckets, [&](std::size_t b, double part) { counts[b] += events * part / whole; });
        };
        if (t.facts)
            addCounted(*t.facts, addEvents);
        if (t.trace && !(t.facts && t.facts->isComplete()))
            addClaimed(t, addEvents);
    }
    return counts;
}

std::vector<LossRange> losses(const Timeline& timeline, TimeRange window)
{
    std::vector<LossRange> all;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        if (t.facts)
            for (const Loss& loss : t.facts->losses())
                if (const TimeRange range = t.clock(loss.range); range.overlaps(window))
                    all.push_back({range, loss.events, loss.cpu, i, loss.packets});
        if (t.trace && !(t.facts && t.facts->isComplete()))
            addClaimedLosses(t, i, window, all);
    }
    return all;
}

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
    // CPU times estimated from samples. Computed for the first row without recorded states, because most traces do not need them.
    std::unique_ptr<const EstimatedCpuTimes> sampled;
    UnrecordedRuns unseen(timeline, window);
    for (const TrackRef track : tracks) {
        if (stop.stop_requested())
            break;
        // Exclude time that is not indexed yet, because it would count as idle.
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
    // Distribute the remaining unknown time in a second loop, because the samples may be in other stores than the states.
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
