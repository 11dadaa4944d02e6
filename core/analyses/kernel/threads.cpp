#include "core/analyses/kernel/threads.h"

#include "core/event_model/thread_fields.h"

#include <algorithm>

namespace helio::kernel {
namespace {

/// Maximum depth of the process tree. A deeper tree is malicious or damaged; rows below the limit stay at the top level.
constexpr int MaxDepth = 128;

} // namespace

Threads::Threads(StateSink& sink, const RecordingScope& part)
    : m_sink(sink)
    , m_wakings(sink)
    , m_states(*sink.stateSet(threadStates()))
    , m_recorded(part.threads.begin(), part.threads.end())
    , m_recordsAll(part.threads.empty())
    , m_recordsChildren(part.hasChildren)
{
}

Thread& Threads::slot(std::int32_t tid)
{
    if (Thread* known = findAny(tid))
        return *known;
    m_byTid.put(static_cast<std::uint32_t>(tid), static_cast<std::uint32_t>(m_threads.size()));
    Thread& added = m_threads.emplace_back();
    m_byIndex.push_back(&added);
    added.tid = tid;
    return added;
}

Thread* Threads::find(std::int32_t tid)
{
    Thread* thread = findAny(tid);
    return thread && thread->isAlive ? thread : nullptr;
}

Thread& Threads::getNew(std::int32_t tid, HostTimestamp at)
{
    Thread& thread = slot(tid);
    const bool isFirst = thread.track == NoTrack;
    const auto known = m_known.find(tid);
    if (known != m_known.end() && known->second.born)
        addRow(std::min(*known->second.born, at), thread);
    else
        addRow(isFirst ? std::min(m_begin, at) : at, thread);
    return thread;
}

Thread& Threads::start(std::int32_t tid, HostTimestamp at)
{
    Thread& thread = slot(tid);
    if (thread.isAlive)
        end(at, thread);
    addRow(at, thread);
    thread.placed = at;
    return thread;
}

void Threads::addRow(HostTimestamp at, Thread& thread)
{
    const Thread former = thread;
    const bool isFirst = former.track == NoTrack;
    thread = {};
    thread.tid = former.tid;
    thread.life = isFirst ? 1 : former.life + 1;
    thread.isFreePending = former.isFreePending;
    thread.isAlive = true;
    thread.since = at;
    thread.born = at;
    thread.isKernelThread = former.tid == KernelThreadDaemon;
    thread.isUnrecorded = !m_recordsAll && !m_recorded.contains(former.tid);

    Track row;
    row.view = "control-flow";
    row.kind = "thread";
    row.role = TrackRole::Thread;
    row.key = "tid:" + std::to_string(thread.tid);
    if (thread.life > 1)
        row.key += "#" + std::to_string(thread.life);
    row.label = row.key;
    row.states = m_states;
    row.valueKind = ValueKind::Text;
    row.tid = thread.tid;
    row.sortKey = thread.tid;
    row.isKernelThread = thread.isKernelThread;
    thread.track = m_sink.addTrack(std::move(row));
    thread.row = &m_sink.rowOf(thread.track);
    thread.title = m_sink.string("(" + std::to_string(thread.tid) + ")");
    m_sink.set(at, thread.track, toState(ThreadState::Unknown));
    if (!m_known.empty() && (isFirst || isBorn(thread.tid)))
        takeKnown(at, thread);
}

void Threads::takeKnown(HostTimestamp at, Thread& thread)
{
    const auto found = m_known.find(thread.tid);
    if (found == m_known.end())
        return;
    found->second.born.reset();
    setComm(at, thread, found->second.comm);
    setFamily(thread, found->second.pid, found->second.parentTid);
    setKernelThread(thread, thread.tid == KernelThreadDaemon || found->second.parentTid == KernelThreadDaemon);
}

void Threads::markChildRecorded(std::int32_t parentTid, std::int32_t childTid)
{
    if (!m_recordsChildren || !m_recorded.contains(parentTid))
        return;
    m_recorded.insert(childTid);
    if (Thread* child = find(childTid))
        setRecorded(*child);
}

void Threads::forgetAllRecorded()
{
    m_recorded.clear();
    for (Thread& thread : m_threads)
        thread.isUnrecorded = !m_recordsAll;
}

void Threads::addLeaders(HostTimestamp at)
{
    std::vector<std::int32_t> leaders;
    for (const Thread& thread : m_threads)
        if (thread.pid > 0 && thread.pid != thread.tid && !findAny(thread.pid) && m_known.contains(thread.pid))
            leaders.push_back(thread.pid);
    for (const std::int32_t leader : leaders) {
        if (findAny(leader)) // Skip: another thread of the process has already added the main thread.
            continue;
        const auto died = known(leader).died;
        Thread& thread = get(leader, at);
        if (died)
            end(*died, thread);
    }
}

void Threads::addNamespaceTid(const Thread& thread, std::uint32_t pidNamespace, std::int32_t tid)
{
    if (thread.track == NoTrack || !m_numbered.emplace(thread.track, pidNamespace).second)
        return;
    Track number;
    number.role = TrackRole::NamespaceTid;
    number.kind = "pid-namespace";
    number.key = std::to_string(tid) + namespaceSuffix(pidNamespace);
    number.parent = thread.track;
    number.tid = tid;
    m_sink.addTrack(std::move(number));
}

void Threads::rollBack(HostTimestamp at, Thread& thread)
{
    if (!thread.isAlive)
        return;
    const HostTimestamp from = std::max(at, thread.born);
    m_sink.rollBack(from, thread.track);
    m_sink.set(from, thread.track, toState(ThreadState::Unknown));
    thread.state = ThreadState::Unknown;
    thread.detail = {};
    thread.since = from;
}

void Threads::end(HostTimestamp at, Thread& thread)
{
    if (!thread.isAlive)
        return;
    finishWakeUps(thread, NoCpu);
    m_sink.end(at, thread.track);
    if (thread.nameTrack != NoTrack)
        m_sink.end(at, thread.nameTrack);
    if (thread.priorityTrack != NoTrack)
        m_sink.end(at, thread.priorityTrack);
    thread.isAlive = false;
    thread.isOnCpu = false;
    thread.cpu = -1;
    thread.since = at;
}

void Threads::extendAfterEnd(HostTimestamp at, Thread& thread)
{
    if (thread.isAlive || thread.track == NoTrack || at < thread.since)
        return;
    const HostTimestamp end = at + Duration(1);
    m_sink.set(thread.since, thread.track, toState(thread.state), static_cast<std::uint32_t>(thread.detail));
    m_sink.end(end, thread.track);
    if (thread.nameTrack != NoTrack) {
        m_sink.set(thread.since, thread.nameTrack, State{}, static_cast<std::uint32_t>(thread.commId));
        m_sink.end(end, thread.nameTrack);
    }
    thread.since = end;
}

void Threads::setComm(HostTimestamp at, Thread& thread, std::string_view text)
{
    const Comm comm(text);
    if (comm == thread.comm || comm.isEmpty() || thread.track == NoTrack)
        return;
    const bool isFirst = thread.comm.isEmpty();
    thread.comm = comm;
    thread.rawComm = {};
    thread.commId = m_sink.string(comm.text());
    m_text.assign(comm.text()).append(" (").append(std::to_string(thread.tid)).append(")");
    thread.title = m_sink.string(m_text);
    m_sink.track(thread.track).label = comm.text();
    if (thread.nameTrack == NoTrack) {
        Track names;
        names.kind = "name";
        names.role = TrackRole::Name;
        names.key = "name";
        names.parent = thread.track;
        names.valueKind = ValueKind::Text;
        names.tid = thread.tid;
        thread.nameTrack = m_sink.addTrack(std::move(names));
    }
    // Use the first recorded name of the thread also for the time before it was recorded.
    m_sink.set(isFirst ? thread.born : at, thread.nameTrack, State{}, static_cast<std::uint32_t>(thread.commId));
}

void Threads::takeNewComm(Thread& thread, const FieldRef& field, const EventView& event, const char* raw)
{
    setComm(event.time(), thread, field.text(event));
    if (raw)
        std::copy_n(raw, thread.rawComm.size(), thread.rawComm.begin());
}

void Threads::changePriority(HostTimestamp at, Thread& thread, std::int32_t priority)
{
    if (thread.track == NoTrack)
        return;
    if (thread.priorityTrack == NoTrack) {
        Track priorities;
        priorities.kind = "priority";
        priorities.role = TrackRole::Priority;
        priorities.key = "priority";
        priorities.parent = thread.track;
        priorities.valueKind = ValueKind::Number;
        priorities.tid = thread.tid;
        thread.priorityTrack = m_sink.addTrack(std::move(priorities));
    }
    thread.hasPriority = true;
    thread.priority = priority;
    m_sink.set(at, thread.priorityTrack, State{}, static_cast<std::uint32_t>(priority));
}

void Threads::changeKernelThread(Thread& thread, bool isKernelThread)
{
    thread.isKernelThread = isKernelThread;
    m_sink.track(thread.track).isKernelThread = isKernelThread;
}

void Threads::setFamily(Thread& thread, std::int32_t pid, std::int32_t parentTid)
{
    if (thread.track == NoTrack)
        return;
    bool isNew = false;
    if (thread.pid < 0 && pid > 0) {
        thread.pid = pid;
        m_sink.track(thread.track).pid = pid;
        join(thread);
        isNew = true;
    }
    if (thread.parentTid < 0 && parentTid >= 0) {
        thread.parentTid = parentTid;
        isNew = true;
    }
    if (isNew)
        attachToParent(thread);
}

void Threads::join(Thread& thread)
{
    Process& process = m_processes[thread.pid];
    // Remove an older entry of the same object: a previous thread of the process may have had the same TID, and therefore the same object.
    std::erase(process.members, &thread);
    process.members.push_back(&thread);
    thread.process = &process;
}

void Threads::attachToParent(Thread& thread)
{
    const bool isLeader = thread.pid < 0 || thread.pid == thread.tid;
    const std::int32_t aboveTid = isLeader ? thread.parentTid : thread.pid;
    Thread* above = aboveTid > 0 ? findAny(aboveTid) : nullptr;
    // The row of a child process is placed below the parent process's row, not below the row of the thread that forked it.
    if (above && isLeader && above->pid > 0 && above->pid != above->tid) {
        Thread* leader = findAny(above->pid);
        above = leader && leader->track != NoTrack ? leader : above;
    }
    if (above && above->track != NoTrack && above->track != thread.track && !isBelow(above->track, thread.track))
        m_sink.track(thread.track).parent = above->track;
}

bool Threads::isBelow(TrackId row, TrackId above)
{
    for (int depth = 0; row != NoTrack; ++depth) {
        if (row == above || depth == MaxDepth)
            return true;
        row = m_sink.track(row).parent;
    }
    return false;
}

void Threads::attachOrphans()
{
    for (Thread& thread : m_threads) {
        if (thread.track != NoTrack && m_sink.track(thread.track).parent == NoTrack)
            attachToParent(thread);
    }
}

} // namespace helio::kernel
