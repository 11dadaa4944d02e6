#include "core/analyses/counters/context_counts.h"

#include "core/trace/fields/struct_layout.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace helio::counters {
namespace {

struct Name {
    std::string counter; ///< Name of the counter in perf's spelling, e.g. "page-faults".
    bool isOfThread = false;
};

std::optional<Name> nameOf(std::string_view field, bool isOfPrograms)
{
    Name name{{}, isOfPrograms};
    for (const auto& [prefix, isOfThread] : {std::pair("perf_cpu_", false), {"perf_thread_", true}, {"perf_", isOfPrograms}}) {
        if (!field.starts_with(prefix))
            continue;
        name = {std::string(field.substr(std::string_view(prefix).size())), isOfThread};
        std::ranges::replace(name.counter, '_', '-');
        return name.counter.empty() ? std::nullopt : std::optional(name);
    }
    return {};
}

} // namespace

/// Finds the contexts that are counters, e.g. perf_cpu_cycles. Only LTTng records counters as contexts. In traces from perf's converter,
/// contexts with similar names, like perf_ip and perf_period, are not counters.
CounterContexts::CounterContexts(const Trace& trace)
    : m_contexts(trace.eventTypes().size())
{
    if (!trace.info().text("tracer_name").starts_with("lttng"))
        return;
    const bool isOfPrograms = trace.info().text("domain") == "ust";
    for (const auto& type : trace.eventTypes())
        for (const Section section : {Section::StreamContext, Section::EventContext}) {
            const FieldTypePtr& fields = type->section(section);
            const auto* members = fields ? std::get_if<StructType>(&fields->shape) : nullptr;
            if (!members)
                continue;
            for (const Member& member : members->members) {
                auto name = nameOf(member.name, isOfPrograms);
                FieldRef field = name ? FieldRef(*type, section, member.name) : FieldRef();
                if (field.isValid() && integerOf(*field.type()))
                    m_contexts[static_cast<std::size_t>(type->id)].push_back(
                        {counterNamed(std::move(name->counter)), name->isOfThread, std::move(field)});
            }
        }
}

std::size_t CounterContexts::counterNamed(std::string name)
{
    const auto known = std::ranges::find(m_counters, name, &Counter::name);
    const auto index = static_cast<std::size_t>(known - m_counters.begin());
    // The counters cpu-clock and task-clock count ns; all other counters count events.
    const bool isTime = name == "cpu-clock" || name == "task-clock";
    if (known == m_counters.end())
        m_counters.push_back({std::move(name), isTime});
    return index;
}

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

/// Returns the row of the CPU or thread to which the event's counter belongs; nullptr if unknown.
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
    return {{Diagnostic::Severity::Warning, "no-count", {}, 0, m_tooLarge, "a counter value is invalid (2^63 or more) and ignored"}};
}

} // namespace helio::counters
