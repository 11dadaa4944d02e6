#include "core/waits/locks/lock_contention.h"

#include "core/event_model/segment_fields.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace helio {
namespace {

using LockKey = std::pair<std::uint32_t, std::string>; ///< Key of a lock: index of the host, and name of the lock.

struct LockWaits {
    LockContention use;
    std::set<std::pair<StoreIndex, TrackId>> threads;
    std::vector<Timestamp> begins, ends;
};

/// Computes how many threads waited for a lock at the same time. Two waits do not overlap if one ends at the time when the other begins.
void countAtOnce(LockWaits& lock)
{
    std::ranges::sort(lock.begins);
    std::ranges::sort(lock.ends);
    std::size_t begun = 0, ended = 0;
    Timestamp since;
    while (ended < lock.ends.size()) {
        const bool isBegin = begun < lock.begins.size() && lock.begins[begun] < lock.ends[ended];
        const Timestamp at = isBegin ? lock.begins[begun] : lock.ends[ended];
        const std::size_t before = begun - std::min(begun, ended);
        isBegin ? ++begun : ++ended;
        // A wait of length 0 ends and begins at the same time, and ends are counted first. `ended` may therefore exceed `begun` for a
        // moment; the number of waiting threads must not become negative.
        const std::size_t now = begun - std::min(begun, ended);
        if (now > lock.use.mostAtOnce) {
            lock.use.mostAtOnce = now;
            lock.use.mostAt = at;
        }
        if (before < 2 && now >= 2)
            since = at;
        if (before < 2 || now >= 2)
            continue;
        lock.use.crowded = sumOf(lock.use.crowded, at - since);
        if (at - since > lengthOf(lock.use.convoy))
            lock.use.convoy = {since, at};
    }
}

bool liesWithin(TimeRange range, TimeRange window)
{
    return range.begin >= window.begin && range.begin < window.end && range.end <= window.end;
}

void eachSelected(const Timeline& timeline, std::string_view kind, const LockSelection& selection,
                  const std::function<void(const Segment&)>& take, const std::stop_token& stop)
{
    const auto takeIfSelected = [&](const Segment& it) {
        if (liesWithin(it.range, selection.window) && (!selection.accepts || selection.accepts(it)))
            take(it);
    };
    forEachSegment(timeline, kind, selection.window, takeIfSelected, stop);
}

std::uint32_t hostOfRow(const Timeline& timeline, const Segment& segment) { return rowOf(timeline, segment).host; }

/// Returns the TID in a thread's name as the analyses of locks write it, e.g. "mtx-owner (185)"; -1 if there is none.
std::int32_t tidIn(const std::string& who)
{
    const std::size_t open = who.rfind('(');
    // Without a "(", the text is a TID without a name, for example "185".
    const std::string number = open == std::string::npos ? who : who.substr(open + 1);
    std::int32_t tid = -1;
    std::from_chars(number.data(), number.data() + number.size(), tid);
    return tid;
}

/// Returns the name and TID of a segment's thread, for example "mtx-owner (185)".
std::string whoIn(const Timeline& timeline, const Segment& segment)
{
    const std::int32_t tid = rowOf(timeline, segment).tid;
    const std::string name = fieldOf(fieldsOf(timeline, segment), "comm").value_or("");
    return tid < 0 ? name : name.empty() ? std::to_string(tid) : name + " (" + std::to_string(tid) + ')';
}

std::int64_t numberIn(const std::string& text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

bool isForWork(const Timeline& timeline, const Segment& wait) { return fieldOf(fieldsOf(timeline, wait), "for") == "work"; }

std::vector<LockContention> computeLockContention(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop)
{
    std::map<LockKey, LockWaits> locks;
    const auto lockOf = [&](const Segment& it) -> LockWaits& {
        return locks[{hostOfRow(timeline, it), std::string(nameOf(timeline, it))}];
    };
    const auto takeWait = [&](const Segment& it) {
        LockWaits& lock = lockOf(it);
        if (isForWork(timeline, it)) {
            ++lock.use.workWaits;
            lock.use.waitedForWork = sumOf(lock.use.waitedForWork, lengthOf(it.range));
            return;
        }
        if (lock.use.waits++ == 0 || lengthOf(it.range) > lengthOf(lock.use.longest))
            lock.use.longest = it.range;
        lock.use.waited = sumOf(lock.use.waited, lengthOf(it.range));
        lock.threads.insert({it.store, it.recorded.track});
        if (it.range.begin == it.range.end)
            return; // A wait of length 0 overlaps no other wait, so it does not count as simultaneous with others.
        lock.begins.push_back(it.range.begin);
        lock.ends.push_back(it.range.end);
    };
    const auto takeHold = [&](const Segment& it) {
        LockContention& lock = lockOf(it).use;
        ++lock.holds;
        lock.held = sumOf(lock.held, lengthOf(it.range));
        lock.longestHold = std::max(lock.longestHold, lengthOf(it.range));
    };
    eachSelected(timeline, LockWaitSegments, selection, takeWait, stop);
    eachSelected(timeline, LockHoldSegments, selection, takeHold, stop);
    std::vector<LockContention> all;
    for (auto& [key, lock] : locks) {
        countAtOnce(lock);
        lock.use.mostAtOnce = std::max<std::size_t>(lock.use.mostAtOnce, lock.use.waits > 0 ? 1 : 0);
        lock.use.threads = lock.threads.size();
        std::tie(lock.use.host, lock.use.name) = key;
        all.push_back(std::move(lock.use));
    }
    std::ranges::stable_sort(all, std::greater(), &LockContention::waited);
    return all;
}

std::vector<LockCulprit> lockCulprits(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop)
{
    using Evidence = LockCulprit::Evidence;
    // Culprits keyed by host, TID, lock and evidence. The key has no thread name, because a thread may have had several names.
    std::map<std::tuple<std::uint32_t, std::int32_t, std::string, Evidence>, LockCulprit> culprits;
    const auto add = [&](const Segment& it, std::string who, Evidence did, Duration time) {
        const std::uint32_t host = hostOfRow(timeline, it);
        std::string lock(nameOf(timeline, it));
        LockCulprit& culprit = culprits[{host, tidIn(who), lock, did}];
        culprit.times += 1;
        if (culprit.times == 1 || time > culprit.most)
            std::tie(culprit.most, culprit.longest, culprit.row) = std::tuple(time, it.range, it.row());
        culprit.causedWait = sumOf(culprit.causedWait, time);
        std::tie(culprit.host, culprit.who, culprit.did, culprit.lock) = std::tuple(host, std::move(who), did, std::move(lock));
    };
    const auto takeWait = [&](const Segment& it) {
        if (auto waker = fieldOf(fieldsOf(timeline, it), "woken_by"); waker && !isForWork(timeline, it))
            add(it, std::move(*waker), Evidence::Woke, lengthOf(it.range));
    };
    const auto takeHold = [&](const Segment& it) {
        const auto text = fieldOf(fieldsOf(timeline, it), "made_wait_ns");
        if (const std::int64_t ns = text ? numberIn(*text) : 0; ns > 0)
            add(it, whoIn(timeline, it), Evidence::Held, Duration(ns));
    };
    eachSelected(timeline, LockWaitSegments, selection, takeWait, stop);
    eachSelected(timeline, LockHoldSegments, selection, takeHold, stop);
    std::vector<LockCulprit> all;
    for (auto& [key, culprit] : culprits)
        all.push_back(std::move(culprit));
    std::ranges::stable_sort(all, std::greater(), &LockCulprit::causedWait);
    return all;
}

namespace {

/// Adds a wait to the use of its lock.
void addWait(const Timeline& timeline, const Segment& it, LockUse& use)
{
    const std::string fields(fieldsOf(timeline, it));
    use.lock = nameOf(timeline, it);
    const bool forWork = isForWork(timeline, it);
    auto& waiters = forWork ? use.workWaiters : use.waiters;
    waiters.push_back(whoIn(timeline, it));
    if (use.holder.empty())
        use.holder = fieldOf(fields, "held_by").value_or("");
    if (!forWork || use.waiters.empty()) // A wait for work says nothing about who releases the lock.
        use.waker = waiters.size() == 1 && use.holder.empty() ? fieldOf(fields, "woken_by").value_or("") : std::string();
}

} // namespace

std::optional<LockUse> findLockUse(const Timeline& timeline, TrackRef row, Timestamp at, const std::stop_token& stop)
{
    const TimeRange moment{at, at + Duration(1)};
    const Track* const track = trackOf(timeline, row);
    if (!track || track->role == TrackRole::Thread)
        return {};
    LockUse use;
    const auto isHere = [&](const Segment& it) {
        const Track* const own = it.range.contains(at) ? trackOf(timeline, it.row()) : nullptr;
        return own && (it.row() == row || TrackRef{it.store, own->parent} == row);
    };
    forEachSegment(
        timeline, LockWaitSegments, moment,
        [&](const Segment& it) {
            if (isHere(it))
                addWait(timeline, it, use);
        },
        stop);
    forEachSegment(
        timeline, LockHoldSegments, moment,
        [&](const Segment& it) {
            if (!isHere(it))
                return;
            use.lock = nameOf(timeline, it);
            use.holder = whoIn(timeline, it);
        },
        stop);
    if (!use.holder.empty())
        use.waker.clear();
    return use.lock.empty() ? std::nullopt : std::optional(use);
}

std::optional<LockUse> findLockWait(const Timeline& timeline, TrackRef thread, Timestamp at, const std::stop_token& stop)
{
    const Track* const track = trackOf(timeline, thread);
    if (!track || track->tid < 0)
        return {};
    LockUse use;
    const std::uint32_t host = timeline.traces[traceOf(timeline, thread)].host;
    forEachSegment(
        timeline, LockWaitSegments, {at, at + Duration(1)},
        [&](const Segment& it) {
            const Track* const own = it.range.contains(at) && use.lock.empty() ? trackOf(timeline, it.row()) : nullptr;
            if (own && own->tid == track->tid && timeline.traces[traceOf(timeline, it.row())].host == host)
                addWait(timeline, it, use);
        },
        stop);
    return use.lock.empty() ? std::nullopt : std::optional(use);
}

std::uint64_t countKernelLockWaits(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop)
{
    std::map<TrackRef, bool> known;
    std::uint64_t count = 0;
    const auto takeWait = [&](const Segment& it) {
        const auto [row, isNew] = known.try_emplace(it.row());
        // Recognize kernel locks by their row ids, such as "lock:0xffff888100044880/tid:7". The id of a program's lock contains the
        // process, or begins with e.g. "futex:".
        if (isNew)
            row->second = rowOf(timeline, it).id.starts_with("lock:0x") && fieldOf(fieldsOf(timeline, it), "type");
        count += row->second ? 1 : 0;
    };
    eachSelected(timeline, LockWaitSegments, selection, takeWait, stop);
    return count;
}

bool hasLocks(const Timeline& timeline)
{
    return findSegmentKind(timeline, LockWaitSegments) || findSegmentKind(timeline, LockHoldSegments);
}

} // namespace helio
