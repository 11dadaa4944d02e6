#include "core/analyses/counters/context_counts.h"

namespace helio::counters {

ContextCounts::ContextCounts(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_contexts(trace)
    , m_pid(processOf(trace.info()))
{
    for (const auto& type : trace.eventTypes())
        m_fields.emplace_back(*type);
}

void ContextCounts::onEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    for (const EventRecord& record : run.records) {
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        for (const CounterContexts::Context& context : m_contexts.of(record.type)) {
            const auto total = context.field.integer(event);
            CounterRow* const row = total ? rowOf(event, context.isOfThread) : nullptr;
            if (row && *total >= 0)
                row->total(context.counter).take(record.time, *total);
            else if (row)
                ++m_tooLarge;
        }
    }
}

/// Returns the row of the CPU or thread that the event's counter belongs to; nullptr if unknown.
CounterRow* ContextCounts::rowOf(const EventView& event, bool isOfThread)
{
    if (!isOfThread)
        return event.cpu() >= 0 && event.cpu() < MostCpus ? &cpu(event.cpu()) : nullptr;
    const ThreadFields& fields = m_fields[static_cast<std::size_t>(event.record->type)];
    return fields.tid(event) >= 0 ? &thread(event, fields) : nullptr;
}

CounterRow& ContextCounts::cpu(std::int32_t number)
{
    const auto known = m_cpus.find(number);
    return known != m_cpus.end() ? known->second
                                 : m_cpus.try_emplace(number, m_sink, m_contexts.counters(), CpuView, cpuTrack(number)).first->second;
}

CounterRow& ContextCounts::thread(const EventView& event, const ThreadFields& fields)
{
    const ThreadId id = fields.idOf(event);
    const std::int32_t recorded = fields.pid(event);
    const std::int32_t pid = recorded >= 0 ? recorded : m_pid;
    Thread& thread = m_threads[id];
    if (!thread.row || (pid >= 0 && thread.pid >= 0 && thread.pid != pid)) {
        if (thread.row)
            thread.row->finish();
        thread.pid = pid;
        ++thread.lives;
        thread.row.emplace(m_sink, m_contexts.counters(), ThreadView, threadTrack(event, fields, id, thread));
    }
    return *thread.row;
}

Track ContextCounts::threadTrack(const EventView& event, const ThreadFields& fields, ThreadId id, const Thread& thread) const
{
    const std::string number = std::to_string(id.number);
    const std::string name(fields.name(event).empty() ? m_trace.info().text("procname") : std::string(fields.name(event)));
    Track track;
    track.kind = "thread";
    track.key =
        "tid:" + number + (thread.lives > 1 ? '#' + std::to_string(thread.lives) : std::string()) + namespaceSuffix(id.pidNamespace);
    track.label = name.empty() ? "TID " + number : name + " (" + number + ')';
    track.pid = thread.pid;
    track.tid = static_cast<std::int32_t>(id.number);
    track.sortKey = track.tid;
    return track;
}

void ContextCounts::finish(HostTimestamp)
{
    for (auto& [number, row] : m_cpus)
        row.finish();
    for (auto& [id, thread] : m_threads)
        if (thread.row)
            thread.row->finish();
}

std::vector<Diagnostic> ContextCounts::diagnostics()
{
    if (m_tooLarge == 0)
        return {};
    return {{Diagnostic::Severity::Warning,
             "no-count",
             {},
             0,
             m_tooLarge,
             std::to_string(m_tooLarge) + " times a counter was 2^63 or more, which none counts to; these are left out"}};
}

} // namespace helio::counters
