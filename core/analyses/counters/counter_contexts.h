#pragma once

#include "core/analyses/counters/counter_rows.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <vector>

namespace helio::counters {

/// The counters that LTTng recorded with each event (lttng add-context -t perf:cpu:cycles): contexts called perf_cpu_NAME, of the CPU, or
/// perf_thread_NAME, of the thread; of old perf_NAME, of the CPU in the kernel's traces and of the thread in those of programs.
class CounterContexts {
public:
    explicit CounterContexts(const Trace& trace);

    struct Context {
        std::size_t counter = 0; ///< Index in counters().
        bool isOfThread = false;
        FieldRef field;
    };
    bool isEmpty() const { return m_counters.empty(); }
    const std::vector<Counter>& counters() const { return m_counters; }
    const std::vector<Context>& of(EventTypeId type) const { return m_contexts[static_cast<std::size_t>(type)]; }

private:
    std::size_t counterNamed(std::string name);

    std::vector<Counter> m_counters;
    std::vector<std::vector<Context>> m_contexts; ///< By EventTypeId.
};

} // namespace helio::counters
