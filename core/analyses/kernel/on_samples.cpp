// Adds rows for the threads, processes and CPUs that occur in samples. The samples themselves are written by the sampling analysis.
#include "core/analyses/kernel/kernel_state_machine.h"

namespace helio::kernel {

void KernelStateMachine::bindSamples()
{
    const SampleReader* const samples = m_trace.samples();
    if (!samples)
        return;
    m_samples.resize(m_trace.eventTypes().size());
    for (const SampleEvent& event : samples->events())
        if (const auto type = static_cast<std::size_t>(event.type); type < m_samples.size())
            m_samples[type] = {true, !isTracepoint(event.name)};
}

void KernelStateMachine::takeWithSamples(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (std::size_t i = 0; i < run.records.size(); ++i) {
        const EventRecord& record = run.records[i];
        for (; !m_records.empty() && m_records.front().time <= record.time; m_records = m_records.subspan(1))
            takeRecord(m_records.front());
        const auto type = static_cast<std::size_t>(record.type);
        event.record = &record;
        event.type = m_bindings[type].type;
        if (m_samples[type].isSample)
            noteSampled(event, m_samples[type].isOfCpu);
        if (m_carefulSteps[type].kind != Step::Kind::None)
            takeEvents({run.records.subspan(i, 1), run.packet, run.stream, run.isOrdered});
    }
}

void KernelStateMachine::noteSampled(const EventView& event, bool isOfCpu)
{
    const Binding& binding = m_bindings[static_cast<std::size_t>(event.record->type)];
    const auto tid = static_cast<std::int32_t>(binding.context.tid.integerOr(event, -1));
    const auto pid = static_cast<std::int32_t>(binding.context.pid.integerOr(event, -1));
    if (tid > 0) {
        Thread* thread = m_threads.findAny(tid);
        // Begin a new thread only if the TID is new or reused. Otherwise, a sample after the thread's end was taken while the thread exits.
        if (!thread || (!thread->isAlive && m_threads.isBorn(tid)))
            thread = &touch(tid, event.time());
        m_threads.extendAfterEnd(event.time(), *thread);
        if (thread->pid < 0 && pid > 0)
            m_threads.setFamily(*thread, pid, -1);
    }
    if (isOfCpu && tid != 0)
        cpu(event.cpu());
}

} // namespace helio::kernel
