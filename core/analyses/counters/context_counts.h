#pragma once

#include "core/analyses/counters/counter_rows.h"
#include "core/analysis/analysis.h"
#include "core/event_model/thread_fields.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace helio::counters {

/// Finds the counters that LTTng recorded as contexts of events (lttng add-context -t perf:cpu:cycles). A context perf_cpu_NAME is a
/// counter of the CPU, perf_thread_NAME a counter of the thread. Old versions of LTTng write perf_NAME: in kernel traces the CPU's counter,
/// in user-space traces the thread's.
class CounterContexts {
public:
    explicit CounterContexts(const Trace& trace);

    struct Context {
        std::size_t counter = 0; ///< Index of the context's counter in counters().
        bool isOfThread = false;
        FieldRef field;
    };
    bool isEmpty() const { return m_counters.empty(); }
    const std::vector<Counter>& counters() const { return m_counters; }
    const std::vector<Context>& of(EventTypeId type) const { return m_contexts[static_cast<std::size_t>(type)]; }

private:
    std::size_t counterNamed(std::string name);

    std::vector<Counter> m_counters;
    std::vector<std::vector<Context>> m_contexts; ///< Counter contexts of the event types, indexed by EventTypeId.
};

/// Counters that the tracer recorded with each event. The series contain the recorded totals: `cpu:N/NAME` in the view counters-cpu, and
/// `tid:N/NAME` in the view counters-thread (`tid:N#2` after another process reuses the TID). Lost events do not distort the totals,
/// because a recorded total includes what was counted while events were lost. Threads have counters only if the events contain their TIDs.
///
/// Cost: about 20 ns for each counter and event.
class ContextCounts final : public Analysis {
public:
    ContextCounts(const Trace& trace, StateSink& sink);

    void begin(HostTimestamp) override { }
    bool takes(EventTypeId type) const override { return !m_contexts.of(type).empty(); }
    void onEvents(const EventRun& run) override;
    void onLoss(const Loss&) override { }
    void finish(HostTimestamp at) override;
    std::vector<Diagnostic> diagnostics() override;

private:
    struct Thread {
        std::optional<CounterRow> row;
        std::int32_t pid = -1;
        int lives = 0;
    };
    CounterRow* rowOf(const EventView& event, bool isOfThread);
    CounterRow& cpu(std::int32_t number);
    CounterRow& thread(const EventView& event, const ThreadFields& fields);
    Track threadTrack(const EventView& event, const ThreadFields& fields, ThreadId id, const Thread& thread) const;

    const Trace& m_trace;
    StateSink& m_sink;
    const CounterContexts m_contexts;
    std::vector<ThreadFields> m_fields; ///< Fields that identify the thread of an event, for each event type; indexed by EventTypeId.
    /// PID of the process to which all events of the trace belong; -1 if they belong to several processes or the PID is unknown.
    std::int32_t m_pid = -1;
    std::map<std::int32_t, CounterRow> m_cpus;
    std::unordered_map<ThreadId, Thread> m_threads;
    std::uint64_t m_tooLarge = 0;
};

} // namespace helio::counters
