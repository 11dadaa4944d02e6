// What reading costs by itself, on one thread and in its processor time, in steps: each adds to the one before it.

#include "core/analyses/kernel/binding.h"
#include "core/trace/merged_events.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"
#include "tests/bench/suite/null_sink.h"

namespace helio::bench {
namespace {

void decode(const Trace& trace)
{
    EventBatch batch;
    for (std::uint32_t s = 0; s < trace.streams().size(); ++s)
        for (const auto stream = trace.openStream(s); stream->next(batch);)
            ;
}

/// Every field that the kernel's state machine has asked for.
class KernelFields {
public:
    explicit KernelFields(const Trace& trace)
        : m_trace(trace)
    {
        NullSink sink;
        for (const auto& type : trace.eventTypes()) {
            const auto binding = kernel::bind(*type, kernel::syscallNaming(trace), sink);
            auto& fields = m_fields.emplace_back();
            for (const FieldRef* field : {&binding.contextTid, &binding.contextPid})
                if (field->isValid())
                    fields.push_back(*field);
            for (const FieldRef& field : binding.fields)
                if (field.isValid())
                    fields.push_back(field);
        }
    }

    void decode()
    {
        EventBatch batch;
        for (std::uint32_t s = 0; s < m_trace.streams().size(); ++s)
            for (const auto stream = m_trace.openStream(s); stream->next(batch);)
                read(batch, s);
    }

    std::uint64_t sum = 0; ///< So that nothing is left out.

private:
    void read(const EventBatch& batch, std::uint32_t stream)
    {
        EventView event{nullptr, nullptr, batch.packet, stream};
        for (const EventRecord& record : batch.records) {
            event.record = &record;
            event.type = &m_trace.eventTypes()[record.type];
            for (const FieldRef& field : m_fields[std::size_t(record.type)])
                sum += field.isText() ? field.text(event).size() : std::uint64_t(field.integerOr(event, 0));
        }
    }

    const Trace& m_trace;
    std::vector<std::vector<FieldRef>> m_fields; ///< By type.
};

void merge(const Trace& trace)
{
    for (MergedEvents events(trace); events.next();)
        ;
}

/// Merged events through every analysis, into nothing.
std::uint64_t analyse(const Trace& trace)
{
    NullSink sink;
    std::vector<std::unique_ptr<Analysis>> analyses;
    std::vector<std::vector<Analysis*>> listeners(trace.eventTypes().size());
    for (const AnalysisKind* kind : builtinAnalyses()) {
        if (!kind->appliesTo(trace))
            continue;
        analyses.push_back(kind->make(trace, sink));
        const auto wanted = analyses.back()->wanted();
        for (std::size_t type = 0; type < wanted.size(); ++type)
            if (wanted[type])
                listeners[type].push_back(analyses.back().get());
    }
    bool isFirst = true;
    for (MergedEvents events(trace); events.next(); isFirst = false) {
        const EventView& event = events.event();
        if (isFirst)
            for (const auto& analysis : analyses)
                analysis->begin(event.time());
        for (Analysis* analysis : listeners[std::size_t(event.record->type)])
            analysis->onEvent(event);
    }
    return sink.changes;
}

} // namespace

void measureDecoding(Measuring& m)
{
    const auto path = m.subject.trace();
    const auto nsPerEvent = 1e9 / double(m.subject.eventsOf(m.subject.wantedEvents()));
    ExperimentOptions options;
    options.needsStates = false;
    options.storeDirectory = m.subject.stores();
    const auto opened = Experiment::open({path}, options);
    if (!opened)
        stop(opened.error().what);
    const auto timeline = (*opened)->timeline();
    const Trace& trace = *timeline->traces.front().trace;
    KernelFields fields(trace);
    Samples decoded, withFields, merged, analysed, theirs;
    for (int i = 0; i < m.repeat; ++i) {
        decoded.add(nsPerEvent * threadSecondsOf([&] { decode(trace); }));
        withFields.add(nsPerEvent * threadSecondsOf([&] { fields.decode(); }));
        merged.add(nsPerEvent * threadSecondsOf([&] { merge(trace); }));
        analysed.add(nsPerEvent * threadSecondsOf([&] { analyse(trace); }));
        if (const auto cost = runChild({"babeltrace2", path.string(), "-o", "dummy"}); cost.isDone)
            theirs.add(nsPerEvent * cost.cpuSeconds);
    }
    if (theirs.isEmpty())
        m.figures.note("babeltrace2 could not be run on this trace: no comparison");
    if (fields.sum == 0)
        m.figures.note("the trace has no field that the kernel analysis reads");
    const auto add = [&](const char* id, const char* what, const Samples& samples, std::optional<Goal> goal) {
        const auto dummy = theirs.isEmpty() ? std::optional<double>() : theirs.best();
        m.figures.add({id, what, "ns/event", samples.best(), samples.median(), dummy, goal});
    };
    add("decode", "decode", decoded, {});
    add("decode_fields", "decode with the fields the kernel analysis reads", withFields, timesTheirs(30));
    add("decode_merge", "decode and merge", merged, {});
    add("decode_analyse", "decode, merge and analyse, nothing stored", analysed, {});
}

} // namespace helio::bench
