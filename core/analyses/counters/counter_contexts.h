#pragma once

#include "core/analyses/counters/counter_rows.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <vector>

namespace helio::counters {

/// Finds the counters that LTTng recorded with each event (lttng add-context -t perf:cpu:cycles). The contexts are named perf_cpu_NAME for
/// the CPU's counter, or perf_thread_NAME for the thread's. Old versions write perf_NAME: the CPU's counter in kernel traces, the thread's
/// in user-space traces.
class CounterContexts {
public:
    explicit CounterContexts(const Trace& trace);

    struct Context {
        std::size_t counter = 0; ///< Index into counters().
        bool isOfThread = false;
        FieldRef field;
    };
    bool isEmpty() const { return m_counters.empty(); }
    const std::vector<Counter>& counters() const { return m_counters; }
    const std::vector<Context>& of(EventTypeId type) const { return m_contexts[static_cast<std::size_t>(type)]; }

private:
    std::size_t counterNamed(std::string name);

    std::vector<Counter> m_counters;
    std::vector<std::vector<Context>> m_contexts; ///< Indexed by EventTypeId.
};

} // namespace helio::counters
