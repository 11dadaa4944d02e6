#include "core/query/path/requests.h"

#include "core/query/calls/call_names.h"
#include "core/query/pieces/pieces.h"
#include "core/query/rows/causes.h"
#include "core/query/rows/composed.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/thread_clock.h"
#include "core/query/segments/segments.h"
#include "core/query/segments/state_runs.h"

#include <algorithm>
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

/// What it was longest for in each of as many columns as there may be parts.
class Columns {
public:
    explicit Columns(TimeRange range)
        : m_range(range)
        , m_times(MostRequestParts)
    {
    }

    void add(TimeRange part, PathKind kind)
    {
        for (std::size_t i = columnAt(part.begin); i < m_times.size() && beginOf(i) < part.end; ++i)
            m_times[i][static_cast<std::size_t>(kind)] += TimeRange{beginOf(i), beginOf(i + 1)}.clippedTo(part).duration();
    }
    /// Unknown: the path does not reach there.
    PathKind kindOf(std::size_t column) const
    {
        const auto most = std::ranges::max_element(m_times[column]);
        return *most > Duration::zero() ? static_cast<PathKind>(most - m_times[column].begin()) : PathKind::Unknown;
    }
    Duration endOf(std::size_t column) const { return beginOf(column + 1) - m_range.begin; }

private:
    Timestamp beginOf(std::size_t column) const
    {
        const double share = double(column) / double(MostRequestParts);
        return column == MostRequestParts ? m_range.end
                                          : m_range.begin + Duration(std::int64_t(share * double(m_range.duration().count())));
    }
    std::size_t columnAt(Timestamp at) const
    {
        const double share = double((at - m_range.begin).count()) / double(m_range.duration().count());
        const auto column = std::min(MostRequestParts - 1, static_cast<std::size_t>(share * double(MostRequestParts)));
        return column > 0 ? column - 1 : 0; // It may be rounded.
    }

    TimeRange m_range;
    std::vector<std::array<Duration, PathKinds>> m_times;
};

void addPart(RequestPath& request, Duration end, PathKind kind)
{
    if (!request.lane.empty() && request.lane.back().kind == kind)
        request.lane.back().end = end;
    else
        request.lane.push_back({end, kind});
}

void addLane(const CriticalPath& path, RequestPath& request)
{
    for (const PathStretch& it : path.stretches)
        addPart(request, it.range.end - request.range.begin, it.kind);
    if (request.lane.size() <= MostRequestParts)
        return request.lane.shrink_to_fit();
    Columns columns(request.range);
    for (const PathStretch& it : path.stretches)
        columns.add(it.range, it.kind);
    std::vector<RequestPart>().swap(request.lane);
    for (std::size_t i = 0; i < MostRequestParts; ++i)
        addPart(request, columns.endOf(i), columns.kindOf(i));
}

void addParts(PathFinder& finder, RequestPath& request, const std::stop_token& stop)
{
    const CriticalPath path = finder.find(request.thread, request.range, stop);
    Duration left = request.range.duration(); // Of a path that ends before, since it has too many stretches.
    for (const PathStretch& it : path.stretches) {
        request.parts[static_cast<std::size_t>(it.kind)] += it.range.duration();
        left -= it.range.duration();
    }
    request.parts[static_cast<std::size_t>(PathKind::Unknown)] += std::max(left, Duration::zero());
    addLane(path, request);
}

/// What its thread did by itself, as a system call, and not what was done to it.
bool isOfThreads(const StateRun& run) { return run.isOfOneValue && !run.isOfCpu; }

void eachRunPath(const Timeline& timeline, const StateRun& run, std::string_view name, TimeRange window,
                 const std::function<void(RequestPath&&)>& take, const std::stop_token& stop, QueryProgress* progress)
{
    struct Found {
        TimeRange range;
        const Row* row;
        std::uint32_t value;
    };
    std::vector<Found> all; // How many there are is not known before.
    RunNames names(timeline, run);
    const auto add = [&](const Row& row, TimeRange range, std::uint32_t value) {
        if (!range.isEmpty() && (name.empty() || names.of(row, value) == name))
            all.push_back({range, &row, value});
    };
    const std::vector<Row> rows = rowsOfRun(timeline, run);
    eachRun(timeline, run, rows, window, add, stop);
    if (progress)
        progress->total = all.size();
    PathFinder finder(timeline);
    for (const Found& it : all) {
        if (progress)
            ++progress->done;
        RequestPath request{it.range, it.row->ref, it.row->ref, std::string(names.of(*it.row, it.value))};
        addParts(finder, request, stop);
        if (stop.stop_requested())
            return;
        take(std::move(request));
    }
}

} // namespace

const RequestPart* partAt(const RequestPath& request, Duration at)
{
    const auto it = std::ranges::upper_bound(request.lane, at, {}, &RequestPart::end);
    return at < Duration::zero() || it == request.lane.end() ? nullptr : &*it;
}

bool isStillThere(const Timeline& was, const Timeline& is, const RequestPath& request)
{
    const auto before = rowOf(was, request.thread), now = rowOf(is, request.thread);
    return before && now && before->id == now->id && before->trace == now->trace && was.clockChoice == is.clockChoice;
}

std::vector<RequestKind> requestKinds(const Timeline& timeline)
{
    std::vector<RequestKind> all;
    for (const bool areCalls : {true, false})
        for (const SegmentKind& kind : segmentKinds(timeline))
            if (kind.areCalls == areCalls)
                all.push_back({kind.id, kind.title});
    for (const StateRun& run : stateRuns(timeline))
        if (isOfThreads(run) && std::ranges::find(all, run.id, &RequestKind::id) == all.end())
            all.push_back({run.id, run.title});
    return all;
}

void eachRequestPath(const Timeline& timeline, std::string_view kind, std::string_view name, TimeRange window,
                     const std::function<void(RequestPath&&)>& take, std::stop_token stop, QueryProgress* progress)
{
    if (const auto run = findSegmentKind(timeline, kind) ? std::nullopt : findStateRun(timeline, kind); run && isOfThreads(*run))
        return eachRunPath(timeline, *run, name, window, take, stop, progress);
    if (progress)
        progress->total = segmentSum(timeline, kind).count;
    ThreadsOfRows threads(timeline, stop);
    PathFinder finder(timeline);
    const auto found = findSegmentKind(timeline, kind);
    const bool areCalls = found && found->hasFrames;
    const std::optional<CallNames> names = areCalls ? std::optional<CallNames>(std::in_place, timeline, stop) : std::nullopt;
    eachSegment(
        timeline, kind, window,
        [&](const Segment& segment) {
            if (progress)
                ++progress->done;
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
            addParts(finder, request, stop);
            if (!stop.stop_requested())
                take(std::move(request));
        },
        stop);
}

} // namespace helio
