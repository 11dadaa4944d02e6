#include "core/query/path/requests.h"

#include "core/query/calls/call_names.h"
#include "core/query/pieces/pieces.h"
#include "core/query/rows/causes.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/thread_clock.h"
#include "core/query/segments/segments.h"

#include <charconv>
#include <unordered_map>

namespace helio {
namespace {

/// The threads that rows are of: those of one TID are several lives, of which a range chooses one.
class ThreadsOfRows {
public:
    ThreadsOfRows(const Timeline& timeline, const std::stop_token& stop)
        : m_timeline(timeline)
        , m_clocks(timeline, {Timestamp::min(), Timestamp::max()}, stop)
    {
    }
    TrackRef of(TrackRef row, TimeRange range)
    {
        const TrackRef thread = row.isValid() ? m_clocks.rowOf(row, range) : TrackRef();
        return thread.isValid() || !row.isValid() ? thread
                                                  : m_others.try_emplace(row, pathThread(m_timeline, row, range.begin)).first->second;
    }

private:
    const Timeline& m_timeline;
    ThreadClocks m_clocks;
    std::unordered_map<TrackRef, TrackRef, TrackRefHash> m_others; ///< Rows without a TID.
};

/// Of a segment on no row: as its fields say.
TrackRef threadInFields(const Timeline& timeline, const Segment& segment)
{
    constexpr std::string_view Tid = "tid=";
    const std::string_view fields = fieldsOf(timeline, segment);
    std::size_t at = fields.starts_with(Tid) ? 0 : fields.find(';' + std::string(Tid));
    if (at == std::string_view::npos)
        return {};
    at += fields.starts_with(Tid) ? Tid.size() : Tid.size() + 1;
    std::int64_t tid = -1;
    std::from_chars(fields.data() + at, fields.data() + fields.size(), tid);
    return threadRow(timeline, traceOf(timeline, segment.store), tid, segment.range.begin);
}

void addParts(const Timeline& timeline, RequestPath& request, const std::stop_token& stop)
{
    for (const PathStretch& it : criticalPath(timeline, request.thread, request.range, stop).stretches)
        request.parts[static_cast<std::size_t>(it.kind)] += it.range.duration();
}

} // namespace

std::vector<RequestKind> requestKinds(const Timeline& timeline)
{
    std::vector<RequestKind> all;
    for (const bool areCalls : {true, false})
        for (const SegmentKind& kind : segmentKinds(timeline))
            if (kind.areCalls == areCalls)
                all.push_back({kind.id, kind.title});
    return all;
}

void eachRequestPath(const Timeline& timeline, std::string_view kind, std::string_view name, TimeRange window,
                     const std::function<void(RequestPath&&)>& take, std::stop_token stop)
{
    ThreadsOfRows threads(timeline, stop);
    const auto found = findSegmentKind(timeline, kind);
    const bool areCalls = found && found->hasFrames;
    const std::optional<CallNames> names = areCalls ? std::optional<CallNames>(std::in_place, timeline, stop) : std::nullopt;
    eachSegment(
        timeline, kind, window,
        [&](const Segment& segment) {
            if (stop.stop_requested() || segment.range.begin < window.begin || segment.range.end > window.end || segment.range.isEmpty())
                return;
            RequestPath request{segment.range, segment.row(), threads.of(segment.row(), segment.range), {}, {}};
            if (!request.thread.isValid())
                request.thread = threadInFields(timeline, segment);
            if (!request.thread.isValid())
                return;
            request.name =
                areCalls ? names->functionOf(segment.store, segment.recorded.stack()).name : std::string(nameOf(timeline, segment));
            if (areCalls && request.name.empty())
                request.name = frameText(timeline, segment.store, segment.recorded.stack());
            if (!name.empty() && request.name != name)
                return;
            addParts(timeline, request, stop);
            if (!stop.stop_requested())
                take(std::move(request));
        },
        stop);
}

} // namespace helio
