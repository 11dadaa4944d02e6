#include "tests/bench/suite/reading.h"

#include "core/analyses/kernel/binding.h"
#include "core/analysis/analyses.h"
#include "core/trace/merged_events.h"
#include "tests/bench/suite/null_sink.h"

namespace helio::bench {

void decodeAll(const Trace& trace)
{
    EventBatch batch;
    for (std::uint32_t s = 0; s < trace.streams().size(); ++s)
        for (const auto stream = trace.openStream(s); stream->next(batch);)
            ;
}

KernelFields::KernelFields(const Trace& trace)
    : m_trace(trace)
{
    NullSink sink;
    kernel::ThreadContexts contexts;
    for (const auto& type : trace.eventTypes()) {
        const auto binding = kernel::bind(*type, kernel::syscallNaming(trace), contexts, sink);
        auto& fields = m_fields.emplace_back();
        for (const FieldRef* field : {&binding.context.tid, &binding.context.pid})
            if (field->isValid())
                fields.push_back(*field);
        for (const FieldRef& field : binding.fields)
            if (field.isValid())
                fields.push_back(field);
    }
}

std::uint64_t KernelFields::decodeAll() const
{
    std::uint64_t sum = 0;
    EventBatch batch;
    for (std::uint32_t s = 0; s < m_trace.streams().size(); ++s)
        for (const auto stream = m_trace.openStream(s); stream->next(batch);)
            sum += sumOf(batch, s);
    return sum;
}

std::uint64_t KernelFields::sumOf(const EventBatch& batch, std::uint32_t stream) const
{
    std::uint64_t sum = 0;
    EventView event{nullptr, nullptr, batch.packet, stream};
    for (const EventRecord& record : batch.records) {
        event.record = &record;
        event.type = &m_trace.eventTypes()[record.type];
        for (const FieldRef& field : m_fields[std::size_t(record.type)])
            sum += field.isText() ? field.text(event).size() : std::uint64_t(field.integerOr(event, 0));
    }
    return sum;
}

void mergeAll(const Trace& trace)
{
    MergedEvents events(trace);
    while (!events.nextRun(4096).records.empty())
        ;
}

std::uint64_t analyseAll(const Trace& trace)
{
    NullSink sink;
    std::vector<std::unique_ptr<Analysis>> analyses;
    const auto kinds = Analyses::builtin();
    for (const std::size_t place : kinds->runningOn(trace))
        analyses.push_back(kinds->all()[place]->make({trace}, sink));
    constexpr std::size_t MostEvents = 4096; // Maximum number of events in a batch, the same as in the indexer.
    MergedEvents events(trace);
    bool isFirst = true;
    for (EventRun run = events.nextRun(MostEvents); !run.records.empty(); run = events.nextRun(MostEvents), isFirst = false) {
        for (const auto& analysis : analyses) {
            if (isFirst)
                analysis->begin(run.records.front().time);
            analysis->onEvents(run);
        }
    }
    return sink.links;
}

} // namespace helio::bench
