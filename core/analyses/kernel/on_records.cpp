// What a trace records of processes beside its events: names, families, and births and deaths that no event reports.
#include "core/analyses/kernel/machine.h"

#include <algorithm>

namespace helio::kernel {

void Machine::takeWithRecords(const EventRun& run)
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

/// Threads that no event speaks of get no row: what records say of them is kept for when one does.
void Machine::takeRecord(const ProcessRecord& record)
{
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

/// Where switches are recorded, a thread ends when it leaves its CPU for the last time. A recording of some threads does not have that: its
/// events are taken from the thread as it exits (kernel/exit.c, do_exit(): perf_event_exit_task()).
void Machine::takeExit(const ProcessRecord& record, Thread* thread)
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
            m_threads.setState(thread->since, *thread, ThreadState::Unknown, {}); // It had got a CPU, unseen.
        m_threads.end(record.time, *thread);
    }
}

/// Where forks are events, a thread is born with those. Threads of the trace's begin were there before it.
void Machine::takeFork(const ProcessRecord& record)
{
    const auto parent = m_threads.find(record.parentTid);
    auto& known = m_threads.known(record.tid);
    known.pid = record.pid;
    known.parentTid = record.parentTid;
    m_threads.takeChild(record.parentTid, record.tid);
    const bool isBorn = record.time > m_begin;
    if (known.comm.empty() || isBorn)
        known.comm = parent ? parent->comm.text() : std::string_view(m_threads.known(record.parentTid).comm);
    Thread* thread = m_threads.find(record.tid);
    if (isBorn && !m_hasSwitches && !m_hasForks) { // Its row comes with the first event that speaks of it.
        if (thread)
            takeExit(record, thread);
        known.born = record.time;
        known.died.reset();
        return;
    }
    if (!thread && m_hasSwitches && !m_hasForks && isBorn) {
        thread = &m_threads.start(record.tid, record.time);
        thread->wasMentioned = true;
        m_threads.setComm(record.time, *thread, known.comm);
        setOffCpuState(record.time, *thread, ThreadState::WaitCpu);
    }
    if (thread)
        m_threads.setFamily(*thread, record.pid, record.parentTid);
}

} // namespace helio::kernel
