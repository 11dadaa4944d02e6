#include "core/query/rows/statistics.h"

#include "core/query/rows/buckets.h"
#include "core/query/rows/composed.h"

#include <algorithm>

namespace helio {
namespace {

/// The events that were counted. All buckets are as long as the first; the last may be cut by the trace's end, which only spreads its
/// events a little.
template <typename Add> void addCounted(const TraceFacts& facts, const Add& add)
{
    const auto density = facts.density();
    const Duration length = density.size() > 1 ? density[1].begin - density[0].begin : Duration(1);
    for (const DensityBucket& bucket : density)
        add(HostRange{bucket.begin, bucket.begin + length}, double(bucket.events));
}

/// An event's share of a packet where none was counted yet, header and all: kernel events have 20 to 40 bytes.
constexpr double BitsOfAnEvent = 256;

/// The events that packets not yet read may hold, by their size: as many a bit as in those that were read.
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

/// Losses that packets not yet read report.
void addClaimedLosses(const TimelineTrace& t, std::uint32_t trace, TimeRange window, std::vector<LossRange>& all)
{
    const HostTimestamp known = t.facts ? t.facts->knownUntil() : HostTimestamp::min();
    for (const StreamInfo& stream : t.trace->streams())
        for (const PacketInfo& packet : stream.packets)
            if (packet.discarded > 0 && packet.range && packet.range->end > known)
                if (const TimeRange range = t.clock(*packet.range); range.overlaps(window))
                    all.push_back({range, packet.discarded, packet.cpu, trace});
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

std::vector<StateTotal> totals(const Timeline& timeline, TrackRef track, TimeRange range)
{
    const Store* store = storeOf(timeline, track);
    return store ? store->totals(track.track, clockOf(timeline, track.store).inverse(range)) : std::vector<StateTotal>();
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
                    all.push_back({range, loss.events, loss.cpu, i});
        if (t.trace && !(t.facts && t.facts->isComplete()))
            addClaimedLosses(t, i, window, all);
    }
    return all;
}

} // namespace helio
