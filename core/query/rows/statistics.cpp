#include "core/query/rows/statistics.h"

#include "core/query/rows/buckets.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

/// Adds the counted events of each bucket. All buckets are as long as the first; the trace's end may cut the last one, which only spreads
/// its events a little.
template <typename Add> void addCounted(const TraceFacts& facts, const Add& add)
{
    const auto density = facts.density();
    const Duration length = density.size() > 1 ? density[1].begin - density[0].begin : Duration(1);
    for (const DensityBucket& bucket : density)
        add(HostRange{bucket.begin, bucket.begin + length}, double(bucket.events));
}

/// Assumed bits of an event, including packet headers, until events were counted: kernel events have 20 to 40 bytes.
constexpr double BitsOfAnEvent = 256;

/// Estimates the events of packets not read yet by their size: as many a bit as in the packets that were read.
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

/// Adds the losses that packets not read yet report.
void addClaimedLosses(const TimelineTrace& t, std::uint32_t trace, TimeRange window, std::vector<LossRange>& all)
{
    const HostTimestamp known = t.facts ? t.facts->knownUntil() : HostTimestamp::min();
    for (const StreamInfo& stream : t.trace->streams())
        for (const PacketInfo& packet : stream.packets)
            if (packet.discarded > 0 && packet.range && packet.range->end > known)
                if (const TimeRange range = t.clock(*packet.range); range.overlaps(window))
                    all.push_back({range, packet.discarded, packet.cpu, trace});
}

/// Divides a range at the clock's points, so that the clock has a constant rate in each part.
std::vector<HostRange> stretchesOf(const ClockTransform& clock, HostRange range)
{
    std::vector<HostRange> stretches{range};
    for (const ClockPoint& point : clock.points())
        if (point.host > stretches.back().begin && point.host < range.end) {
            stretches.back().end = point.host;
            stretches.push_back({point.host, range.end});
        }
    return stretches;
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

/// Converts totals to the time axis if the clock drifts. Minimum and maximum are converted with the mean rate of the range.
void takeOnAxis(std::vector<StateTotal>& sums, const Store& store, TrackId track, const ClockTransform& clock, HostRange range)
{
    const Track& row = store.tracks()[static_cast<std::size_t>(track)];
    range = {std::max(range.begin, row.life.begin), std::min(range.end, row.life.end)};
    if (range.begin >= range.end)
        return;
    const Scale all(clock, range);
    for (StateTotal& sum : sums)
        sum = {sum.state, sum.count, Duration(0), all(sum.min), all(sum.max)};
    for (const HostRange& stretch : stretchesOf(clock, range)) {
        const Scale here(clock, stretch);
        for (const StateTotal& part : store.totals(track, stretch))
            if (const auto sum = std::ranges::find(sums, part.state, &StateTotal::state); sum != sums.end())
                sum->total += here(part.total);
    }
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
        takeOnAxis(sums, *store, track.track, clock, all);
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

} // namespace helio
