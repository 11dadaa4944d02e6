#include "core/analyses/locks/lock.h"

#include "core/event_model/segment_fields.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

namespace helio::locks {
namespace {

enum class LockState : std::uint8_t { Held, WaitedFor, Unknown, IdleWait };
enum class ContenderState : std::uint8_t { Holds, Waits, Unknown, IdleWait };

StateStyle style(const char* color, const char* words, const char* shortly, std::uint8_t height, std::uint8_t order, const char* valueTitle)
{
    StateStyle it{color, words, shortly, height, BarPattern::Plain, order};
    it.flags = StateFlag::Labelled | StateFlag::InHeader;
    it.valueTitle = valueTitle;
    it.connective = "";
    return it;
}

StateKind unknown()
{
    return {"unknown",
            StateCategory::Unknown,
            {"thread.unknown", "Unknown: events were lost", "unknown", 5, BarPattern::Hatched, RestingOrder}};
}

/// Returns the state of waits for work, which is drawn like sleep.
StateKind idleWait(const char* words, const char* valueTitle)
{
    StateStyle look{"thread.sleeping", words, "waits for work", 2, BarPattern::Line, RestingOrder + 1};
    look.flags = StateFlag::InHeader;
    look.valueTitle = valueTitle;
    look.connective = "";
    return {"idle-wait", StateCategory::Rests, look};
}

State stateOf(LockState it) { return static_cast<State>(it); }
State stateOf(ContenderState it) { return static_cast<State>(it); }
State stateOf(Lock::Purpose it) { return stateOf(it == Lock::Purpose::Lock ? ContenderState::Waits : ContenderState::IdleWait); }

SegmentKindId addKind(StateSink& sink, const char* id, const char* title)
{
    SegmentKind kind;
    kind.id = id;
    kind.title = title;
    kind.nameTitle = "Lock";
    kind.valueTitle = "Owner";
    kind.hasFields = true;
    return *sink.segments().addKind(kind);
}

} // namespace

const StateSet& lockStates()
{
    static const StateSet set{"lock",
                              {{"held", StateCategory::None, style("lock.held", "Held, uncontended", "held", 6, 1, "Owner")},
                               {"waited-for", StateCategory::None, style("lock.contended", "Contended", "contended", 16, 0, "Waiters")},
                               unknown(),
                               idleWait("Threads wait for work", "Waiters")},
                              "Locks"};
    return set;
}

const StateSet& contenderStates()
{
    static const StateSet set{"lock-thread",
                              {{"holds", StateCategory::None, style("lock.held", "Holding the lock", "holds", 6, 0, "")},
                               {"waits", StateCategory::None, style("lock.contended", "Waiting for lock", "waits", 10, 1, "Held by")},
                               unknown()},
                              ""};
    return set;
}

const StateSet& futexWaiterStates()
{
    static const StateSet set{
        "futex-thread",
        {{"holds", StateCategory::None, style("lock.held", "Holding the lock", "holds", 6, 0, "")},
         {"waits", StateCategory::None, style("lock.contended", "Waiting for lock (futex)", "waits", 10, 1, "Ended by")},
         unknown(),
         idleWait("Waiting for work (futex)", "Ended by")},
        ""};
    return set;
}

Lock::Lock(StateSink& sink, const StateSet& contenders, std::string key, std::string label, TrackId row)
    : m_sink(sink)
    , m_contenders(contenders)
    , m_key(std::move(key))
    , m_name(sink.string(label))
    , m_row(row)
{
}

TrackId Lock::rowOf(const Contender& who)
{
    if (m_row == NoTrack)
        return NoTrack;
    const auto known = m_rows.find(who.id);
    if (known != m_rows.end())
        return known->second;
    if (m_rows.size() >= MostRows)
        return NoTrack;
    Track row;
    row.view = View;
    row.kind = "lock-thread";
    row.key = m_key + (who.idleCpu < 0 ? "/tid:" + std::to_string(who.id) : "/cpu:" + std::to_string(who.idleCpu));
    row.label = who.name.empty() ? std::to_string(who.tid) : who.name;
    row.parent = m_row;
    row.tid = who.tid;
    row.pid = who.pid;
    row.cpu = who.idleCpu;
    row.states = *m_sink.stateSet(m_contenders);
    row.valueKind = ValueKind::Text;
    row.sortKey = static_cast<std::int32_t>(m_rows.size());
    return m_rows.emplace(who.id, m_sink.addTrack(std::move(row))).first->second;
}

/// Sets the row's sort key, so that the rows of all locks are ordered by total wait for the lock, longest first, even if they come from
/// several analyses. The key is the negated bit pattern of the wait as a float: bit patterns of positive floats have the same order as the
/// floats.
void Lock::setRowPosition() const
{
    if (m_row != NoTrack)
        m_sink.track(m_row).sortKey = -std::bit_cast<std::int32_t>(static_cast<float>(m_waited.count()));
}

std::size_t Lock::waiting() const
{
    if (m_lockWaits == 0 || !m_hold)
        return m_lockWaits;
    const auto owner = m_waits.find(m_hold->who.id);
    return m_lockWaits - (owner != m_waits.end() && owner->second.purpose == Purpose::Lock ? 1 : 0);
}

/// Counts a wait that was added to m_waits.
void Lock::addWaiter(const Wait& wait)
{
    if (wait.purpose == Purpose::Lock)
        ++m_lockWaits;
    if (isCausedByHold(wait))
        m_hold->waitDelays.add(m_hold->delayOf(wait));
}

/// Removes the thread's wait from m_waits and returns it; nullopt if the thread does not wait.
std::optional<Lock::Wait> Lock::takeWaiter(const Contender& who)
{
    const auto found = m_waits.extract(who.id);
    if (found.empty())
        return {};
    const Wait& wait = found.mapped();
    if (wait.purpose == Purpose::Lock)
        --m_lockWaits;
    if (isCausedByHold(wait))
        m_hold->waitDelays.remove(m_hold->delayOf(wait));
    return std::move(found.mapped());
}

void Lock::wait(HostTimestamp at, const Contender& who, std::string_view sort, Purpose purpose)
{
    const bool hasIt = isHeldBy(who); // True if the owner acquires the lock again. It then does not wait for another thread.
    const std::string holder = m_hold && !hasIt ? m_hold->who.words() : std::string();
    const auto [it, isNew] = m_waits.try_emplace(who.id, Wait{who, at, std::string(sort), holder, purpose});
    if (isNew)
        addWaiter(it->second);
    if (!isNew || hasIt)
        return;
    if (const TrackId row = rowOf(who); row != NoTrack)
        m_sink.beginInterval(at, row, stateOf(purpose), static_cast<std::uint32_t>(m_sink.string(holder)));
    if (m_hold)
        m_hold->mostWaiting = std::max(m_hold->mostWaiting, waiting());
    show(at);
}

void Lock::endWait(HostTimestamp at, const Contender& who, const WaitEnd& end)
{
    const std::optional<Wait> ended = takeWaiter(who);
    if (!ended)
        return;
    const Wait& wait = *ended;
    if (wait.purpose == Purpose::Lock)
        m_waited = sumOf(m_waited, std::max(Duration(), at - wait.since));
    const bool hasIt = isHeldBy(who);
    if (isCausedByHold(wait))
        m_hold->causedWait = sumOf(m_hold->causedWait, std::max(Duration(), at - std::max(wait.since, m_hold->since)));
    SegmentFields fields;
    if (!wait.sort.empty())
        fields.add("type", wait.sort);
    if (!wait.who.name.empty())
        fields.add("comm", wait.who.name);
    if (!wait.holder.empty())
        fields.add("held_by", wait.holder);
    if (!end.by.empty())
        fields.add("ended_by", end.by);
    if (!end.waker.empty())
        fields.add("woken_by", end.waker);
    if (!end.isAcquired)
        fields.add("got", "no");
    if (wait.purpose == Purpose::Work)
        fields.add("for", "work");
    add(m_waitKind, waitsIn, wait.since, at, wait.who, fields.text());
    if (hasIt)
        return;
    if (const TrackId row = rowOf(who); row != NoTrack) {
        if (!end.by.empty()) { // The waker was unknown until now, so the state of the whole wait is set again.
            const std::string words = end.waker.empty() ? std::string(end.by) : end.waker;
            m_sink.beginInterval(wait.since, row, stateOf(wait.purpose), static_cast<std::uint32_t>(m_sink.string(words)));
        }
        m_sink.end(at, row);
    }
    show(at);
}

void Lock::cancelWait(HostTimestamp at, const Contender& who)
{
    const std::optional<Wait> cancelled = takeWaiter(who);
    if (!cancelled)
        return;
    const HostTimestamp since = cancelled->since;
    if (const TrackId row = rowOf(who); row != NoTrack)
        m_sink.end(since, row);
    // If the lock's row has not changed since the wait began, rewrite the row from the time `since`, as if the thread had never waited.
    show(m_lastShownAt == since ? since : at);
}

void Lock::forgetWait(HostTimestamp at, const Contender& who)
{
    if (!takeWaiter(who))
        return;
    if (const TrackId row = rowOf(who); row != NoTrack)
        m_sink.end(at, row);
    show(at);
}

void Lock::hold(HostTimestamp at, const Contender& who, PreviousHold before)
{
    if (isHeldBy(who)) {
        ++m_hold->depth;
        return;
    }
    if (m_hold)
        before == PreviousHold::Held ? endHold(at) : dropHold(at);
    m_hold = Hold{who, at};
    m_hold->mostWaiting = waiting();
    if (const TrackId row = rowOf(who); row != NoTrack)
        m_sink.beginInterval(at, row, stateOf(ContenderState::Holds));
    show(at);
}

void Lock::release(HostTimestamp at, const Contender& who)
{
    if (!isHeldBy(who) || --m_hold->depth > 0)
        return;
    endHold(at);
    show(at);
}

void Lock::endHold(HostTimestamp at)
{
    const std::size_t waiters = waiting();
    const Hold hold = std::move(*m_hold);
    m_hold.reset();
    // Each current waiter has waited since the hold began, except for its delay.
    __extension__ using Wide = __int128;
    const Wide current = Wide(std::max(Duration(), at - hold.since).count()) * Wide(waiters) - hold.waitDelays.value();
    const Duration causedWait = sumOf(hold.causedWait, Duration(static_cast<std::int64_t>(std::clamp<Wide>(current, 0, INT64_MAX))));
    SegmentFields fields;
    if (!hold.who.name.empty())
        fields.add("comm", hold.who.name);
    fields.addNumber("waiters", hold.mostWaiting);
    fields.addNumber("made_wait_ns", causedWait.count());
    add(m_holdKind, holdsIn, hold.since, at, hold.who, fields.text());
    if (const TrackId row = rowOf(hold.who); row != NoTrack)
        m_sink.end(at, row);
}

/// Drops the owner's hold of the lock without a segment, because its duration is unknown.
void Lock::dropHold(HostTimestamp at)
{
    if (const TrackId row = rowOf(m_hold->who); row != NoTrack)
        m_sink.end(at, row);
    m_hold.reset();
}

void Lock::add(std::optional<SegmentKindId>& kind, Declare declare, HostTimestamp begin, HostTimestamp end, const Contender& who,
               std::string fields)
{
    HostSegment segment;
    segment.begin = begin;
    segment.end = std::max(begin, end);
    segment.name = m_name;
    segment.value = static_cast<std::int64_t>(m_sink.string(fields));
    const TrackId row = rowOf(who);
    segment.track = row == NoTrack ? m_row : row;
    if (!kind)
        kind = declare(m_sink);
    segment.kind = *kind;
    m_sink.segments().add(segment);
}

void Lock::show(HostTimestamp at)
{
    m_lastShownAt = at;
    if (m_row == NoTrack)
        return;
    const std::string holder = m_hold ? m_hold->who.words() : std::string();
    const auto value = [&](const std::string& words) { return static_cast<std::uint32_t>(m_sink.string(words)); };
    if (const std::size_t count = waiting(); count > 0)
        m_sink.set(at, m_row, stateOf(LockState::WaitedFor), value(std::to_string(count) + (holder.empty() ? "" : " for " + holder)));
    else if (m_hold)
        m_sink.set(at, m_row, stateOf(LockState::Held), value(holder));
    else if (const std::size_t idle = waitingForWork(); idle > 0)
        m_sink.set(at, m_row, stateOf(LockState::IdleWait), value(std::to_string(idle)));
    else
        m_sink.end(at, m_row);
}

void Lock::lose(HostTimestamp at)
{
    const auto setUnknown = [&](TrackId row, State state) {
        if (row == NoTrack)
            return;
        m_sink.set(at, row, state);
        m_lost.push_back(row);
    };
    if (m_hold || !m_waits.empty())
        setUnknown(m_row, stateOf(LockState::Unknown));
    if (m_hold)
        setUnknown(rowOf(m_hold->who), stateOf(ContenderState::Unknown));
    for (const auto& [id, wait] : m_waits)
        setUnknown(rowOf(wait.who), stateOf(ContenderState::Unknown));
    m_hold.reset();
    m_waits.clear();
    m_lockWaits = 0;
}

void Lock::endLost(HostTimestamp at)
{
    for (const TrackId row : m_lost)
        m_sink.end(at, row);
    m_lost.clear();
}

SegmentKindId waitsIn(StateSink& sink) { return addKind(sink, "lock", "Lock waits"); }

SegmentKindId holdsIn(StateSink& sink) { return addKind(sink, "lock-hold", "Locks held"); }

TrackId addLockRow(StateSink& sink, const std::string& key, const std::string& label, const char* kind, std::int32_t pid,
                   std::size_t number)
{
    if (number >= MostRows)
        return NoTrack;
    Track track;
    track.view = View;
    track.kind = kind;
    track.key = key;
    track.label = label;
    track.pid = pid;
    track.states = *sink.stateSet(lockStates());
    track.valueKind = ValueKind::Text;
    track.sortKey = static_cast<std::int32_t>(number);
    return sink.addTrack(std::move(track));
}

std::string hexadecimal(std::uint64_t number)
{
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

} // namespace helio::locks
