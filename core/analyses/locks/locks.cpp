#include "core/analyses/locks/locks.h"

#include "core/analysis/track_view.h"

#include <algorithm>

namespace helio::locks {
namespace {

bool isOfKernel(LockEventRole role) { return role == LockEventRole::WaitBegin || role == LockEventRole::WaitEnd; }

/// Returns the idle thread of a CPU, with the kernel's name for it. Its id is unique, because the TIDs of other threads are positive.
Contender idleThreadOf(std::int32_t cpu)
{
    constexpr std::uint32_t NoTid = 0x80000000;
    return {NoTid | static_cast<std::uint32_t>(cpu), 0, "swapper/" + std::to_string(cpu), -1, cpu};
}

/// Returns the type of a lock without the access mode, e.g. "rwlock" for "rwlock:R".
std::string_view sortOf(std::string_view asWanted) { return asWanted.substr(0, asWanted.find(':')); }

} // namespace

Locks::Locks(const Trace& trace, const Store* kernel, StateSink& sink)
    : m_trace(trace)
    , m_kernel(kernel)
    , m_sink(sink)
    , m_events(trace)
    , m_pid(processOf(trace.info()))
{
    // Declare the segment kind even if there are no waits. It shows that the trace has lock events, so a list without waits is correct.
    waitsIn(sink);
    holdsIn(sink);
    for (const auto& type : trace.eventTypes())
        m_fields.emplace_back(*type);
}

void Locks::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        const LockEventRole role = m_events.roleOf(record.type);
        if (role == LockEventRole::None)
            continue;
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        take(event, role);
    }
}

void Locks::take(const EventView& event, LockEventRole role)
{
    const auto address = m_events.address(event);
    if (!address)
        return;
    const Contender who = contenderIn(event, role);
    if (who.id == 0)
        return;
    Lock* const found = lockOf(event, role, *address);
    if (!found)
        return;
    Lock& lock = *found;
    const bool isDone = m_events.isDone(event);
    const auto holdIfDone = [&] {
        if (isDone)
            lock.hold(event.time(), who, m_losses == 0 ? Lock::PreviousHold::Held : Lock::PreviousHold::Unknown);
    };
    switch (role) {
    case LockEventRole::WaitBegin: return lock.wait(event.time(), who, m_events.sort(event));
    case LockEventRole::WaitEnd: return lock.endWait(event.time(), who, {.isAcquired = isDone});
    case LockEventRole::Request: return lock.wait(event.time(), who, {});
    case LockEventRole::Acquire: lock.endWait(event.time(), who, {.isAcquired = isDone}); return holdIfDone();
    case LockEventRole::Try: return holdIfDone();
    case LockEventRole::Release: return isDone ? lock.release(event.time(), who) : void();
    case LockEventRole::None: return;
    }
}

/// Returns the lock of the event. Returns nullptr if there are too many locks. Also returns nullptr if the lock was not seen before and the
/// event ends a wait or a hold: the beginning of the wait or hold was not recorded.
Lock* Locks::lockOf(const EventView& event, LockEventRole role, std::uint64_t address)
{
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    LockId id{{}, address};
    if (!isOfKernel(role)) {
        const std::int32_t pid = fields.pid(event);
        id.process = {fields.pidNamespace(event), pid >= 0 ? pid : m_pid};
        if (pid >= 0 && fields.tid(event) == pid)
            m_names.try_emplace(id.process, fields.name(event));
    }
    if (const auto known = m_locks.find(id); known != m_locks.end())
        return &known->second;
    if (role == LockEventRole::WaitEnd || role == LockEventRole::Release || m_locks.size() >= MostLocks)
        return nullptr;
    const std::string number =
        id.process.pid < 0 ? std::string() : std::to_string(id.process.pid) + namespaceSuffix(id.process.pidNamespace);
    const std::string key = "lock:" + (number.empty() ? "" : number + '/') + hexadecimal(address);
    std::string label = hexadecimal(address);
    if (const std::string_view sort = sortOf(m_events.sort(event)); isOfKernel(role) && !sort.empty())
        label += ' ' + std::string(sort);
    if (!number.empty())
        label += " of " + processWords(id.process);
    const TrackId row = addLockRow(m_sink, key, label, "lock", id.process.pid, m_locks.size());
    return &m_locks.try_emplace(id, m_sink, contenderStates(), key, label, row).first->second;
}

std::string Locks::processWords(const ProcessId& process) const
{
    const std::string number = std::to_string(process.pid) + namespaceSuffix(process.pidNamespace);
    const auto name = m_names.find(process);
    return name == m_names.end() || name->second.empty() ? "process " + number : name->second + " (" + number + ')';
}

/// Returns the thread of the event; the result's id is 0 if the thread is unknown.
Contender Locks::contenderIn(const EventView& event, LockEventRole role)
{
    if (isOfIdleThread(event, role))
        return idleThreadOf(event.cpu());
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    Contender who;
    who.tid = fields.tid(event);
    who.name = fields.name(event);
    who.pid = fields.pid(event);
    if (const TrackId row = kernelRow(event, who.tid); row != NoTrack) {
        const Track& thread = m_kernel->tracks()[static_cast<std::size_t>(row)];
        who.tid = thread.tid;
        if (who.pid < 0)
            who.pid = thread.pid;
        if (who.name.empty())
            who.name = thread.label;
    }
    if (who.tid > 0)
        who.id = std::uint64_t(fields.pidNamespace(event)) << 32 | static_cast<std::uint32_t>(who.tid);
    return who;
}

bool Locks::isOfIdleThread(const EventView& event, LockEventRole role)
{
    if (!isOfKernel(role) || event.cpu() < 0)
        return false;
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    return fields.isOfIdleThread(event) || (fields.tid(event) < 0 && m_kernel && threadsOfItsCpu(event).isIdleAt(event.time()));
}

/// Returns the threads of the event's CPU. Requires: m_kernel is not null.
CpuThreads& Locks::threadsOfItsCpu(const EventView& event) { return m_cpus.try_emplace(event.cpu(), *m_kernel, event.cpu()).first->second; }

/// Returns the thread's row in the kernel store; NoTrack if unknown.
TrackId Locks::kernelRow(const EventView& event, std::int32_t tid)
{
    if (!m_kernel)
        return NoTrack;
    if (tid < 0)
        return threadsOfItsCpu(event).at(event.time());
    for (const TrackId row : m_kernel->tracksOf(TrackRole::Thread, tid))
        if (const Track& track = m_kernel->tracks()[static_cast<std::size_t>(row)];
            track.life.begin <= event.time() && event.time() <= track.life.end)
            return row;
    return NoTrack;
}

void Locks::lose(HostTimestamp at)
{
    for (auto& [id, lock] : m_locks)
        lock.lose(at);
}

void Locks::finish(HostTimestamp)
{
    for (const auto& [id, lock] : m_locks)
        lock.setRowPosition();
}

void Locks::onLossBegin(const Loss& loss)
{
    ++m_losses;
    lose(loss.range.begin);
}

void Locks::onLoss(const Loss& loss)
{
    m_losses = std::max(0, m_losses - 1);
    lose(loss.range.begin);
    if (m_losses > 0)
        return;
    for (auto& [id, lock] : m_locks)
        lock.endLost(loss.range.end);
}

} // namespace helio::locks

namespace helio {
namespace {

const TrackView Views[] = {{.id = std::string(locks::View),
                            .title = "Locks",
                            .tip = "Waiters of kernel locks and futexes; owners and waiters of a program's mutexes",
                            .beginsCollapsed = true,
                            .order = 19,
                            .number = "TID",
                            .canHideIdleRows = true,
                            .data = RecordableData::Locks,
                            .nothing = "No lock events were recorded. Kernels since 5.19 have events of their own locks."}};

class LocksAnalysis final : public AnalysisKind {
public:
    std::string_view id() const override { return "locks"; }
    int version() const override { return 7; }
    std::span<const std::string_view> uses() const override { return Uses; }
    std::span<const TrackView> views() const override { return Views; }
    bool appliesTo(const Trace& trace) const override { return locks::hasLocks(trace); }
    std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const override
    {
        return std::make_unique<locks::Locks>(input.trace, input.needed.empty() ? nullptr : input.needed[0].get(), sink);
    }

private:
    static constexpr std::string_view Uses[] = {"kernel"};
};

} // namespace

extern const BuiltinAnalysis locksAnalysis{[]() -> std::shared_ptr<const AnalysisKind> { return std::make_shared<LocksAnalysis>(); }};

} // namespace helio
