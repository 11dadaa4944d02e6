#include "core/analyses/locks/futexes.h"

#include "core/analysis/track_view.h"

#include <algorithm>
#include <utility>

namespace helio::locks {
namespace {

/// Error numbers that Linux returns from system calls. Numbers from 512 on are kernel-internal: they mark calls that a signal interrupted,
/// and are recorded before the kernel turns them into EINTR or restarts the call.
enum CallResult : std::int64_t {
    Succeeded = 0,
    Interrupted = -4,
    ValueChanged = -11,
    TimedOut = -110,
    Restarts = -512,
    RestartsFromBlock = -516
};

std::string endOf(std::int64_t result, bool isOfLock)
{
    if (result == Succeeded)
        return isOfLock ? "" : "wake";
    if (result == TimedOut)
        return "timeout";
    if (result == Interrupted || (result <= Restarts && result >= RestartsFromBlock))
        return "signal";
    return "error " + std::to_string(-result);
}

/// Returns the number of threads that a waking futex call woke. FUTEX_UNLOCK_PI does not return the number: at success, one thread got the
/// lock.
std::int64_t wokenBy(const FutexCall& call, std::int64_t result)
{
    if (call.op == FutexOp::UnlockPi)
        return result == Succeeded ? 1 : 0;
    // For calls that requeue waiters, the kernel returns the number of woken and requeued threads together. (For FUTEX_REQUEUE, the man
    // page says otherwise.) The kernel wakes up to `count` threads before it requeues any.
    return std::max<std::int64_t>(0, movesWaiters(call.op) ? std::min(result, call.count) : result);
}

std::uint64_t idOf(std::uint32_t pidNamespace, std::int32_t tid)
{
    return tid > 0 ? std::uint64_t(pidNamespace) << 32 | static_cast<std::uint32_t>(tid) : 0;
}

} // namespace

void FutexWakes::add(std::shared_ptr<FutexWake> wake)
{
    std::erase_if(m_wakes, [](const auto& it) { return it->left() <= 0; });
    if (m_wakes.size() >= Most) {
        m_dropped = std::max(m_dropped, m_wakes.front()->end.value_or(HostTimestamp::max()));
        m_wakes.erase(m_wakes.begin());
    }
    m_wakes.push_back(std::move(wake));
}

bool FutexWakes::find(HostTimestamp since, std::uint64_t waiter, std::vector<std::shared_ptr<FutexWake>>& found) const
{
    std::ranges::copy_if(m_wakes, std::back_inserter(found),
                         [&](const auto& it) { return it->left() > 0 && it->by.id != waiter && (!it->end || *it->end >= since); });
    return m_dropped < since;
}

std::shared_ptr<FutexWake> wakeThatEnded(HostTimestamp since, std::uint64_t waiter, std::span<const FutexWakes* const> futexes)
{
    std::vector<std::shared_ptr<FutexWake>> found;
    for (const FutexWakes* const futex : futexes)
        if (!futex->find(since, waiter, found))
            return nullptr;
    const bool isOne = !found.empty() && std::ranges::all_of(found, [&](const auto& it) { return it->by.id == found.front()->by.id; });
    return isOne ? found.front() : nullptr;
}

Futexes::Futexes(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_events(trace)
    , m_fields(trace,
               [this](const EventType& type, EventTypeId number) {
                   return m_events.roleOf(number) != FutexRole::None ? std::optional<ThreadFields>(type) : std::nullopt;
               })
    , m_running(trace, RunningThreads::Needs::Names)
    , m_threadNames(trace)
{
    for (std::uint32_t i = 0; i < trace.eventTypes().size(); ++i) {
        const EventTypeId type{i};
        // A switch event goes to takeSwitch() even if it has a thread context, because the context contains the thread that is switched
        // out.
        m_uses.push_back(m_fields.has(type)                ? Use::Call
                             : m_running.isSwitch(type)    ? Use::Switch
                             : m_threadNames.isAbout(type) ? Use::ThreadNames
                                                           : Use::None);
    }
}

void Futexes::onEvents(const EventRun& run)
{
    const Use* const uses = m_uses.data();
    for (const EventRecord& record : run.records)
        if (const Use use = uses[static_cast<std::size_t>(record.type)]; use != Use::None)
            take({&record, &m_trace.eventTypes()[record.type], run.packet, run.stream}, use);
}

void Futexes::take(const EventView& event, Use use)
{
    if (use == Use::Switch)
        return takeSwitch(event);
    if (use == Use::ThreadNames)
        return m_threadNames.take(event);
    switch (m_events.roleOf(event.record->type)) {
    case FutexRole::Enter: return enter(event);
    case FutexRole::Leave: return leave(event);
    case FutexRole::Waking: return attributeWakeUp(event);
    case FutexRole::Exit: return forget(event.time(), idOf(0, m_events.thread(event)));
    case FutexRole::None: return;
    }
}

void Futexes::takeSwitch(const EventView& event)
{
    if (!m_unseen.empty()) {
        if (const auto unseen = m_unseen.extract(event.cpu()); !unseen.empty()) {
            Contender who;
            who.tid = m_running.switchedOutTid(event);
            who.pid = m_threadNames.processOf(who.tid);
            who.id = idOf(0, who.tid);
            who.name = m_threadNames.nameOf(who.tid);
            if (who.id != 0)
                enter(unseen.mapped().since, unseen.mapped().asked, who, {0, who.pid});
        }
    }
    m_running.take(event);
}

void Futexes::enter(const EventView& event)
{
    const auto asked = m_events.call(event);
    if (!asked)
        return;
    m_threadNames.takeRecords(event.time());
    const Contender who = contenderIn(event);
    if (who.id != 0)
        enter(event.time(), *asked, who, processIn(event, who));
    else if (who.tid < 0)
        m_unseen[event.cpu()] = {*asked, event.time()};
}

void Futexes::enter(HostTimestamp at, const FutexCall& asked, const Contender& who, const ProcessId& process)
{
    forget(at, who.id); // Drop the thread's futex call that is still open: its exit event was lost.
    const std::string_view waits = waitName(asked.op);
    if (waits.empty() && !canWake(asked.op))
        return;
    Call call{asked, who, at, futexOf(asked, process, asked.address), {}, nullptr, nullptr};
    Futex* const second = hasSecond(asked.op) ? futexOf(asked, process, asked.second) : nullptr;
    if (!call.futex)
        return;
    if (second && second != call.futex)
        call.others.push_back(second);
    if (!waits.empty())
        lockOf(*call.futex).wait(at, who, waits, isForLock(asked) ? Lock::Purpose::Lock : Lock::Purpose::Work);
    else
        addWake(at, call);
    if (!call.wake)
        addWaiter(who.id, call);
    m_calls.insert_or_assign(who.id, std::move(call));
}

void Futexes::addWaiter(std::uint64_t thread, const Call& call)
{
    call.futex->waiters.insert(thread);
    for (Futex* const other : call.others)
        other->waiters.insert(thread);
}

void Futexes::removeWaiter(std::uint64_t thread, const Call& call)
{
    call.futex->waiters.erase(thread);
    for (Futex* const other : call.others)
        other->waiters.erase(thread);
}

void Futexes::addWake(HostTimestamp at, Call& call)
{
    call.wake = std::make_shared<FutexWake>(FutexWake{call.who, call.asked.op, {}, {}, 0});
    call.futex->wakes.add(call.wake);
    if (call.asked.op == FutexOp::UnlockPi && call.futex->lock)
        call.futex->lock->release(at, call.who);
    for (Futex* const other : call.others) {
        if (movesWaiters(call.asked.op))
            moveWaiters(*call.futex, *other);
        else
            other->wakes.add(call.wake);
    }
}

/// Adds the target of a requeue to all waiters, because it is unknown which of them were moved. A waiter with too many possible futexes, or
/// on a futex with too many waiters, is no longer tracked.
void Futexes::moveWaiters(const Futex& from, Futex& to)
{
    constexpr std::size_t MostWaiters = 1000, MostPlaces = 8;
    const bool areMany = from.waiters.size() > MostWaiters;
    for (const std::uint64_t thread : std::vector(from.waiters.begin(), from.waiters.end())) {
        Call& call = m_calls.at(thread);
        if (call.futex == &to || std::ranges::find(call.others, &to) != call.others.end())
            continue;
        if (areMany || call.others.size() >= MostPlaces) {
            call.isAnywhere = true;
            removeWaiter(thread, call);
            continue;
        }
        call.others.push_back(&to);
        to.waiters.insert(thread);
    }
}

void Futexes::leave(const EventView& event)
{
    const auto result = m_events.result(event);
    if (!result)
        return;
    const Contender who = contenderIn(event);
    if (who.id == 0) {
        if (who.tid < 0)
            m_unseen.erase(event.cpu());
        return;
    }
    const auto call = m_calls.extract(who.id);
    if (call.empty())
        return;
    if (const auto& wake = call.mapped().wake) {
        wake->end = event.time();
        wake->woke = wokenBy(call.mapped().asked, *result);
    } else {
        removeWaiter(who.id, call.mapped());
        endWait(event.time(), call.mapped(), *result);
    }
}

void Futexes::endWait(HostTimestamp at, const Call& call, std::int64_t result)
{
    Lock& lock = lockOf(*call.futex);
    if (result == ValueChanged)
        return lock.cancelWait(at, call.who);
    const bool isOfLock = takesLock(call.asked.op);
    WaitEnd end{.isAcquired = !isOfLock || result == Succeeded};
    const auto wake = result == Succeeded ? wakeOf(call) : nullptr;
    if (wake) {
        ++wake->known;
        end.waker = wake->by.words();
    }
    const std::string how = wake ? "wake" : endOf(result, isOfLock);
    end.by = how;
    lock.endWait(at, call.who, end);
    if (!isOfLock || !wake || wake->op != FutexOp::UnlockPi)
        return;
    // UNLOCK_PI gave the lock to this thread, marked as contended. A thread can release such a lock only with a system call, so the trace
    // shows the release.
    m_hasHolds = true;
    lockOf(call.others.empty() ? *call.futex : *call.others.front()).hold(at, call.who, Lock::PreviousHold::Unknown);
}

std::shared_ptr<FutexWake> Futexes::wakeOf(const Call& call) const
{
    if (call.wokenIn || call.isAnywhere)
        return call.wokenIn;
    std::vector<const FutexWakes*> all{&call.futex->wakes};
    for (const Futex* const other : call.others)
        all.push_back(&other->wakes);
    return wakeThatEnded(call.since, call.who.id, all);
}

/// Handles a wake-up event. If the waker is in a futex call that wakes waiters, stores this wake in the futex call of the woken thread.
void Futexes::attributeWakeUp(const EventView& event)
{
    if (m_calls.empty())
        return;
    const auto woken = m_calls.find(idOf(0, m_events.thread(event)));
    if (woken == m_calls.end() || woken->second.wake)
        return;
    const auto waker = m_calls.find(contenderIn(event).id);
    if (waker != m_calls.end() && waker->second.wake && mayMeet(waker->second, woken->second))
        woken->second.wokenIn = waker->second.wake;
}

/// Returns true if the two calls may concern the same futex. Two shared futexes at different addresses may be the same futex.
bool Futexes::mayMeet(const Call& waker, const Call& waiter)
{
    if ((waker.asked.isShared && waiter.asked.isShared) || waiter.isAnywhere)
        return true;
    const auto has = [](const Call& call, const Futex* futex) {
        return call.futex == futex || std::ranges::find(call.others, futex) != call.others.end();
    };
    return has(waiter, waker.futex) || std::ranges::any_of(waker.others, [&](const Futex* it) { return has(waiter, it); });
}

void Futexes::forget(HostTimestamp at, std::uint64_t thread)
{
    const auto call = m_calls.empty() ? decltype(m_calls)::node_type() : m_calls.extract(thread);
    if (call.empty())
        return;
    if (const auto& wake = call.mapped().wake) {
        wake->end = at;
        return;
    }
    removeWaiter(thread, call.mapped());
    lockOf(*call.mapped().futex).forgetWait(at, call.mapped().who);
}

/// Returns the thread of the event; the result's id is 0 if the thread is unknown or an idle thread.
Contender Futexes::contenderIn(const EventView& event)
{
    const ThreadFields& fields = m_fields[event.record->type];
    Contender who;
    who.tid = fields.tid(event);
    who.name = fields.name(event);
    if (who.name.empty() && m_threadNames.hasAllNames())
        who.name = m_threadNames.nameOf(who.tid);
    if (who.tid < 0 || who.name.empty()) {
        RunningThread running = m_running.on(event.cpu());
        if (who.tid < 0)
            who.tid = running.tid;
        if (who.name.empty() && who.tid == running.tid)
            who.name = std::move(running.name);
    }
    if (who.name.empty())
        who.name = m_threadNames.nameOf(who.tid);
    who.pid = fields.pid(event) >= 0 ? fields.pid(event) : m_threadNames.processOf(who.tid);
    who.id = idOf(fields.pidNamespace(event), who.tid);
    return who;
}

ProcessId Futexes::processIn(const EventView& event, const Contender& who) const
{
    return {m_fields[event.record->type].pidNamespace(event), who.pid};
}

/// Returns the futex at the address, and adds it if it is new; nullptr if there are too many futexes.
Futexes::Futex* Futexes::futexOf(const FutexCall& call, const ProcessId& process, std::uint64_t address)
{
    const FutexId id{call.isShared, call.isShared ? ProcessId() : process, address};
    if (const auto known = m_futexes.find(id); known != m_futexes.end())
        return &known->second;
    if (m_futexes.size() >= MostLocks)
        return nullptr;
    return &m_futexes.try_emplace(id, Futex{{}, {}, id}).first->second;
}

Lock& Futexes::lockOf(Futex& futex)
{
    if (futex.lock)
        return *futex.lock;
    const FutexId& id = futex.id;
    const std::string owner = id.isShared ? "shared/"
        : id.process.pid < 0              ? ""
                                          : std::to_string(id.process.pid) + namespaceSuffix(id.process.pidNamespace) + '/';
    const std::string key = "futex:" + owner + hexadecimal(id.address);
    const std::string label = labelOf(id);
    const TrackId row = addLockRow(m_sink, key, label, "futex", id.process.pid, m_locks++);
    return futex.lock.emplace(m_sink, futexWaiterStates(), key, label, row);
}

std::string Futexes::labelOf(const FutexId& id) const
{
    const std::string label = hexadecimal(id.address) + " futex";
    if (id.isShared)
        return label + ", shared";
    if (id.process.pid < 0)
        return label;
    const std::string number = std::to_string(id.process.pid) + namespaceSuffix(id.process.pidNamespace);
    const std::string name(m_threadNames.nameOf(id.process.pid));
    return label + " of " + (name.empty() ? "process " + number : name + " (" + number + ')');
}

/// Drops all waits, whichever CPU lost the events, because each waiter may have resumed and waited again in the gap.
void Futexes::lose(const Loss& loss)
{
    const HostTimestamp at = loss.range.begin;
    const auto loseLock = [&](Lock& lock) {
        lock.lose(at);
        m_lost.push_back(&lock);
    };
    for (const auto& [thread, call] : m_calls) {
        if (call.wake) {
            call.wake->woke = 0;
        } else {
            removeWaiter(thread, call);
            loseLock(lockOf(*call.futex));
        }
    }
    if (m_hasHolds)
        for (auto& [id, futex] : m_futexes)
            if (futex.lock)
                loseLock(*futex.lock);
    m_hasHolds = false;
    m_calls.clear();
    m_unseen.clear();
    if (loss.cpu < 0)
        m_running.forget();
    else
        m_running.forget(loss.cpu);
}

void Futexes::finish(HostTimestamp)
{
    for (const auto& [id, futex] : m_futexes)
        if (futex.lock)
            futex.lock->setRowPosition();
}

void Futexes::onLossBegin(const Loss& loss)
{
    ++m_losses;
    lose(loss);
}

void Futexes::onLoss(const Loss& loss)
{
    m_losses = std::max(0, m_losses - 1);
    lose(loss);
    if (m_losses > 0)
        return;
    for (Lock* const lock : m_lost)
        lock->endLost(loss.range.end);
    m_lost.clear();
}

} // namespace helio::locks

namespace helio {
namespace {

// The view has no title here, because the locks analysis describes it.
const TrackView FutexViews[] = {{.id = std::string(locks::View)}};

class FutexesAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "futexes"; }
    int version() const override { return 7; }
    std::span<const TrackView> views() const override { return FutexViews; }
    bool appliesTo(const Trace& trace) const override { return locks::hasFutexes(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<locks::Futexes>(input.trace, sink);
    }
};

} // namespace

extern const BuiltinAnalysis futexesAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<FutexesAnalysis>(); }};

} // namespace helio
