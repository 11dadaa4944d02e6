#include "core/query/segments/call_at.h"

#include "core/query/rows/timeline_access.h"

#include <unordered_map>

namespace helio {
namespace {

/// Calls `take` for the calls of a row's thread that overlap a range, in order, until it returns false.
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

TrackId threadTrack(const Store& store, TrackId track)
{
    const auto tracks = store.tracks();
    const auto at = static_cast<std::size_t>(track);
    if (at >= tracks.size())
        return NoTrack;
    const bool isDepth = tracks[at].valueKind == ValueKind::Frame;
    return isDepth && tracks[at].parent != NoTrack ? tracks[at].parent : track;
}

std::optional<Segment> callAt(const Timeline& timeline, TrackRef row, Timestamp at)
{
    std::optional<Segment> found;
    if (!storeOf(timeline, row) || at == Timestamp::max())
        return found;
    const HostTimestamp here = lastNotAfter(clockOf(timeline, row.store), at);
    eachCallOfThread(timeline, row, momentOf(here), [&](const Segment& call) {
        if (call.recorded.track == row.track && call.recorded.begin <= here && here < call.recorded.end)
            found = call;
        return !found;
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
