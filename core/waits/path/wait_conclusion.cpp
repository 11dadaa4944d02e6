// Conclusions of waits: sentences such as "fsync blocked for 84.193 ms on jbd2/vdb-8 (214), which spent 50.901 ms (60 %) writing 8 KiB to
// vdb".

#include "core/waits/path/wait_conclusion.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/waits/locks/lock_contention.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>

namespace helio {
namespace {

std::string percentOf(Duration part, Duration whole)
{
    const double share = double(part.count()) / double(std::max<std::int64_t>(1, whole.count()));
    return std::to_string(std::lround(100 * share)) + " %";
}

/// Returns a duration and its share of the whole as text, for example "50.901 ms (60 %)".
std::string timeAndShare(Duration part, Duration whole) { return durationWords(part) + " (" + percentOf(part, whole) + ')'; }

/// Returns the activity in a step of kind Unknown, for example "in openat" for the detail "openat, on or off CPU". Logs of system calls
/// (strace) have such steps.
std::string activityOffRecord(std::string_view detail)
{
    constexpr std::string_view End = ", on or off CPU";
    if (!detail.ends_with(End))
        return "in an unrecorded activity";
    detail.remove_suffix(End.size());
    return (detail.starts_with("between ") ? "" : "in ") + std::string(detail);
}

/// Returns the activity of a thread in a step, in the form after "spent 5 ms", for example "running in user space".
std::string activityOf(const WaitStep& step)
{
    if (!step.activity.empty())
        return step.activity;
    switch (step.kind) {
    case PathKind::Running:
    case PathKind::Interrupted:
    case PathKind::PageFault: {
        const std::string first = step.what.substr(0, step.what.find(", "));
        return first == "user"                    ? "running in user space"
            : first == "kernel"                   ? "running in the kernel"
            : first.empty() || first == "running" ? "running"
                                                  : "running in " + first;
    }
    case PathKind::WaitCpu: return "runnable without a CPU";
    case PathKind::Preempted: return "preempted";
    case PathKind::Throttled: return "throttled by a probable CPU quota";
    case PathKind::Stolen: return "without a CPU of the host";
    case PathKind::Disk: return "waiting for a disk";
    case PathKind::Network: return "waiting for the network";
    case PathKind::Timer: return step.what.empty() ? "sleeping" : "sleeping in " + step.what;
    case PathKind::Lock: return "waiting for a lock";
    case PathKind::Pipe: return "waiting for a pipe or socket";
    case PathKind::Process: return "waiting for a process or a signal";
    case PathKind::Ipi: return "waiting for another CPU";
    case PathKind::Input: return "waiting for input";
    case PathKind::Blocked: return "blocked, the cause was not recorded";
    case PathKind::Unknown: break;
    }
    return activityOffRecord(step.what);
}

/// Sums over the steps of a wait. Threads with the same name on the same host share one sum.
struct Waited {
    std::set<TrackRef> threads;
    Duration total{};
    struct Kind {
        Duration total{};
        std::size_t longest = 0; ///< Index of the longest step.
        std::map<std::string, Duration> activities;
    };
    std::map<PathKind, Kind> kinds;
};

/// Returns the main cause of a wait. Requires: the wait has steps.
MainCause mainCauseOf(const Timeline& timeline, TrackRef thread, const std::vector<WaitStep>& steps)
{
    std::map<std::pair<std::uint32_t, std::string>, Waited> all; // Sums by host and thread name.
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const WaitStep& it = steps[i];
        if (it.isFollowed)
            continue;
        const Track* const track = trackOf(timeline, it.row);
        Waited& waited = all[{timeline.traces[traceOf(timeline, it.row)].host, track ? track->label : std::string()}];
        Waited::Kind& kind = waited.kinds.try_emplace(it.kind, Waited::Kind{{}, i, {}}).first->second;
        if (it.range.duration() > steps[kind.longest].range.duration())
            kind.longest = i;
        kind.total += it.range.duration();
        kind.activities[activityOf(it)] += it.range.duration();
        waited.total += it.range.duration();
        waited.threads.insert(it.row);
    }
    const auto byTotal = [](const auto& it) { return it.second.total; };
    const auto main = std::ranges::max_element(all, {}, byTotal);
    if (main == all.end())
        return {};
    const auto& [name, waited] = *main;
    const auto kind = std::ranges::max_element(waited.kinds, {}, byTotal);
    std::vector<std::pair<std::string, Duration>> activities(kind->second.activities.begin(), kind->second.activities.end());
    std::ranges::stable_sort(activities, std::greater(), &std::pair<std::string, Duration>::second);
    const std::string words = threadWords(timeline, *waited.threads.begin());
    MainCause cause;
    cause.who = waited.threads.size() == 1 || name.second.empty() ? words : withoutTids(words);
    cause.total = waited.total;
    cause.kind = kind->first;
    cause.step = kind->second.longest;
    if (cause.kind == PathKind::Unknown || 2 * activities.front().second >= kind->second.total) {
        cause.activity = activities.front().first;
        cause.ofActivity = activities.front().second;
        if (cause.kind == PathKind::Unknown && activities.size() > 1) {
            cause.secondActivity = activities[1].first;
            cause.ofSecondActivity = activities[1].second;
        }
    } else {
        WaitStep generic;
        generic.kind = cause.kind;
        cause.activity = activityOf(generic);
        cause.ofActivity = kind->second.total;
    }
    cause.isOwn = waited.threads.contains(thread);
    cause.isWaker = waited.threads.size() == 1 && steps.front().waker == *waited.threads.begin();
    return cause;
}

/// Appends shortened forms of `words` to `all`: each form omits one more clause at the end. Stops before a form that does not contain
/// `needed`.
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

/// Builds the conclusion of one wait.
class Conclusion {
public:
    Conclusion(const Timeline& timeline, TrackRef thread, const Why& why)
        : m_timeline(timeline)
        , m_why(why)
        , m_first(why.steps.front())
        , m_whole(why.wait.duration())
    {
        const auto state = intervalAt(timeline, thread, why.wait.begin);
        if (state.empty())
            return;
        m_call = valueText(timeline, thread, state.front().value);
        m_isBlocked = meaningOf(timeline, thread, state.front().state) == StateCategory::Waits;
        if (m_first.kind == PathKind::Lock)
            m_lock = findLockWait(timeline, thread, why.wait.begin);
    }

    std::string whole() const
    {
        const std::string length = durationWords(m_whole);
        switch (m_first.kind) {
        case PathKind::Stolen: return "Appeared to run, but for " + length + " its vCPU had no CPU: taken " + m_first.what;
        case PathKind::Throttled: return "Runnable but not scheduled for " + length + " while its CPU was mostly idle: " + m_first.what;
        case PathKind::WaitCpu: return "Runnable but not scheduled for " + length + occupants();
        case PathKind::Preempted: return "Preempted for " + length + occupants();
        default: return head() + cause();
        }
    }

    /// Returns shortened forms of the sentence, longest first. Each names the main cause and its duration.
    std::vector<std::string> shorter() const
    {
        const MainCause& main = m_why.main;
        std::vector<std::string> all;
        if (main.isOwn) {
            appendShorter(whole(), durationWords(m_whole), all);
            return all;
        }
        if (main.isWaker)
            all.push_back((m_isBlocked ? "Blocked" : "Waited") + object() + ", which " + predicate());
        all.push_back(main.who + ' ' + predicate());
        all.push_back(main.who + ": " + durationWords(main.ofActivity));
        return all;
    }

private:
    /// True if the thread waits for work, for example for a condition, and not for a lock.
    bool isForWork() const { return m_lock->waiters.empty(); }

    /// Returns the beginning of the sentence, for example "fsync blocked for 84.193 ms on jbd2/vdb-8 (214)".
    std::string head() const
    {
        const std::string length = durationWords(m_whole);
        if (m_first.kind == PathKind::Timer)
            return "Slept for " + length + (m_call.empty() ? "" : " in " + m_call);
        if (m_isBlocked)
            return (m_call.empty() ? "Blocked for " : m_call + " blocked for ") + length + object();
        return (m_call.empty() ? "Waited " : m_call + " waited ") + length + object();
    }

    /// Returns the words for what the thread waited for, for example " on jbd2/vdb-8 (214)".
    std::string object() const
    {
        if (m_first.waker.isValid()) {
            const std::string waker = threadWords(m_timeline, m_first.waker);
            switch (m_first.kind) {
            case PathKind::Lock: return !m_lock ? " on " + waker : (isForWork() ? " for work from " : " for a lock held by ") + waker;
            case PathKind::Pipe: return " for data or space from " + waker;
            case PathKind::Network: return " for a message from " + waker;
            case PathKind::Process: return " for " + waker;
            default: return " on " + waker;
            }
        }
        switch (m_first.kind) {
        case PathKind::Disk: return m_first.activity.empty() ? " for a disk" + known() : "";
        case PathKind::Network: return " for the network" + known();
        case PathKind::Lock: return (!m_lock ? "" : isForWork() ? " for work" : " for a lock") + known();
        case PathKind::Pipe: return " for a pipe or socket" + known();
        case PathKind::Process: return " for a process or a signal" + known();
        case PathKind::Ipi: return " for another CPU" + known();
        case PathKind::Input: return " for input" + known();
        default: return known();
        }
    }

    /// Returns further facts about a wait that no thread ended, for example ", ended by eth0 on CPU 1".
    std::string known() const
    {
        std::string rest = m_first.what;
        if (!m_call.empty() && rest.starts_with(m_call))
            rest.erase(0, m_call.size());
        if (rest.starts_with(", ") || rest.starts_with("; "))
            rest.erase(0, 2);
        return rest.empty() ? rest : ", " + rest;
    }

    /// True if the sentence must name the main cause, because its beginning does not say it already.
    bool hasCause() const
    {
        const MainCause& main = m_why.main;
        return !main.isOwn || m_why.steps[main.step].kind != m_first.kind || !m_first.activity.empty();
    }

    /// Returns the main cause as a predicate, for example "spent 50.901 ms (60 %) writing 8 KiB to vdb".
    std::string predicate() const
    {
        const MainCause& main = m_why.main;
        const std::string second = main.secondActivity.empty()
            ? std::string()
            : " and " + timeAndShare(main.ofSecondActivity, m_whole) + ' ' + main.secondActivity;
        if (main.isOwn || !second.empty() || 2 * main.ofActivity >= main.total)
            return "spent " + timeAndShare(main.ofActivity, m_whole) + ' ' + main.activity + second;
        return "took " + timeAndShare(main.total, m_whole) + ", " + durationWords(main.ofActivity) + " of that " + main.activity;
    }

    std::string cause() const
    {
        const MainCause& main = m_why.main;
        if (!hasCause())
            return {};
        if (main.isOwn)
            return double(main.ofActivity.count()) > 0.995 * double(m_whole.count()) ? ", " + main.activity : "; it " + predicate();
        return main.isWaker ? ", which " + predicate() : "; " + main.who + ' ' + predicate();
    }

    /// Returns the main occupant of the CPU during a wait for a CPU, for example ", 5.2 ms (80 %) of it behind dd (190)".
    std::string occupants() const
    {
        Duration idle{}, most{};
        std::string_view main;
        for (const PathSegment& segment : m_why.path.segments)
            for (const PathShare& share : std::span(m_why.path.shares).subspan(segment.firstShare, segment.shareCount)) {
                const std::string& detail = m_why.path.details[share.detail];
                if (!detail.starts_with("behind "))
                    idle += share.total;
                else if (share.total > most) {
                    most = share.total;
                    main = detail;
                }
            }
        if (idle > most)
            return idle > m_whole / 2 ? " while its CPU was mostly idle" : " while its CPU was idle for " + timeAndShare(idle, m_whole);
        return main.empty() ? "" : ", " + timeAndShare(most, m_whole) + " of it " + std::string(main);
    }

    const Timeline& m_timeline;
    const Why& m_why;
    const WaitStep& m_first;
    const Duration m_whole;
    std::string m_call; ///< System call in which the thread waited; empty if none or unknown.
    bool m_isBlocked = false;
    std::optional<LockUse> m_lock; ///< The wait for a lock; nullopt if none is known.
};

} // namespace

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

void addConclusion(const Timeline& timeline, TrackRef thread, Why& why)
{
    if (why.steps.empty())
        return;
    why.main = mainCauseOf(timeline, thread, why.steps);
    const Conclusion conclusion(timeline, thread, why);
    why.conclusion = conclusion.whole();
    why.shorterConclusions = conclusion.shorter();
}

} // namespace helio
