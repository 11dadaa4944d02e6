#include "core/query/rows/timeline_access.h"

#include "core/query/rows/row_notes.h"

#include <algorithm>

namespace helio {

const Store* storeOf(const Timeline& timeline, TrackRef ref)
{
    const auto index = static_cast<std::size_t>(ref.store);
    const Store* store = index < timeline.stores.size() ? timeline.stores[index].store.get() : nullptr;
    return store && static_cast<std::size_t>(ref.track) < store->tracks().size() ? store : nullptr;
}

std::weak_ptr<const Store> ownerOf(const Timeline& timeline, TrackRef ref)
{
    return storeOf(timeline, ref) ? timeline.stores[static_cast<std::size_t>(ref.store)].store : nullptr;
}

const Track* trackOf(const Timeline& timeline, TrackRef ref)
{
    const Store* store = storeOf(timeline, ref);
    return store ? &store->tracks()[static_cast<std::size_t>(ref.track)] : nullptr;
}

std::uint32_t traceOf(const Timeline& timeline, TrackRef ref)
{
    const auto index = static_cast<std::size_t>(ref.store);
    if (const auto note = noteOf(timeline, ref))
        return note->trace;
    return index < timeline.stores.size() ? timeline.stores[index].trace : static_cast<std::uint32_t>(timeline.traces.size());
}

const Store& storeAt(const Timeline& timeline, StoreIndex store) { return *timeline.stores[static_cast<std::size_t>(store)].store; }

std::uint32_t traceOf(const Timeline& timeline, StoreIndex store) { return timeline.stores[static_cast<std::size_t>(store)].trace; }

const ClockTransform& clockOf(const Timeline& timeline, StoreIndex store)
{
    static const ClockTransform none;
    const TimelineStore& it = timeline.stores[static_cast<std::size_t>(store)];
    return it.isFromCorrelator ? none : timeline.traces[it.trace].clock;
}

HostTimestamp lastNotAfter(const ClockTransform& clock, Timestamp at)
{
    if (at == Timestamp::max())
        return HostTimestamp::max();
    const HostTimestamp next = clock.inverse(at + Duration(1));
    return next == HostTimestamp::min() ? next : next - Duration(1);
}

bool isOfAllTraces(const Timeline& timeline, StoreIndex store)
{
    const auto place = static_cast<std::size_t>(store);
    return place < timeline.stores.size() && timeline.stores[place].isOfAll;
}

std::span<const LinkKindInfo> linkKindsOf(const Timeline& timeline, StoreIndex index)
{
    const auto place = static_cast<std::size_t>(index);
    return place < timeline.stores.size() && timeline.stores[place].store ? timeline.stores[place].store->linkKinds()
                                                                          : std::span<const LinkKindInfo>();
}

const InterTraceLinks* crossLinksOf(const Timeline& timeline, RelationIndex relation)
{
    const auto place = static_cast<std::size_t>(relation);
    return place < timeline.relations.size() && timeline.relations[place] ? &timeline.relations[place]->links : nullptr;
}

std::span<const Module> modulesOf(const Timeline& timeline, StoreIndex index)
{
    const auto place = static_cast<std::size_t>(index);
    if (place >= timeline.stores.size())
        return {};
    const TimelineStore& it = timeline.stores[place];
    if (it.store && !it.store->modules().empty())
        return it.store->modules();
    const auto& trace = timeline.traces[it.trace].trace;
    return trace ? trace->modules() : std::span<const Module>();
}

const Module* moduleAt(const Timeline& timeline, StoreIndex store, ModuleId module)
{
    const auto modules = modulesOf(timeline, store);
    const auto index = static_cast<std::size_t>(module);
    return index < modules.size() ? &modules[index] : nullptr;
}

StoreIndex storeWithSamples(const Timeline& timeline, std::uint32_t trace)
{
    auto found = static_cast<StoreIndex>(timeline.stores.size());
    forEachStoreOf(timeline, trace, [&](StoreIndex index, const Store& store) {
        const bool isFirst = static_cast<std::size_t>(found) == timeline.stores.size();
        if (isFirst && !store.samples().kinds().empty())
            found = index;
    });
    return found;
}

const CounterSet& countersIn(const Timeline& timeline, StoreIndex index)
{
    const auto place = static_cast<std::size_t>(index);
    return place < timeline.stores.size() && timeline.stores[place].store ? timeline.stores[place].store->counters() : noCounters();
}

const SampleSet& samplesIn(const Timeline& timeline, StoreIndex index)
{
    const auto place = static_cast<std::size_t>(index);
    return place < timeline.stores.size() && timeline.stores[place].store ? timeline.stores[place].store->samples() : noSamples();
}

const SegmentSet& segmentsIn(const Timeline& timeline, StoreIndex index)
{
    const auto place = static_cast<std::size_t>(index);
    return place < timeline.stores.size() && timeline.stores[place].store ? timeline.stores[place].store->segments() : noSegments();
}

RowStates rowStates(const Timeline& timeline, TrackRef row) { return {&statesOf(timeline, row), ownerOf(timeline, row)}; }

std::vector<HostRange> hostRanges(const std::vector<TimeRange>& ranges, const ClockTransform& clock)
{
    if (ranges.empty())
        return {{HostTimestamp::min(), HostTimestamp::max()}};
    std::vector<HostRange> sorted;
    for (const TimeRange& range : ranges)
        if (!range.isEmpty())
            sorted.push_back(clock.inverse(range));
    std::ranges::sort(sorted, {}, &HostRange::begin);
    std::vector<HostRange> apart;
    for (const HostRange& range : sorted) {
        if (!apart.empty() && range.begin <= apart.back().end)
            apart.back().end = std::max(apart.back().end, range.end);
        else
            apart.push_back(range);
    }
    return apart;
}

void forEachRowInterval(const Timeline& timeline, const Row& row, TimeRange window, const std::function<void(const Interval&)>& take,
                        std::stop_token stop)
{
    constexpr std::uint64_t PartSize = 65'536;
    const TimeRange all = row.life.clippedTo(window);
    if (all.isEmpty())
        return;
    const auto parts = static_cast<std::int64_t>(row.intervals / PartSize + 1);
    const Duration step = std::max(Duration(1), all.duration() / parts);
    for (Timestamp begin = all.begin; begin < all.end && !stop.stop_requested();) {
        const Timestamp end = all.end - begin > 2 * step ? begin + step : all.end;
        for (Interval interval : intervals(timeline, row.ref, {begin, end}, stop)) {
            // The range is read in parts. Skip an interval that begins before this part, because it was passed to `take` with an earlier
            // part.
            if (interval.range.begin < begin && begin != all.begin)
                continue;
            interval.range = interval.range.clippedTo(all);
            if (!interval.range.isEmpty())
                take(interval);
        }
        begin = end;
    }
}

} // namespace helio
