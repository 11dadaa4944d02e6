// Handling of process records. They give the names, processes and parents of threads, and the beginnings and ends of threads without fork
// or exit events.
#include "core/analyses/kernel/kernel_state_machine.h"

#include <algorithm>

namespace helio::kernel {

void KernelStateMachine::takeWithRecords(const EventRun& run)
{
    auto first = run.records.begin();
    while (first != run.records.end()) {
        while (!m_records.empty() && m_records.front().time <= first->time) {
            takeRecord(m_records.front());
            m_records = m_records.subspan(1);
        }
        const HostTimestamp next = m_records.empty() ? HostTimestamp::max() : m_records.front().time;
        const auto last = std::find_if(first + 1, run.records.end(), [next](const EventRecord& record) { return record.time >= next; });
        takeEvents({{first, last}, run.packet, run.stream, run.isOrdered});
        first = last;
    }
}

/// Processes a process record. If the thread has no events so far, the record is only kept, and the thread gets no row until an event
/// refers to it.
void KernelStateMachine::takeRecord(const ProcessRecord& record)
{
    if (record.guest != NoGuest)
        return;
    if (record.tid <= 0)
        return;
    Thread* thread = m_threads.find(record.tid);
    switch (record.kind) {
    case ProcessRecord::Kind::Comm:
    case ProcessRecord::Kind::Exec: {
        auto& known = m_threads.known(record.tid);
        known.comm = record.name;
        known.pid = record.pid;
        if (!thread)
            break;
        m_threads.setComm(record.time, *thread, record.name);
        m_threads.setFamily(*thread, record.pid, -1);
        break;
    }
    case ProcessRecord::Kind::Fork: takeFork(record); break;
    case ProcessRecord::Kind::Exit: takeExit(record, thread); break;
    case ProcessRecord::Kind::Map: break;
    }
}

/// Processes the end of a thread. If switches are recorded, the thread ends at its last switch-out. Recordings of selected threads lack
/// this switch, because a thread's events are detached when it exits (kernel/exit.c, do_exit(): perf_event_exit_task()).
void KernelStateMachine::takeExit(const ProcessRecord& record, Thread* thread)
{
    m_threads.forgetRecorded(record.tid);
    if (!thread) {
        m_threads.known(record.tid).died = record.time;
    } else if (m_hasSwitches && m_part.threads.empty()) {
        const bool isNew = !thread->isExiting;
        thread->isExiting = true;
        if (isNew && thread->isOnCpu)
            refresh(record.time, *cpu(thread->cpu));
    } else {
        Cpu* left = thread->isOnCpu ? cpu(thread->cpu) : nullptr;
        if (left)
            forget(record.time, *left);
        else if (m_hasSwitches)
            m_threads.setState(thread->since, *thread, ThreadState::Unknown, {}); // The thread ran at its exit, so a switch-in is missing.
        m_threads.end(record.time, *thread);
    }
}

/// Processes a fork record. If the trace also has fork events, such an event adds the thread, and the record only completes the thread's
/// name, process and parent. A record at the beginning of the trace describes a thread that is older than the trace.
void KernelStateMachine::takeFork(const ProcessRecord& record)
{
    const auto parent = m_threads.find(record.parentTid);
    auto& known = m_threads.known(record.tid);
    known.pid = record.pid;
    known.parentTid = record.parentTid;
    m_threads.markChildRecorded(record.parentTid, record.tid);
    const bool isBorn = record.time > m_begin;
    if (known.comm.empty() || isBorn)
        known.comm = parent ? parent->comm.text() : std::string_view(m_threads.known(record.parentTid).comm);
    Thread* thread = m_threads.find(record.tid);
    if (isBorn && !m_hasSwitches && !m_hasForks) { // Store only the beginning of the thread. The thread's first event adds its row.
        if (thread)
            takeExit(record, thread);
        known.born = record.time;
        known.died.reset();
        return;
    }
    if (!thread && m_hasSwitches && !m_hasForks && isBorn) {
        thread = &m_threads.start(record.tid, record.time);
        thread->hasEvents = true;
        m_threads.setComm(record.time, *thread, known.comm);
        setOffCpuState(record.time, *thread, ThreadState::WaitCpu);
    }
    if (thread)
        m_threads.setFamily(*thread, record.pid, record.parentTid);
}

} // namespace helio::kernel
