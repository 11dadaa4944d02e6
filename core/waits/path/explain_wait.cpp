#include "core/waits/path/explain_wait.h"

#include "core/query/events/events.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/priorities.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/link_times.h"
#include "core/waits/path/wait_causes.h"
#include "core/waits/path/wait_conclusion.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace helio {
namespace {

/// Maximum number of steps of a wait for which the ending event and the CPU's occupant are looked up.
constexpr std::size_t MostEvents = 100;

/// Returns a verb for the thread's activity in a step of the given kind, e.g. "runs".
std::string_view verbOf(PathKind kind)
{
    switch (kind) {
    case PathKind::Running: return "ran";
    case PathKind::Interrupted: return "was interrupted";
    case PathKind::PageFault: return "handled a page fault";
    case PathKind::WaitCpu: return "was runnable without a CPU";
    case PathKind::Preempted: return "was preempted";
    case PathKind::Throttled: return "was throttled";
    case PathKind::Stolen: return "had no CPU (vCPU preempted)";
    case PathKind::Disk: return "waited for a disk";
    case PathKind::Network: return "waited for the network";
    case PathKind::Timer: return "slept";
    case PathKind::Lock: return "waited for a lock";
    case PathKind::Pipe: return "waited for a pipe or socket";
    case PathKind::Process: return "waited for a process or a signal";
    case PathKind::Ipi: return "waited for another CPU";
    case PathKind::Input: return "waited for input";
    case PathKind::Blocked: return "waited";
    case PathKind::Unknown: return "had no recorded activity";
    }
    return "";
}

bool isOneStep(const PathSegment& a, const PathSegment& b)
{
    return a.row == b.row && ((isRun(a.kind) && isRun(b.kind)) || (a.kind == b.kind && a.detail == b.detail));
}

/// Returns at most three activities as text, the longest first, for example "user, write". Activities without a name are left out.
std::string longestOf(const std::map<std::string, Duration>& sums)
{
    std::vector<std::pair<Duration, std::string>> order;
    for (const auto& [what, total] : sums)
        if (!what.empty())
            order.emplace_back(total, what);
    std::ranges::sort(order, std::greater());
    std::string words;
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 3); ++i)
        words += (i > 0 ? ", " : "") + order[i].second;
    return words;
}

/// Returns the longest activities in segments of a path (indices from `first` to `end`, exclusive) as text. Requires:
/// the thread ran in these segments.
std::string doingsOf(const CriticalPath& path, std::size_t first, std::size_t end)
{
    std::map<std::string, Duration> sums;
    for (std::size_t i = first; i < end; ++i)
        sums[path.detailOf(path.segments[i])] += path.segments[i].range.duration();
    return longestOf(sums);
}

/// Sets the step's event: the event at the end of the step that woke the thread or delivered the message.
void addEvent(const std::shared_ptr<const Timeline>& timeline, WaitStep& step)
{
    EventCursor cursor(timeline, step.eventAt);
    while (cursor.next() && cursor.time() == step.eventAt) {
        const std::string_view name = cursor.event().type->name;
        if (cursor.trace() != step.trace)
            continue;
        step.event = name;
        if (name.find("wak") != std::string_view::npos || name.starts_with("net_"))
            return;
    }
}

} // namespace

namespace {

WaitStep stepOf(const Timeline& timeline, const PathSegment& first, const PathSegment& last, const std::string& what)
{
    WaitStep step;
    step.range = {first.range.begin, last.range.end};
    step.row = first.row;
    step.kind = isRun(first.kind) ? PathKind::Running : first.kind;
    step.depth = first.depth;
    step.cpu = first.cpu;
    step.eventAt = last.wokenAt;
    step.trace = traceOf(timeline, first.row);
    step.waker = last.waker;
    step.what = what;
    step.words = threadWords(timeline, first.row) + ' ' + std::string(verbOf(step.kind)) + (what.empty() ? "" : ": " + what);
    return step;
}

} // namespace

void forEachWaitStep(const Timeline& timeline, const CriticalPath& path, const std::function<void(WaitStep&&)>& take)
{
    const auto& all = path.segments;
    auto wait = path.expandedWaits.begin();
    const auto addFollowed = [&](const PathSegment& until) {
        for (; wait != path.expandedWaits.end() && wait->range.begin <= until.range.begin && wait->depth < until.depth; ++wait) {
            WaitStep step = stepOf(timeline, *wait, *wait, path.detailOf(*wait));
            step.isFollowed = true;
            take(std::move(step));
        }
    };
    for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
        for (end = i + 1; end < all.size() && isOneStep(all[i], all[end]);)
            ++end;
        addFollowed(all[i]);
        WaitStep step = stepOf(timeline, all[i], all[end - 1], isRun(all[i].kind) ? doingsOf(path, i, end) : path.detailOf(all[i]));
        if (const auto activity = path.activities.find(all[i].detail); activity != path.activities.end() && !isRun(all[i].kind))
            step.activity = activity->second;
        take(std::move(step));
    }
}

std::vector<WaitStep> stepsOf(const Timeline& timeline, const CriticalPath& path)
{
    std::vector<WaitStep> steps;
    forEachWaitStep(timeline, path, [&](WaitStep&& step) { steps.push_back(std::move(step)); });
    return steps;
}

std::vector<WaitPart> waitPartsOf(const CriticalPath& path)
{
    // Sums by thread, kind and detail. The running time of a thread is one sum for all its activities.
    std::map<std::tuple<TrackRef, PathKind, std::string>, WaitPart> sums;
    std::map<TrackRef, std::map<std::string, Duration>> doings;
    const auto add = [&](const PathSegment& it, PathKind kind, const std::string& what, Duration total) {
        WaitPart& part = sums.try_emplace({it.row, kind, what}, WaitPart{it.row, kind, what, {}, {}}).first->second;
        part.total += total;
        if (it.range.duration() > part.longest.duration())
            part.longest = it.range;
    };
    for (const PathSegment& it : path.segments) {
        if (isRun(it.kind)) {
            doings[it.row][path.detailOf(it)] += it.range.duration();
            add(it, PathKind::Running, {}, it.range.duration());
        } else if (it.shareCount == 0) {
            add(it, it.kind, path.detailOf(it), it.range.duration());
        }
        for (std::uint32_t i = 0; !isRun(it.kind) && i < it.shareCount; ++i) {
            const PathShare& share = path.shares[it.firstShare + i];
            add(it, it.kind, path.details[share.detail], share.total);
        }
    }
    std::vector<WaitPart> parts;
    for (auto& [key, part] : sums) {
        if (part.kind == PathKind::Running)
            part.what = longestOf(doings[part.row]);
        parts.push_back(std::move(part));
    }
    std::ranges::stable_sort(parts, std::greater(), &WaitPart::total);
    return parts;
}

namespace {

std::uint32_t hostOf(const Timeline& timeline, TrackRef row) { return timeline.traces[traceOf(timeline, row)].host; }

bool mayWait(StateCategory meaning) { return isOffCpu(meaning) || isRunnable(meaning); }

/// Returns the steal time that contains `at`, clipped to the range of `state`; empty if there is none. According to `state`, the guest's
/// thread ran during this time.
TimeRange stolenAt(const Timeline& timeline, TrackRef thread, Timestamp at, const Interval& state)
{
    for (const auto& [recorded, shown] : guestRowPairs(timeline)) {
        const auto found = recorded == thread ? intervalAt(timeline, shown, at) : std::vector<Interval>();
        if (!found.empty() && meaningOf(timeline, shown, found.front().state) == StateCategory::Preempted)
            return found.front().range.clippedTo(state.range);
    }
    return {};
}

/// Returns the range of a thread's wait at a time or, if the thread seemed to run then, of its steal time; empty if the thread really ran
/// or if nothing is known.
TimeRange waitAt(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    const auto found = intervalAt(timeline, thread, at);
    if (found.empty())
        return {};
    const StateCategory meaning = meaningOf(timeline, thread, found.front().state);
    return mayWait(meaning) ? found.front().range : isOnCpu(meaning) ? stolenAt(timeline, thread, at, found.front()) : TimeRange();
}

/// Extends the text of a wait for a CPU: which thread had the CPU when the wait began, for how long already, and the priorities of both
/// threads.
void appendOccupantText(const Timeline& timeline, WaitStep& step)
{
    if ((step.kind != PathKind::WaitCpu && step.kind != PathKind::Preempted) || step.cpu == NoCpu)
        return;
    const Timestamp at = step.range.begin;
    const TrackRef row = findTrack(timeline, traceOf(timeline, step.row), TrackRole::CpuThread,
                                   [&](TrackRef, const Track& track) { return track.cpu == step.cpu; });
    const auto found = row.isValid() ? intervalAt(timeline, row, at) : std::vector<Interval>();
    if (found.empty() || !isOnCpu(meaningOf(timeline, row, found.front().state)))
        return;
    const TrackRef holder{row.store, TrackId{found.front().value}};
    if (!holder.isValid() || holder == step.row)
        return;
    const Duration since = at - found.front().range.begin;
    step.words += "; " + threadWords(timeline, holder) + " was on CPU " + std::to_string(step.cpu) + ", "
        + (since > Duration::zero() ? "for " + durationWords(since) + " already" : std::string("starting then"));
    const auto its = priorityAt(timeline, holder, at), own = priorityAt(timeline, step.row, at);
    if (its)
        step.words +=
            ", at priority " + std::to_string(*its) + (own ? ", " + threadWords(timeline, step.row) + " at " + std::to_string(*own) : "");
}

/// Rewrites the text of running steps in which a thread handled a request or reply, or sent one to another host:
/// "handled the request and asked db".
void addExchanges(const Timeline& timeline, TrackRef thread, std::vector<WaitStep>& steps)
{
    // Chain of hosts: each host waits for a reply from the next one, and the last host works on the request.
    std::vector<std::uint32_t> asked{hostOf(timeline, thread)};
    std::vector<std::string> verbs(steps.size());
    constexpr auto None = std::numeric_limits<std::size_t>::max();
    std::size_t last = None; // Index of the last running step on the host that works on the request.
    std::string_view received;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].isFollowed)
            continue;
        if (const std::uint32_t host = hostOf(timeline, steps[i].row); host != asked.back()) {
            const auto asking = std::ranges::find(asked, host);
            const bool isReply = asking != asked.end();
            if (last != None)
                verbs[last] +=
                    (verbs[last].empty() ? "" : " and ") + std::string(isReply ? "replied to " : "asked ") + hostName(timeline, host);
            if (isReply)
                asked.erase(asking + 1, asked.end());
            else
                asked.push_back(host);
            received = isReply ? "handled the reply" : "handled the request";
            last = None;
        }
        if (steps[i].kind != PathKind::Running)
            continue;
        last = i;
        verbs[i] = std::exchange(received, std::string_view());
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (!verbs[i].empty())
            steps[i].words = threadWords(timeline, steps[i].row) + ' ' + verbs[i] + (steps[i].what.empty() ? "" : ": " + steps[i].what);
}

/// Sets the error bounds of the times of steps on other hosts.
void addErrors(const Timeline& timeline, std::vector<WaitStep>& steps)
{
    for (WaitStep& step : steps)
        step.error = errorBetween(timeline, hostOf(timeline, steps.front().row), hostOf(timeline, step.row), step.range.begin);
}

} // namespace

Why explainWait(const std::shared_ptr<const Timeline>& timeline, TrackRef thread, Timestamp at, std::stop_token stop, WaitEvents events,
                const PathLimits& limits)
{
    Why why;
    why.wait = waitAt(*timeline, thread, at);
    if (why.wait.isEmpty())
        return why;
    why.path = criticalPath(*timeline, thread, why.wait, stop, limits);
    why.steps = stepsOf(*timeline, why.path);
    addErrors(*timeline, why.steps);
    addExchanges(*timeline, thread, why.steps);
    if (!why.path.isPart && !why.path.isStopped)
        addConclusion(*timeline, thread, why);
    why.parts = waitPartsOf(why.path);
    for (std::size_t i = 0; i < std::min(why.steps.size(), MostEvents) && !stop.stop_requested(); ++i) {
        appendOccupantText(*timeline, why.steps[i]);
        if (events == WaitEvents::Find && !isRun(why.steps[i].kind))
            addEvent(timeline, why.steps[i]);
    }
    return why;
}

TimeRange longestWait(const Timeline& timeline, TrackRef thread, TimeRange range, std::stop_token stop)
{
    TimeRange longest;
    const auto row = rowOf(timeline, thread);
    if (!row)
        return longest;
    forEachRowInterval(
        timeline, *row, range,
        [&](const Interval& it) {
            if (it.range.duration() > longest.duration() && mayWait(meaningOf(timeline, thread, it.state)))
                longest = it.range;
        },
        std::move(stop));
    return longest;
}

} // namespace helio
