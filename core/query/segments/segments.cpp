#include "core/query/segments/segments.h"

#include "core/event_model/call_stacks.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/timeline_access.h"
#include "core/store/store.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace helio {
namespace {

Timestamp nextNanosecond(Timestamp at) { return at == Timestamp::max() ? at : at + Duration(1); }

/// A store with segments of the queried kind.
struct Source {
    StoreIndex store;
    const SegmentSet& set;
    SegmentKindId kind;
    const ClockTransform& clock;

    Segment of(const HostSegment& it) const { return {clock(HostRange{it.begin, it.end}), store, it}; }
    std::optional<Segment> of(const std::optional<HostSegment>& it) const { return it ? std::optional(of(*it)) : std::nullopt; }

    /// Returns a position in the order of this store's segments: after all segments that begin before `at`, and before all
    /// segments that begin at `at` or later.
    HostSegment before(Timestamp at) const { return {clock.inverse(at), HostTimestamp::min(), INT64_MIN, StringId{}, TrackId{}, kind}; }
    /// Returns the position of `it` in the order of this store's segments. If `it` is from another store, the position is between two
    /// segments of this store.
    HostSegment placeOf(const Segment& it) const
    {
        return it.store == store ? it.recorded : before(it.store < store ? it.range.begin : nextNanosecond(it.range.begin));
    }
};

/// Returns the stores that have segments of the kind, in the order of the stores.
std::vector<Source> sourcesOf(const Timeline& timeline, std::string_view kind)
{
    std::vector<Source> sources;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        const auto kinds = store.segments().kinds();
        const auto found = std::ranges::find(kinds, kind, &SegmentKind::id);
        if (found != kinds.end())
            sources.push_back(
                {index, store.segments(), SegmentKindId{static_cast<std::uint8_t>(found - kinds.begin())}, clockOf(timeline, index)});
    });
    return sources;
}

bool beginsEarlier(const Segment& a, const Segment& b) { return std::pair(a.range.begin, a.store) < std::pair(b.range.begin, b.store); }
bool beginsLater(const Segment& a, const Segment& b) { return beginsEarlier(b, a); }

/// Returns the part of the range in which segments of the stores begin. A segment that begins before the range and ends in it counts as
/// beginning at the range's start.
TimeRange beginsIn(const std::vector<Source>& sources, TimeRange range)
{
    TimeRange all{Timestamp::max(), Timestamp::min()};
    for (const Source& source : sources) {
        if (const auto first = source.set.next(source.before(Timestamp::min())))
            all.begin = std::min(all.begin, source.clock(first->begin));
        if (const auto last = source.set.previous(source.kind, HostTimestamp::max()))
            all.end = std::max(all.end, nextNanosecond(source.clock(last->begin)));
    }
    const Timestamp begin = std::max(all.begin, range.begin);
    return {begin, std::min(range.end, std::max(all.end, nextNanosecond(begin)))};
}

/// Returns the segments that begin in a part of the range, in order. If `isFirst`, also returns the segments that begin before the
/// part and end in it or later.
std::vector<Segment> beganIn(const std::vector<Source>& sources, TimeRange part, bool isFirst, const std::stop_token& stop)
{
    std::vector<Segment> all;
    for (const Source& source : sources)
        source.set.visit(
            source.kind, source.clock.inverse(part),
            [&](std::span<const HostSegment> some) {
                for (const HostSegment& it : some)
                    if (Segment segment = source.of(it); isFirst || segment.range.begin >= part.begin)
                        all.push_back(segment);
            },
            stop);
    // Use a stable sort, so that segments with equal begins stay in the order of the stores.
    std::ranges::stable_sort(all, beginsEarlier);
    return all;
}

/// Returns the nearest segment of all stores. find(source) searches one store; isBetter(a, b) is true if `a` is nearer.
template <typename Find, typename IsBetter>
std::optional<Segment> nearest(const Timeline& timeline, std::string_view kind, const Find& find, const IsBetter& isBetter)
{
    std::optional<Segment> best;
    for (const Source& source : sourcesOf(timeline, kind))
        if (const std::optional<Segment> found = source.of(find(source)); found && (!best || isBetter(*found, *best)))
            best = found;
    return best;
}

/// Calls `take` for each call of a row's thread that overlaps a range, in order, until `take` returns false.
template <typename Take> void eachCallOfThread(const Timeline& timeline, TrackRef row, HostRange range, const Take& take)
{
    const Store* const store = storeOf(timeline, row);
    if (!store)
        return;
    const TrackId thread = threadTrack(*store, row.track);
    const ClockTransform& clock = clockOf(timeline, row.store);
    const auto kinds = store->segments().kinds();
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (!kinds[i].areCalls)
            continue;
        std::stop_source found;
        const auto some = [&](std::span<const HostSegment> calls) {
            for (const HostSegment& it : calls)
                if (!found.stop_requested() && threadTrack(*store, it.track) == thread
                    && !take(Segment{clock(HostRange{it.begin, it.end}), row.store, it}))
                    found.request_stop();
        };
        store->segments().visit(SegmentKindId{static_cast<std::uint8_t>(i)}, range, some, found.get_token());
    }
}

HostRange momentOf(HostTimestamp at) { return {at, at == HostTimestamp::max() ? at : at + Duration(1)}; }

StackId callerStack(const Timeline& timeline, StoreIndex store, StackId stack)
{
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    return static_cast<std::size_t>(stack) < nodes.size() ? nodes[static_cast<std::size_t>(stack)].parent() : NoStack;
}

bool holds(const HostSegment& caller, const HostSegment& call) { return caller.begin <= call.begin && call.end <= caller.end; }

} // namespace

std::vector<SegmentKind> segmentKinds(const Timeline& timeline)
{
    std::vector<SegmentKind> all;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        for (const SegmentKind& kind : store.segments().kinds())
            if (std::ranges::find(all, kind.id, &SegmentKind::id) == all.end())
                all.push_back(kind);
    });
    return all;
}

std::optional<SegmentKind> findSegmentKind(const Timeline& timeline, std::string_view kind)
{
    const auto all = segmentKinds(timeline);
    const auto found = std::ranges::find(all, kind, &SegmentKind::id);
    return found != all.end() ? std::optional(*found) : std::nullopt;
}

std::string_view kindOf(const Timeline& timeline, const Segment& segment)
{
    const auto kinds = segmentsIn(timeline, segment.store).kinds();
    const auto index = static_cast<std::size_t>(segment.recorded.kind);
    return index < kinds.size() ? std::string_view(kinds[index].id) : std::string_view();
}

std::string_view nameOf(const Timeline& timeline, const Segment& segment)
{
    return storeAt(timeline, segment.store).text(segment.recorded.name);
}

std::string_view fieldsOf(const Timeline& timeline, const Segment& segment)
{
    const auto kinds = segmentsIn(timeline, segment.store).kinds();
    const auto kind = static_cast<std::size_t>(segment.recorded.kind);
    if (kind >= kinds.size() || !kinds[kind].hasFields)
        return {};
    return storeAt(timeline, segment.store).text(StringId{static_cast<std::uint32_t>(segment.recorded.value)});
}

Row rowOf(const Timeline& timeline, const Segment& segment)
{
    if (auto row = rowOf(timeline, segment.row()))
        return *row;
    Row row;
    row.trace = traceOf(timeline, segment.store);
    row.host = timeline.traces[row.trace].host;
    if (const Track* track = trackOf(timeline, segment.row())) {
        row.ref = segment.row();
        row.id = track->key;
        row.label = track->label;
        row.pid = track->pid;
        row.tid = track->tid;
        row.cpu = track->cpu;
    }
    return row;
}

void forEachSegment(const Timeline& timeline, std::string_view kind, TimeRange range, const std::function<void(const Segment&)>& take,
                    std::stop_token stop)
{
    constexpr std::uint64_t PartSize = 65'536;
    const auto sources = sourcesOf(timeline, kind);
    if (sources.size() == 1) {
        const auto takeAll = [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some)
                take(sources.front().of(it));
        };
        return sources.front().set.visit(sources.front().kind, sources.front().clock.inverse(range), takeAll, stop);
    }
    const TimeRange all = beginsIn(sources, range);
    const auto parts = static_cast<std::int64_t>(segmentSum(timeline, kind).count / PartSize + 1);
    const Duration step = std::max(Duration(1), lengthOf(all) / parts);
    for (Timestamp begin = all.begin; begin < all.end && !stop.stop_requested();) {
        const Timestamp end = lengthOf({begin, all.end}) / 2 > step ? begin + step : all.end;
        for (const Segment& segment : beganIn(sources, {begin, end}, begin == all.begin, stop))
            take(segment);
        begin = end;
    }
}

SegmentSum segmentSum(const Timeline& timeline, std::string_view kind)
{
    SegmentSum sum;
    for (const Source& source : sourcesOf(timeline, kind))
        sum.add(source.set.sum(source.kind));
    return sum;
}

std::optional<Segment> nextSegment(const Timeline& timeline, const Segment& segment)
{
    const auto find = [&](const Source& source) { return source.set.next(source.placeOf(segment)); };
    return nearest(timeline, kindOf(timeline, segment), find, beginsEarlier);
}

std::optional<Segment> previousSegment(const Timeline& timeline, const Segment& segment)
{
    const auto find = [&](const Source& source) { return source.set.previous(source.placeOf(segment)); };
    return nearest(timeline, kindOf(timeline, segment), find, beginsLater);
}

std::optional<Segment> nextSegment(const Timeline& timeline, std::string_view kind, Timestamp at)
{
    if (at == Timestamp::max())
        return {};
    return nearest(
        timeline, kind, [&](const Source& source) { return source.set.next(source.before(nextNanosecond(at))); }, beginsEarlier);
}

std::optional<Segment> previousSegment(const Timeline& timeline, std::string_view kind, Timestamp at)
{
    return nearest(
        timeline, kind, [&](const Source& source) { return source.set.previous(source.before(at)); }, beginsLater);
}

TrackId threadTrack(const Store& store, TrackId track)
{
    const auto tracks = store.tracks();
    const auto at = static_cast<std::size_t>(track);
    if (at >= tracks.size())
        return NoTrack;
    const bool isDepth = tracks[at].valueKind == ValueKind::Frame;
    return isDepth && tracks[at].parent != NoTrack ? tracks[at].parent : track;
}

bool isCallTick(const Timeline& timeline, TrackRef row, State state)
{
    return state == calls::WithoutDuration && statesOf(timeline, row).id == calls::CallStates;
}

std::optional<Segment> callAt(const Timeline& timeline, TrackRef row, Timestamp at)
{
    std::optional<Segment> found;
    const Store* const store = storeOf(timeline, row);
    if (!store || at == Timestamp::max())
        return found;
    const HostTimestamp here = lastNotAfter(clockOf(timeline, row.store), at);
    const auto shown = store->intervalAt(row.track, here);
    const bool isTick = !shown.empty() && isCallTick(timeline, row, shown.front().state);
    const auto isShown = [&](const HostSegment& call) {
        if (isTick)
            return call.begin == call.end && call.begin <= here && call.stack() == StackId{shown.front().value};
        return call.begin <= here && here < call.end;
    };
    const HostRange range{isTick ? here - calls::TickReach : here, momentOf(here).end};
    eachCallOfThread(timeline, row, range, [&](const Segment& call) {
        if (call.recorded.track == row.track && isShown(call.recorded))
            found = call;
        return !found || isTick; // The last call before a tick is the nearest one.
    });
    return found;
}

std::vector<Segment> callersOf(const Timeline& timeline, const Segment& call)
{
    std::unordered_map<StackId, Segment> open;
    eachCallOfThread(timeline, call.row(), momentOf(call.recorded.begin), [&](const Segment& it) {
        if (holds(it.recorded, call.recorded))
            open.try_emplace(it.recorded.stack(), it);
        return true;
    });
    std::vector<Segment> callers;
    for (StackId stack = call.recorded.stack(); (stack = callerStack(timeline, call.store, stack)) != NoStack;) {
        const auto caller = open.find(stack);
        if (caller == open.end())
            break;
        callers.push_back(caller->second);
    }
    return callers;
}

} // namespace helio
