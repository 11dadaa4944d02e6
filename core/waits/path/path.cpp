#include "core/waits/path/path.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"
#include "core/waits/path/cpu_occupancy.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t MostNamed = 3; ///< Maximum number of CPU occupants that a detail names.
constexpr unsigned StepsBetween = 256; ///< Number of steps between two checks of the time limit.

} // namespace

/// Computes a critical path: follows waits from thread to thread. Segments are added in time order and without gaps.
class PathWalk {
public:
    PathWalk(const Timeline& timeline, const PathLimits& limits)
        : m_timeline(timeline)
        , m_limits(limits)
        , m_causes(timeline)
        , m_holders(timeline)
    {
        for (const auto& [recorded, shown] : guestRowPairs(timeline))
            m_stealRows.emplace(recorded, shown);
    }

    bool canFollow(TrackRef thread) const { return trackOf(m_timeline, thread) != nullptr; }

    /// Returns the critical path of a thread in a range. Uses a chain on the heap instead of recursion, so that only memory limits the
    /// depth of nested waits.
    CriticalPath follow(TrackRef thread, TimeRange part, std::stop_token stop)
    {
        m_path = {};
        m_texts = {{{}, 0}};
        m_isFull = false;
        m_stop = std::move(stop);
        m_began = Clock::now();
        enter(thread, part);
        while (!m_chain.empty())
            step();
        return std::move(m_path);
    }

private:
    using Clock = std::chrono::steady_clock;

    /// Remainder of a wait after its wake-up. It is added to the path after the segments of the thread that ended the wait.
    struct PendingWait {
        TimeRange range;
        WaitCause cause;
    };

    /// An element of the chain of waits: a thread, and the range in which the path follows it.
    struct FollowedThread {
        TrackRef thread;
        TimeRange part;
        std::vector<Interval> states;
        std::size_t next = 0; ///< Index into `states` of the next state to handle.
        Timestamp known{}; ///< Time up to which the thread has been followed.
        /// Part of the current wait after its wake-up. It is added once the waking thread has been followed; nullopt if no wait is being
        /// followed.
        std::optional<PendingWait> rest{};
    };

    void enter(TrackRef thread, TimeRange part)
    {
        m_chain.push_back({thread, part, intervals(m_timeline, thread, part, m_stop), 0, part.begin, {}});
    }

    std::size_t depth() const { return m_chain.size() - 1; }

    /// Handles the next state of the last thread in m_chain. If the thread has no further state, removes it, so that the thread that waited
    /// for it continues. May reallocate m_chain.
    void step()
    {
        FollowedThread& it = m_chain.back();
        if (it.rest)
            return leaveWait(*std::exchange(it.rest, std::nullopt));
        if (it.next == it.states.size() || isOver()) {
            if (it.known < it.part.end && !isOver())
                add({it.known, it.part.end}, it.thread, PathKind::Unknown, depth(), "not recorded");
            return m_chain.pop_back();
        }
        const Interval state = it.states[it.next++];
        const TimeRange here = state.range.clippedTo(it.part);
        if (here.isEmpty())
            return;
        const Timestamp known = std::exchange(it.known, here.end);
        if (here.begin > known)
            add({known, here.begin}, it.thread, PathKind::Unknown, depth(), "not recorded");
        addState(it.thread, state, here, depth());
    }

    void leaveWait(const PendingWait& rest)
    {
        m_parentWaits.pop_back();
        if (!rest.range.isEmpty() && !isOver())
            addWaited(rest.range, m_chain.back().thread, rest.cause, depth());
    }

    bool isOver()
    {
        if (m_stop.stop_requested())
            m_path.isStopped = true;
        if (m_limits.timeLimit > Duration::zero() && ++m_steps % StepsBetween == 0 && Clock::now() - m_began > m_limits.timeLimit)
            m_path.isPart = true;
        return m_path.isStopped || m_path.isPart || m_isFull;
    }

    void addState(TrackRef thread, const Interval& state, TimeRange here, std::size_t depth)
    {
        const StateKind& kind = stateKind(m_timeline, thread, state.state);
        switch (kind.meaning) {
        case StateCategory::WaitsForCpu:
        case StateCategory::Preempted: return addQueued(thread, state, here, kind.meaning, depth);
        case StateCategory::Throttled: return add(here, thread, PathKind::Throttled, depth, "probable CPU quota");
        case StateCategory::Waits:
        case StateCategory::Rests:
        case StateCategory::OffCpu: return addWait(thread, state, here, depth);
        case StateCategory::None: return add(here, thread, PathKind::Unknown, depth, kind.name);
        case StateCategory::Unknown: return add(here, thread, PathKind::Unknown, depth, unknownText(thread, kind, state.value));
        case StateCategory::OnCpuInterrupt:
            return addRunning(thread, here, PathKind::Interrupted, depth, valueText(m_timeline, thread, state.value));
        case StateCategory::OnCpuKernel:
            return kind.name == wordOf(PathKind::PageFault)
                ? addRunning(thread, here, PathKind::PageFault, depth, valueText(m_timeline, thread, state.value))
                : addRunning(thread, here, PathKind::Running, depth, "kernel");
        case StateCategory::OnCpuUser: return addRunning(thread, here, PathKind::Running, depth, "user");
        default: {
            const std::string value = valueText(m_timeline, thread, state.value);
            return addRunning(thread, here, PathKind::Running, depth, value.empty() ? kind.name : value);
        }
        }
    }

    std::string unknownText(TrackRef thread, const StateKind& kind, std::uint32_t value) const
    {
        if (isUnknown(kind))
            return "state not recorded";
        const std::string what = valueText(m_timeline, thread, value);
        return (what.empty() ? kind.style.legend : what) + ", on or off CPU";
    }

    /// Adds the range `here`, in which a thread ran, to the path. Ranges in which the thread's vCPU had no CPU become segments of kind
    /// Stolen. `depth`: number of waits that enclose the range.
    void addRunning(TrackRef thread, TimeRange here, PathKind kind, std::size_t depth, const std::string& detail)
    {
        const auto stealRow = m_stealRows.find(thread);
        if (stealRow == m_stealRows.end())
            return addOnCpu(here, thread, kind, depth, detail);
        Timestamp known = here.begin;
        for (const Interval& it : intervals(m_timeline, stealRow->second, here)) {
            const TimeRange stolen = it.range.clippedTo(here);
            if (stolen.isEmpty() || meaningOf(m_timeline, stealRow->second, it.state) != StateCategory::Preempted)
                continue;
            if (known < stolen.begin)
                addOnCpu({known, stolen.begin}, thread, kind, depth, detail);
            add(stolen, thread, PathKind::Stolen, depth, "by " + formatValue(m_timeline, stealRow->second, it.value));
            known = stolen.end;
        }
        if (known < here.end)
            addOnCpu({known, here.end}, thread, kind, depth, detail);
    }

    void addOnCpu(TimeRange here, TrackRef thread, PathKind kind, std::size_t depth, const std::string& detail)
    {
        add(here, thread, kind, depth, detail);
        m_path.segments.back().cpu = m_holders.cpuOf(thread, here.begin);
    }

    /// Adds a wait for a CPU with the occupants of that CPU: the CPU on which the thread ran after the wait or, if the thread did not run
    /// then, the CPU on which it ran before.
    void addQueued(TrackRef thread, const Interval& state, TimeRange here, StateCategory meaning, std::size_t depth)
    {
        std::int32_t cpu = m_holders.cpuOf(thread, runnableUntil(m_timeline, thread, state.range.end));
        if (cpu == NoCpu)
            cpu = m_holders.cpuOf(thread, state.range.begin - Duration(1));
        const auto first = static_cast<std::uint32_t>(m_path.shares.size());
        const std::string who = addShares(m_holders.on(traceOf(m_timeline, thread), cpu, here), thread, here.duration());
        add(here, thread, meaning == StateCategory::Preempted ? PathKind::Preempted : PathKind::WaitCpu, depth, who);
        PathSegment& it = m_path.segments.back();
        it.cpu = cpu;
        it.firstShare = first;
        it.shareCount = static_cast<std::uint32_t>(m_path.shares.size()) - first;
    }

    /// Adds to m_path.shares one share for each occupant of the CPU for which the thread waited. Returns the occupants as text, for example
    /// "behind dd (190), jbd2/vdb-8 (154), 3 more; part of the time its CPU was idle". Idle time gets a share of its own. `rest`:
    /// duration of the wait; its time without a known occupant becomes a share of an unknown thread.
    std::string addShares(const std::vector<CpuOccupancy::Occupant>& holders, TrackRef thread, Duration rest)
    {
        const std::string idle = "its CPU was idle";
        std::string who;
        std::size_t named = 0;
        Duration idleFor{}, taken{};
        for (const CpuOccupancy::Occupant& it : holders) {
            if (it.thread == thread || (!it.thread.isValid() && !it.isIdle))
                continue;
            rest -= it.total;
            (it.isIdle ? idleFor : taken) += it.total;
            m_path.shares.push_back({detailId(it.isIdle ? idle : "behind " + nameOf(it.thread)), it.total});
            if (!it.isIdle && ++named <= MostNamed)
                who += (named > 1 ? ", " : "behind ") + nameOf(it.thread);
        }
        if (rest > Duration::zero() && taken + idleFor > Duration::zero())
            m_path.shares.push_back({detailId("behind an unknown thread"), rest});
        if (named > MostNamed)
            who += ", " + std::to_string(named - MostNamed) + " more";
        if (idleFor == Duration::zero())
            return who;
        return who.empty() ? idle : idleFor > taken ? "most of the time " + idle + "; " + who : who + "; part of the time " + idle;
    }

    std::uint32_t detailId(const std::string& detail)
    {
        const auto [text, isNew] = m_texts.try_emplace(detail, static_cast<std::uint32_t>(m_path.details.size()));
        if (isNew)
            m_path.details.push_back(detail);
        return text->second;
    }

    const std::string& nameOf(TrackRef thread)
    {
        const auto [it, isNew] = m_names.try_emplace(thread);
        if (isNew)
            it->second = threadWords(m_timeline, thread);
        return it->second;
    }

    void addWait(TrackRef thread, const Interval& state, TimeRange here, std::size_t depth)
    {
        const WaitCause cause = m_causes.of(thread, state);
        const Timestamp to = std::min(cause.followedTo, here.end);
        const bool isFollowed = cause.waker.isValid() && to > here.begin && mayFollow(cause, to, depth);
        if (!isFollowed)
            return addWaited(here, thread, cause, depth);
        const TimeRange life = lifeOf(cause.waker);
        const Timestamp from = std::clamp(life.begin, here.begin, to);
        // If the thread that ended the wait was created during the wait, the earlier part of the wait had another cause.
        if (from > here.begin)
            addWaited({here.begin, from}, thread, cause, depth);
        if (from >= to) {
            if (to < here.end && !isOver())
                addWaited({to, here.end}, thread, cause, depth);
            return;
        }
        m_path.expandedWaits.push_back({here, thread, cause.kind, NoCpu, detailId(cause.detail), static_cast<std::uint16_t>(depth), 0, 0,
                                        parentWait(), cause.waker, wokenAt(cause, here.end)});
        // Index of the wait in CriticalPath::expandedWaits plus 1, like PathSegment::parentWait.
        m_parentWaits.push_back(static_cast<std::uint32_t>(m_path.expandedWaits.size()));
        m_chain.back().rest = PendingWait{{to, here.end}, cause};
        enter(cause.waker, {from, to});
    }

    /// True if the thread that ended the wait can be followed without an endless loop. Usually each nested wait ends before its enclosing
    /// wait. If both end at the same time (the range ends within a wait, or clocks disagree), the waker must not be in the chain already.
    bool mayFollow(const WaitCause& cause, Timestamp to, std::size_t depth)
    {
        if (depth + 1 >= m_limits.depth) {
            limit("nested waits were followed only " + std::to_string(m_limits.depth) + " levels deep");
            return false;
        }
        for (std::size_t i = m_chain.size(); i-- > 0 && m_chain[i].part.end == to;)
            if (m_chain[i].thread == cause.waker) {
                limit("circular waits (threads that wait for each other at the same moment, according to the clocks) were "
                      "not followed");
                return false;
            }
        return true;
    }

    void addWaited(TimeRange range, TrackRef thread, const WaitCause& cause, std::size_t depth)
    {
        if (!cause.disk || cause.disk->issued <= range.begin || cause.disk->issued >= range.end)
            return addPart(range, thread, cause, cause.detail, depth,
                           cause.disk ? activityOf(thread, cause.disk->disk, cause.disk->tid, cause.disk->activity) : std::string());
        const DiskWait& disk = *cause.disk;
        const Timestamp from = disk.ahead ? std::max(disk.inserted, range.begin) : disk.issued;
        addBefore({range.begin, from}, thread, cause, depth);
        if (from < disk.issued)
            addPart({from, disk.issued}, thread, cause,
                    disk.disk + ": queued"
                        + (*disk.ahead == 0 ? "" : " behind " + std::to_string(*disk.ahead) + (*disk.ahead == 1 ? " request" : " requests"))
                        + ", for a " + disk.request,
                    depth, "queued for " + disk.disk);
        addPart({disk.issued, range.end}, thread, cause, cause.detail, depth, activityOf(thread, disk.disk, disk.tid, disk.activity));
    }

    /// Returns the text for the activity of a thread during a disk request: `activity` if the thread made the request itself, else "waiting
    /// for DISK".
    std::string activityOf(TrackRef thread, const std::string& disk, std::int32_t tid, const std::string& activity) const
    {
        return tid >= 0 && tid == trackOf(m_timeline, thread)->tid ? activity : "waiting for " + disk;
    }

    /// Adds the part of a disk wait before the thread's disk request was made. The disk may have processed other requests in this part,
    /// because one fsync waits for several requests in turn.
    void addBefore(TimeRange range, TrackRef thread, const WaitCause& cause, std::size_t depth)
    {
        const DiskWait& disk = *cause.disk;
        for (const DiskWaitFinder::DriverActivity& it : m_causes.findDriverActivity(thread, disk, range))
            addPart(it.range, thread, cause,
                    !it.request.empty() ? disk.disk + ": " + it.request + ", before the " + disk.request
                        : disk.ahead    ? disk.disk + ": request not queued yet, " + disk.request
                                        : disk.disk + ": request not issued yet, " + disk.request,
                    depth, activityOf(thread, disk.disk, it.tid, it.activity));
    }

    void addPart(TimeRange range, TrackRef thread, const WaitCause& cause, const std::string& detail, std::size_t depth,
                 const std::string& activity)
    {
        add(range, thread, cause.kind, depth, detail);
        PathSegment& it = m_path.segments.back();
        if (!activity.empty())
            m_path.activities.try_emplace(it.detail, activity);
        it.waker = cause.waker;
        it.wokenAt = wokenAt(cause, range.end);
        if (cause.summed.empty())
            return;
        it.firstShare = static_cast<std::uint32_t>(m_path.shares.size());
        it.shareCount = 1;
        m_path.shares.push_back({detailId(cause.summed), range.duration()});
    }

    static Timestamp wokenAt(const WaitCause& cause, Timestamp otherwise)
    {
        return cause.message ? cause.message->toTime : cause.waking ? cause.waking->toTime : otherwise;
    }

    std::uint32_t parentWait() const { return m_parentWaits.empty() ? 0 : m_parentWaits.back(); }

    TimeRange lifeOf(TrackRef thread) const
    {
        const Track* const track = trackOf(m_timeline, thread);
        return clockOf(m_timeline, thread.store)(track->life);
    }

    void add(TimeRange range, TrackRef row, PathKind kind, std::size_t depth, const std::string& detail)
    {
        if (m_path.segments.size() >= m_limits.segments) {
            m_isFull = true;
            limit("the path has more than " + std::to_string(m_limits.segments) + " segments and ends there: select a shorter range");
        }
        m_path.segments.push_back(
            {range, row, kind, NoCpu, detailId(detail), static_cast<std::uint16_t>(depth), 0, 0, parentWait(), {}, range.end});
    }

    void limit(const std::string& words)
    {
        if (std::ranges::find(m_path.limits, words) == m_path.limits.end())
            m_path.limits.push_back(words);
    }

    const Timeline& m_timeline;
    const PathLimits m_limits;
    CriticalPath m_path;
    std::stop_token m_stop;
    Clock::time_point m_began;
    unsigned m_steps = 0;
    WaitCauseFinder m_causes;
    CpuOccupancy m_holders;
    bool m_isFull = false;
    /// Waits that enclose the current part of the path, innermost last. An element is 1 plus an index into CriticalPath::expandedWaits.
    std::vector<std::uint32_t> m_parentWaits;
    std::vector<FollowedThread> m_chain; ///< Chain of waits: from the queried thread to the thread that is being followed.
    std::map<TrackRef, TrackRef> m_stealRows; ///< Rows that show steal time, keyed by the recorded row without steal time.
    std::unordered_map<std::string, std::uint32_t> m_texts; ///< Indexes into CriticalPath::details, keyed by text.
    std::unordered_map<TrackRef, std::string, TrackRefHash> m_names;
};

// Segments of the path are drawn as states. All of them count as busy time of their rows (OnCpu), because the path covers all of that time.
const StateSet& pathStates()
{
    using enum StateCategory;
    using enum BarPattern;
    using namespace StateFlag;
    constexpr std::uint8_t Said = Labelled | InHeader;
    static const StateSet set{
        "path",
        {
            {"running", OnCpu, {"path.running", "Running", "running", 16, Plain, 0, 0, Said, "Activity", ""}},
            {"interrupted", OnCpu, {"path.interrupted", "Interrupted", "interrupted", 12, Plain, 1, 1, 0, "By", "by"}},
            {"page-fault", OnCpu, {"path.running", "Page fault", "page fault", 16, Plain, 2, 0, Labelled, "In", "in"}},
            {"wait-cpu", OnCpu, {"path.wait-cpu", "Runnable", "runnable", 8, Plain, 12, 2, Said, "CPU", ""}},
            {"preempted", OnCpu, {"path.preempted", "Preempted", "preempted", 8, CutCorner, 10, 3, Said, "CPU", ""}},
            {"throttled", OnCpu, {"thread.throttled", "Throttled", "throttled", 8, Fence, 11, 3, Said, "Cause", ""}},
            {"stolen", OnCpu, {"path.preempted", "Stolen: vCPU not running", "stolen", 8, Hatched, 9, 3, Labelled, "Taken", ""}},
            {"disk", OnCpu, {"path.disk", "Waiting for disk", "disk", 10, Plain, 5, 3, Said, "Wait", ""}},
            {"network", OnCpu, {"path.network", "Waiting for network", "network", 10, Plain, 6, 2, Said, "Connection", ""}},
            {"timer", OnCpu, {"path.timer", "Waiting for timer", "timer", 4, Plain, 13, 0, Said, "In", "in"}},
            {"lock", OnCpu, {"path.lock", "Waiting for lock", "lock", 10, Plain, 7, 2, Said, "Wait", ""}},
            {"pipe", OnCpu, {"path.lock", "Waiting for pipe or socket", "pipe", 10, Plain, 8, 1, Labelled, "Wait", ""}},
            {"process", OnCpu, {"path.lock", "Waiting for process or signal", "process", 10, Plain, 8, 1, Labelled, "Wait", ""}},
            {"ipi", OnCpu, {"path.ipi", "Waiting for another CPU", "IPI", 10, Plain, 8, 1, Labelled, "Wait", ""}},
            {"input", OnCpu, {"path.ipi", "Waiting for input", "input", 10, Plain, 8, 0, Labelled, "Wait", ""}},
            {"blocked", OnCpu, {"path.unknown", "Blocked (cause not recorded)", "blocked", 10, Plain, 8, 1, Said, "Wait", ""}},
            {"unknown", Unknown, {"path.unknown", "Unknown", "unknown", 5, Hatched, 14, 0, Labelled, "Why", ""}},
        },
        "Critical path",
    };
    return set;
}

TrackRef findPathThread(const Timeline& timeline, TrackRef row, Timestamp at)
{
    const auto isRunning = [](const StateKind& state) { return isOnCpu(state.meaning); };
    const Track* track = trackOf(timeline, row);
    if (const auto note = track ? noteOf(timeline, row) : std::nullopt; note && note->source.isValid())
        track = trackOf(timeline, row = note->source);
    if (!track)
        return {};
    if (track->role == TrackRole::Thread && std::ranges::any_of(statesOf(timeline, row).states, isRunning))
        return row;
    return track->tid >= 0 ? ThreadCpuTimes(timeline, {at, at + Duration(1)}).rowOf(row, {at, at + Duration(1)}) : TrackRef();
}

TimeRange rangeOf(const Timeline& timeline, const PathRequest& question)
{
    const Track* const track = trackOf(timeline, question.thread);
    return !question.range.isEmpty() || !track ? question.range : clockOf(timeline, question.thread.store)(track->life);
}

PathFinder::PathFinder(const Timeline& timeline, const PathLimits& limits)
    : m_walk(std::make_unique<PathWalk>(timeline, limits))
{
}

PathFinder::~PathFinder() = default;

CriticalPath PathFinder::find(TrackRef thread, TimeRange range, std::stop_token stop)
{
    return m_walk->canFollow(thread) && !range.isEmpty() ? m_walk->follow(thread, range, std::move(stop)) : CriticalPath();
}

CriticalPath criticalPath(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop, const PathLimits& limits)
{
    return PathFinder(timeline, limits).find(thread, range, std::move(stop));
}

} // namespace helio
