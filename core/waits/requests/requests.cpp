#include "core/waits/requests/requests.h"

#include "core/event_model/mapped_files.h"
#include "core/event_model/segment_kinds.h"
#include "core/profiling/calls/call_names.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/composite_states.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <unordered_map>

namespace helio {
namespace {

/// Finds the thread of a row. If the TID was reused, returns the thread that existed in the given range.
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
                                                  : m_others.try_emplace(row, findPathThread(m_timeline, row, range.begin)).first->second;
    }

private:
    const Timeline& m_timeline;
    ThreadCpuTimes m_clocks;
    /// Cached results of findPathThread(), keyed by row, for rows for which m_clocks finds no thread.
    std::unordered_map<TrackRef, TrackRef, TrackRefHash> m_others;
};

/// Returns the thread that the fields of a segment name, for segments whose row belongs to no thread; not valid if there is none.
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

/// Divides a request into MostRequestParts columns of equal duration and finds, for each column, the kind of path segment with the most
/// time in it.
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
    /// Returns the kind of path segment with the most time in column `column`, i.e. in this part of the request; Unknown if no path segment
    /// overlaps the column.
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
        return column > 0 ? column - 1 : 0; // Return one column less, because the computed index may be rounded up.
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
    for (const PathSegment& it : path.segments)
        addPart(request, it.range.end - request.range.begin, it.kind);
    if (request.lane.size() <= MostRequestParts)
        return request.lane.shrink_to_fit();
    Columns columns(request.range);
    for (const PathSegment& it : path.segments)
        columns.add(it.range, it.kind);
    std::vector<RequestPart>().swap(request.lane);
    for (std::size_t i = 0; i < MostRequestParts; ++i)
        addPart(request, columns.endOf(i), columns.kindOf(i));
}

void addParts(PathFinder& finder, RequestPath& request, const std::stop_token& stop)
{
    const CriticalPath path = finder.find(request.thread, request.range, stop);
    // Time of the request that the path does not cover. More than 0 if the path ends early because it has too many segments.
    Duration left = request.range.duration();
    for (const PathSegment& it : path.segments) {
        request.parts[static_cast<std::size_t>(it.kind)] += it.range.duration();
        left -= it.range.duration();
    }
    request.parts[static_cast<std::size_t>(PathKind::Unknown)] += std::max(left, Duration::zero());
    addLane(path, request);
}

/// True if each interval of the composite state consists of states of a thread that all have the same value, for example a system call.
/// False for states of a CPU, for example an interrupt.
bool isThreadState(const CompositeState& run) { return run.hasSingleValue && !run.isOfCpu; }

/// Collection of the requests found, before their paths are computed.
/// Threads: to be used by one thread.
class FoundRequests {
public:
    explicit FoundRequests(const RequestSelection& choice)
        : m_choice(choice)
    {
    }

    void add(TimeRange range, TrackRef row, TrackRef thread, const std::string& name)
    {
        if (range.isEmpty() || (m_choice.accepts && !m_choice.accepts(name, thread, range)))
            return;
        ++m_count;
        const auto [known, isNew] = m_places.try_emplace(name, static_cast<std::uint32_t>(m_names.size()));
        if (isNew)
            m_names.push_back(name);
        m_all.push_back({range, row, thread, known->second});
        // Remove the shorter requests only when there are twice as many as the limit, because each trim() visits all requests.
        if (m_choice.limit <= m_all.size() / 2)
            trim();
    }

    std::uint64_t count() const { return m_count; }

    /// Calls `take` with the critical path of each of the longest requests, in the order of their beginnings.
    void each(const Timeline& timeline, const std::function<void(RequestPath&&)>& take, const std::stop_token& stop,
              QueryProgress* progress)
    {
        trim();
        std::ranges::stable_sort(m_all, {}, [](const One& it) { return it.range.begin; });
        if (progress)
            progress->total = m_all.size();
        PathFinder finder(timeline);
        for (const One& it : m_all) {
            if (progress)
                ++progress->done;
            RequestPath request{it.range, it.row, it.thread, m_names[it.name], {}, {}};
            addParts(finder, request, stop);
            if (stop.stop_requested())
                return;
            take(std::move(request));
        }
    }

private:
    struct One {
        TimeRange range;
        TrackRef row;
        TrackRef thread;
        std::uint32_t name;
    };

    /// Removes all but the longest requests; among equally long requests, keeps the earliest.
    void trim()
    {
        if (m_all.size() <= m_choice.limit)
            return;
        const auto isLonger = [](const One& a, const One& b) {
            const Duration ofA = a.range.duration(), ofB = b.range.duration();
            return ofA != ofB ? ofA > ofB : a.range.begin < b.range.begin;
        };
        std::ranges::nth_element(m_all, m_all.begin() + static_cast<std::ptrdiff_t>(m_choice.limit), isLonger);
        m_all.resize(m_choice.limit);
    }

    const RequestSelection& m_choice;
    std::uint64_t m_count = 0;
    std::vector<One> m_all;
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::uint32_t> m_places; ///< Indexes into m_names, keyed by name.
};

void findRuns(const Timeline& timeline, const CompositeState& run, TimeRange window, FoundRequests& found, const std::stop_token& stop)
{
    CompositeStateNames names(timeline, run);
    std::string name;
    const auto add = [&](const Row& row, TimeRange range, std::uint32_t value) {
        name = names.of(row, value);
        found.add(range, row.ref, row.ref, name);
    };
    forEachCompositeState(timeline, run, rowsWithComposite(timeline, run), window, add, stop, RunOrder::ByRow);
}

void findSegments(const Timeline& timeline, const SegmentKind& kind, TimeRange window, FoundRequests& found, const std::stop_token& stop)
{
    ThreadsOfRows threads(timeline, stop);
    const std::optional<CallNames> names = kind.hasFrames ? std::optional<CallNames>(std::in_place, timeline, stop) : std::nullopt;
    const auto nameIn = [&](const Segment& segment) {
        std::string name = names ? names->functionOf(segment.store, segment.recorded.stack()).name : std::string(nameOf(timeline, segment));
        return names && name.empty() ? frameText(timeline, segment.store, segment.recorded.stack()) : name;
    };
    const auto add = [&](const Segment& segment) {
        if (segment.range.begin < window.begin || segment.range.end > window.end)
            return;
        TrackRef thread = threads.of(segment.row(), segment.range);
        if (!thread.isValid())
            thread = threadInFields(timeline, segment);
        if (thread.isValid())
            found.add(segment.range, segment.row(), thread, nameIn(segment));
    };
    forEachSegment(timeline, kind.id, window, add, stop);
}

} // namespace

const RequestPart* partAt(const RequestPath& request, Duration at)
{
    const auto it = std::ranges::upper_bound(request.lane, at, {}, &RequestPart::end);
    return at < Duration::zero() || it == request.lane.end() ? nullptr : &*it;
}

bool isStillValid(const Timeline& was, const Timeline& is, const RequestPath& request)
{
    const auto before = rowOf(was, request.thread), now = rowOf(is, request.thread);
    return before && now && before->id == now->id && before->trace == now->trace && was.clockSettings == is.clockSettings;
}

bool haveSameRequests(const Timeline& was, const Timeline& is)
{
    const auto path = is.correlatorRegistry->find(PathRelation);
    if (was.correlatorRegistry != is.correlatorRegistry || was.clockSettings != is.clockSettings)
        return false;
    const auto storesOf = [](const Timeline& timeline) {
        std::set<const Store*> stores;
        forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) { stores.insert(&store); });
        // Skip the stores of correlators: the loop over the correlators below compares their correlations.
        for (const auto& relation : timeline.relations)
            for (const CorrelatorRows& rows : relation ? relation->rows : std::vector<CorrelatorRows>())
                stores.erase(rows.store.get());
        return stores;
    };
    const auto relationOf = [](const Timeline& timeline, std::size_t kind) {
        return kind < timeline.relations.size() ? timeline.relations[kind].get() : nullptr;
    };
    for (std::size_t kind = 0; kind < is.correlatorRegistry->all().size(); ++kind)
        if (kind != path && relationOf(was, kind) != relationOf(is, kind))
            return false;
    return storesOf(was) == storesOf(is);
}

std::vector<RequestKind> requestKinds(const Timeline& timeline)
{
    std::vector<RequestKind> all;
    const auto segments = segmentKinds(timeline);
    const auto isNone = [](const SegmentKind& kind) {
        return kind.id == DiskRequests || kind.id == MappingSegments || kind.id == CallCpuTimes;
    };
    for (const bool areCalls : {true, false})
        for (const SegmentKind& kind : segments)
            if (kind.areCalls == areCalls && !isNone(kind))
                all.push_back({kind.id, kind.title});
    for (const CompositeState& run : compositeStates(timeline))
        if (isThreadState(run) && std::ranges::find(segments, run.id, &SegmentKind::id) == segments.end())
            all.push_back({run.id, run.title});
    return all;
}

std::uint64_t forEachRequestPath(const Timeline& timeline, std::string_view kind, const RequestSelection& choice, TimeRange window,
                                 const std::function<void(RequestPath&&)>& take, std::stop_token stop, QueryProgress* progress)
{
    FoundRequests found(choice);
    if (const auto segments = findSegmentKind(timeline, kind))
        findSegments(timeline, *segments, window, found, stop);
    else if (const auto run = findCompositeState(timeline, kind); run && isThreadState(*run))
        findRuns(timeline, *run, window, found, stop);
    if (!stop.stop_requested())
        found.each(timeline, take, stop, progress);
    return found.count();
}

} // namespace helio
