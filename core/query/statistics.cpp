#include "core/query/statistics.h"

#include "core/experiment/timeline.h"

#include <algorithm>
#include <bit>

namespace helio {
namespace {

enum class Use : std::uint8_t { None, User, Kernel, Interrupt, Unknown };

/// What a state of a thread or CPU row means for the use of the CPU.
Use useOf(std::string_view state)
{
    if (state == "running-user" || state == "running" || state == "user")
        return Use::User;
    if (state == "running-syscall" || state == "running-kernel" || state == "page-fault" || state == "exiting" || state == "syscall"
        || state == "kernel")
        return Use::Kernel;
    if (state == "interrupted" || state == "irq" || state == "softirq")
        return Use::Interrupt;
    return state == "unknown" ? Use::Unknown : Use::None;
}

std::vector<Use> usesOf(const StateSet& set)
{
    std::vector<Use> uses(32, Use::None);
    for (std::size_t i = 0; i < set.states.size() && i < uses.size(); ++i)
        uses[i] = useOf(set.states[i]);
    return uses;
}

/// Adds `amount` of a bucketed quantity that lies evenly over `range`.
template <typename Add>
void spread(TimeRange range, TimeRange window, std::size_t buckets, const Add& add)
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

void addCpu(const Timeline& timeline, TrackRef cpu, TimeRange window, std::size_t buckets, std::vector<CpuUse>& sums, std::stop_token stop)
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

/// The events that were counted. All buckets are as long as the first; the last may be cut by the trace's end, which only spreads its events
/// a little.
template <typename Add> void addCounted(const Store& store, const Add& add)
{
    const auto density = store.density();
    const Duration length = density.size() > 1 ? density[1].begin - density[0].begin : Duration(1);
    for (const DensityBucket& bucket : density)
        add(HostRange{bucket.begin, bucket.begin + length}, double(bucket.events));
}

/// An event's share of a packet where none was counted yet, header and all: kernel events have 20 to 40 bytes.
constexpr double BitsOfAnEvent = 256;

/// The events that packets not yet read may hold, by their size: as many a bit as in those that were read.
template <typename Add> void addClaimed(const TimelineTrace& t, const Add& add)
{
    const HostTimestamp known = t.store ? t.store->knownUntil() : HostTimestamp::min();
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
    if (t.store)
        forEachPacket([&](HostRange range, double bits) { bitsRead += bits * (1 - shareAfter(range, known)); });
    const double events = t.store ? double(t.store->summary().events) : 0;
    const double bitsOfEvent = events > 0 && bitsRead > 0 ? bitsRead / events : BitsOfAnEvent;
    forEachPacket([&](HostRange range, double bits) {
        if (range.end > known)
            add(HostRange{std::max(range.begin, known), range.end}, bits * shareAfter(range, known) / bitsOfEvent);
    });
}

/// Losses that packets not yet read tell of.
void addClaimedLosses(const TimelineTrace& t, std::uint32_t trace, TimeRange window, std::vector<LossRange>& all)
{
    const HostTimestamp known = t.store ? t.store->knownUntil() : HostTimestamp::min();
    for (const StreamInfo& stream : t.trace->streams())
        for (const PacketInfo& packet : stream.packets)
            if (packet.discarded > 0 && packet.range && packet.range->end > known)
                if (const TimeRange range = t.clock(*packet.range); range.overlaps(window))
                    all.push_back({range, packet.discarded, packet.cpu, trace});
}

} // namespace

std::vector<StateTotal> totals(const Timeline& timeline, TrackRef track, TimeRange range)
{
    if (track.trace >= timeline.traces.size() || !timeline.traces[track.trace].store)
        return {};
    const TimelineTrace& t = timeline.traces[track.trace];
    return t.store->totals(track.track, t.clock.inverse(range));
}

double busyShare(const Timeline& timeline, TrackRef track, TimeRange range)
{
    if (range.isEmpty())
        return 0;
    const std::vector<Use> uses = usesOf(statesOf(timeline, track));
    Duration busy{};
    for (const StateTotal& total : totals(timeline, track, range)) {
        const Use use = uses[static_cast<std::size_t>(total.state) & 31];
        if (use != Use::None && use != Use::Unknown)
            busy += total.total;
    }
    return double(busy.count()) / double(range.duration().count());
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
        if (t.store)
            addCounted(*t.store, addEvents);
        if (t.trace && !(t.store && t.store->isComplete()))
            addClaimed(t, addEvents);
    }
    return counts;
}

std::vector<CpuUse> cpuUse(const Timeline& timeline, std::uint32_t host, TimeRange window, std::size_t buckets, std::stop_token stop)
{
    std::vector<CpuUse> sums(buckets);
    if (window.isEmpty() || buckets == 0)
        return sums;
    std::size_t cpus = 0;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        if (t.host != host || !t.store)
            continue;
        const auto tracks = t.store->tracks();
        for (std::uint32_t n = 0; n < tracks.size(); ++n) {
            if (tracks[n].kind != "cpu")
                continue;
            ++cpus;
            addCpu(timeline, {i, TrackId{n}}, window, buckets, sums, stop);
        }
    }
    for (CpuUse& use : sums) {
        use.user /= float(std::max<std::size_t>(1, cpus));
        use.kernel /= float(std::max<std::size_t>(1, cpus));
        use.interrupt /= float(std::max<std::size_t>(1, cpus));
        use.unknown /= float(std::max<std::size_t>(1, cpus));
    }
    return sums;
}

std::vector<LossRange> losses(const Timeline& timeline, TimeRange window)
{
    std::vector<LossRange> all;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        if (t.store)
            for (const Loss& loss : t.store->losses())
                if (const TimeRange range = t.clock(loss.range); range.overlaps(window))
                    all.push_back({range, loss.events, loss.cpu, i});
        if (t.trace && !(t.store && t.store->isComplete()))
            addClaimedLosses(t, i, window, all);
    }
    return all;
}

} // namespace helio
