#include "core/waits/path/explain_wait.h"

#include "core/query/events/events.h"
#include "core/query/rows/priorities.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/timesync/link_times.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace helio {
namespace {

constexpr std::size_t MostEvents = 100; ///< Maximum number of steps for which the event is searched.

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

std::string durationWords(Duration length)
{
    const auto ns = static_cast<double>(length.count());
    const auto [unit, name, digits] = ns < 1e3 ? std::tuple(1.0, "ns", 0)
        : ns < 1e6                             ? std::tuple(1e3, "µs", 1)
        : ns < 1e9                             ? std::tuple(1e6, "ms", 3)
                                               : std::tuple(1e9, "s", 3);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f %s", digits, ns / unit, name);
    return text;
}

bool isRun(PathKind kind) { return kind == PathKind::Running || kind == PathKind::PageFault || kind == PathKind::Interrupted; }

bool isOneStep(const PathSegment& a, const PathSegment& b)
{
    return a.row == b.row && ((isRun(a.kind) && isRun(b.kind)) || (a.kind == b.kind && a.detail == b.detail));
}

/// Returns the longest activities, for example "user, write".
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

/// Returns the longest activities while the thread ran.
std::string doingsOf(const CriticalPath& path, std::size_t first, std::size_t end)
{
    std::map<std::string, Duration> sums;
    for (std::size_t i = first; i < end; ++i)
        sums[path.detailOf(path.stretches[i])] += path.stretches[i].range.duration();
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
    step.what = what;
    step.words = threadWords(timeline, first.row) + ' ' + std::string(verbOf(step.kind)) + (what.empty() ? "" : ": " + what);
    return step;
}

} // namespace

void forEachWaitStep(const Timeline& timeline, const CriticalPath& path, const std::function<void(WaitStep&&)>& take)
{
    const auto& all = path.stretches;
    auto wait = path.followed.begin();
    const auto addFollowed = [&](const PathSegment& until) {
        for (; wait != path.followed.end() && wait->range.begin <= until.range.begin && wait->depth < until.depth; ++wait) {
            WaitStep step = stepOf(timeline, *wait, *wait, path.detailOf(*wait));
            step.isFollowed = true;
            take(std::move(step));
        }
    };
    for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
        for (end = i + 1; end < all.size() && isOneStep(all[i], all[end]);)
            ++end;
        addFollowed(all[i]);
        take(stepOf(timeline, all[i], all[end - 1], isRun(all[i].kind) ? doingsOf(path, i, end) : path.detailOf(all[i])));
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
    std::map<std::tuple<TrackRef, PathKind, std::string>, WaitPart> sums; // Runs of a thread are one part, whatever it did.
    std::map<TrackRef, std::map<std::string, Duration>> doings;
    const auto add = [&](const PathSegment& it, PathKind kind, const std::string& what, Duration total) {
        WaitPart& part = sums.try_emplace({it.row, kind, what}, WaitPart{it.row, kind, what, {}, {}}).first->second;
        part.total += total;
        if (it.range.duration() > part.longest.duration())
            part.longest = it.range;
    };
    for (const PathSegment& it : path.stretches) {
        if (isRun(it.kind)) {
            doings[it.row][path.detailOf(it)] += it.range.duration();
            add(it, PathKind::Running, {}, it.range.duration());
        } else if (it.shares == 0) {
            add(it, it.kind, path.detailOf(it), it.range.duration());
        }
        for (std::uint32_t i = 0; !isRun(it.kind) && i < it.shares; ++i) {
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

/// Returns the purpose of a wait as text, for example "for a disk"; empty if the segment's detail already contains it.
std::string_view purposeOf(PathKind kind)
{
    switch (kind) {
    case PathKind::Disk: return "for a disk";
    case PathKind::Network: return "for the network";
    case PathKind::Timer: return "for a timer";
    case PathKind::Lock: return "for a lock";
    case PathKind::Pipe: return "for a pipe or socket";
    case PathKind::Process: return "for a process or a signal";
    case PathKind::Ipi: return "for another CPU";
    case PathKind::Input: return "for input";
    default: return "";
    }
}

std::uint32_t hostOf(const Timeline& timeline, TrackRef row) { return timeline.traces[traceOf(timeline, row)].host; }

/// Sums over the steps of a wait, for all threads with one name on one host.
struct Waited {
    std::set<TrackRef> threads;
    Duration total{};
    struct Kind {
        Duration total{};
        std::size_t longest = 0; ///< Index of the longest step.
    };
    std::map<PathKind, Kind> kinds;
};

/// Returns the main cause of a wait. Requires: `steps` is not empty.
MainCause mainCauseOf(const Timeline& timeline, const std::vector<WaitStep>& steps)
{
    std::map<std::pair<std::uint32_t, std::string>, Waited> all; // Sums by host and thread name.
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const WaitStep& it = steps[i];
        if (it.isFollowed)
            continue;
        const Track* const track = trackOf(timeline, it.row);
        Waited& waited = all[{hostOf(timeline, it.row), track ? track->label : std::string()}];
        Waited::Kind& kind = waited.kinds.try_emplace(it.kind, Waited::Kind{{}, i}).first->second;
        if (it.range.duration() > steps[kind.longest].range.duration())
            kind.longest = i;
        kind.total += it.range.duration();
        waited.total += it.range.duration();
        waited.threads.insert(it.row);
    }
    const auto byTotal = [](const auto& it) { return it.second.total; };
    const auto main = std::ranges::max_element(all, {}, byTotal);
    if (main == all.end())
        return {};
    const auto& [name, waited] = *main;
    const auto kind = std::ranges::max_element(waited.kinds, {}, byTotal);
    const std::string words = threadWords(timeline, *waited.threads.begin());
    return {waited.threads.size() == 1 || name.second.empty() ? words : withoutTids(words), waited.total, kind->first, kind->second.total,
            kind->second.longest};
}

/// Returns the explanation as a sentence, e.g. "Waited 8.348 ms for a lock: futex, held by mtx-owner (265) in futex; for 8.2 ms of that
/// (98 %) mtx-owner (265) runs: user".
std::string conclusionOf(const Why& why)
{
    if (why.steps.empty())
        return {};
    const WaitStep& first = why.steps.front();
    const WaitStep& main = why.steps[why.main.step];
    const std::string_view purpose = purposeOf(first.kind);
    if (first.kind == PathKind::Stolen)
        return "Appeared to run, but for " + durationWords(why.wait.duration()) + " its vCPU had no CPU: taken " + first.what;
    if (first.kind == PathKind::Throttled)
        return "Runnable but not scheduled for " + durationWords(why.wait.duration()) + " while its CPU was mostly idle: " + first.what;
    const char* const beginning = first.kind == PathKind::WaitCpu ? "Runnable but not scheduled for "
        : first.kind == PathKind::Preempted                       ? "Preempted for "
                                                                  : "Waited ";
    std::string words = beginning + durationWords(why.wait.duration());
    words += (purpose.empty() ? "" : ' ' + std::string(purpose)) + (first.what.empty() ? "" : ": " + first.what);
    if (main.row == first.row && main.kind == first.kind)
        return words;
    constexpr double NearlyAll = 0.8; // Share of the main activity in the main cause above which other activities are not mentioned.
    const MainCause& its = why.main;
    const auto partWords = [&](Duration part) {
        const double share = double(part.count()) / double(std::max<std::int64_t>(1, why.wait.duration().count()));
        return durationWords(part) + " of that (" + std::to_string(std::lround(100 * share)) + " %) ";
    };
    // For a wait, use only the text up to the first comma; the steps show the rest.
    const std::string what = isRun(main.kind) ? main.what : main.what.substr(0, main.what.find(", "));
    const std::string doing = what.empty() || main.kind == PathKind::Network ? "" : ": " + what;
    if (double(its.ofKind.count()) >= NearlyAll * double(its.total.count()))
        return words + "; for " + partWords(its.ofKind) + its.who + ' ' + std::string(verbOf(main.kind)) + doing;
    return words + "; " + partWords(its.total) + "was spent in " + its.who + ", which " + std::string(verbOf(main.kind)) + " for "
        + durationWords(its.ofKind) + doing;
}

/// Appends `words` without its last part, without its last two parts and so on, while they contain `needed`.
void appendShorter(std::string words, const std::string& needed, std::vector<std::string>& all)
{
    for (;;) {
        std::size_t end = 0;
        for (const char* between : {"; ", ", ", ": "})
            if (const std::size_t at = words.rfind(between); at != std::string::npos)
                end = std::max(end, at);
        words.resize(end);
        if (words.find(needed) == std::string::npos)
            return;
        all.push_back(words);
    }
}

/// Returns for example "Waited for mtx-owner (265), which ran for 8.2 ms: user", then shorter forms.
std::vector<std::string> shorterConclusionsOf(const Why& why)
{
    std::vector<std::string> all;
    if (why.steps.empty())
        return all;
    const WaitStep& first = why.steps.front();
    const WaitStep& main = why.steps[why.main.step];
    if (main.row == first.row && main.kind == first.kind) {
        appendShorter(why.conclusion, durationWords(why.wait.duration()), all);
        return all;
    }
    const std::string cause = std::string(verbOf(main.kind)) + " for " + durationWords(why.main.ofKind);
    const std::string which = "Waited for " + why.main.who + ", which " + cause;
    if (!main.what.empty())
        all.push_back(which + ": " + main.what);
    if (!main.what.empty())
        appendShorter(all.back(), which, all);
    else
        all.push_back(which);
    all.push_back(why.main.who + ' ' + cause);
    return all;
}

bool mayWait(StateCategory meaning) { return isOffCpu(meaning) || isRunnable(meaning); }

/// Returns the range of steal time around `at` in `state`, in which a guest's thread seemed to run; empty if there is none.
TimeRange stolenAt(const Timeline& timeline, TrackRef thread, Timestamp at, const Interval& state)
{
    for (const auto& [recorded, shown] : guestRowPairs(timeline)) {
        const auto found = recorded == thread ? intervalAt(timeline, shown, at) : std::vector<Interval>();
        if (!found.empty() && meaningOf(timeline, shown, found.front().state) == StateCategory::Preempted)
            return found.front().range.clippedTo(state.range);
    }
    return {};
}

/// Returns the wait of a thread at a time; empty if it ran or if nothing is known.
TimeRange waitAt(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    const auto found = intervalAt(timeline, thread, at);
    if (found.empty())
        return {};
    const StateCategory meaning = meaningOf(timeline, thread, found.front().state);
    return mayWait(meaning) ? found.front().range : isOnCpu(meaning) ? stolenAt(timeline, thread, at, found.front()) : TimeRange();
}

/// Adds to a wait for a CPU the occupant of the CPU at the beginning of the wait, the time since which it had the CPU, and its priority.
void addHolder(const Timeline& timeline, WaitStep& step)
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

/// Sets the error bounds of the times of steps on other hosts.
void addErrors(const Timeline& timeline, std::vector<WaitStep>& steps)
{
    for (WaitStep& step : steps)
        step.error = errorBetween(timeline, hostOf(timeline, steps.front().row), hostOf(timeline, step.row), step.range.begin);
}

} // namespace

Why explainWait(const std::shared_ptr<const Timeline>& timeline, TrackRef thread, Timestamp at, std::stop_token stop, WaitEvents events)
{
    Why why;
    why.wait = waitAt(*timeline, thread, at);
    if (why.wait.isEmpty())
        return why;
    why.path = criticalPath(*timeline, thread, why.wait, stop);
    why.steps = stepsOf(*timeline, why.path);
    addErrors(*timeline, why.steps);
    why.main = mainCauseOf(*timeline, why.steps);
    why.conclusion = conclusionOf(why);
    why.shorterConclusions = shorterConclusionsOf(why);
    why.parts = waitPartsOf(why.path);
    for (std::size_t i = 0; i < std::min(why.steps.size(), MostEvents) && !stop.stop_requested(); ++i) {
        addHolder(*timeline, why.steps[i]);
        if (events == WaitEvents::Find && !isRun(why.steps[i].kind))
            addEvent(timeline, why.steps[i]);
    }
    return why;
}

} // namespace helio
