#pragma once

#include "tests/core/analyses/kernel/kernel_script.h"
#include "tests/support/made_timeline.h"

namespace helio::test {

/// A script of scheduling events with two counter values each; times in microseconds.
class CountedScript : public KernelScript {
public:
    CountedScript() { environment("tracer_name", "lttng-modules").environment("domain", "kernel"); }

    CountedScript& at(std::int64_t us, int cpu, std::int64_t instructions, std::int64_t cycles)
    {
        m_time = us * 1000;
        m_cpu = cpu;
        m_contexts = {{"$perf_cpu_instructions", instructions}, {"$perf_cpu_cycles", cycles}};
        return *this;
    }
    CountedScript& toThread(std::int64_t prev, std::int64_t next)
    {
        return add("sched_switch",
                   {{"prev_comm", "t"},
                    {"prev_tid", prev},
                    {"prev_prio", 20},
                    {"prev_state", 1},
                    {"next_comm", "t"},
                    {"next_tid", next},
                    {"next_prio", 20}});
    }
    CountedScript& entry() { return add("syscall_entry_read", {{"fd", 1}}); }
    CountedScript& exit() { return add("syscall_exit_read", {{"ret", 0}}); }

    /// Makes a timeline with the states of the threads, and the counters.
    Timeline timeline()
    {
        Timeline timeline;
        run();
        addTrace(timeline, {sharedStore(), std::make_shared<MadeTrace>()});
        run(-1, Gaps::ReportedAtBegin, analysisOf("event-counters"));
        timeline.stores.push_back({0, sharedStore(), true});
        return timeline;
    }

private:
    CountedScript& add(const char* name, Fields fields)
    {
        fields.insert(fields.begin(), m_contexts.begin(), m_contexts.end());
        event(m_time, m_cpu, name, fields);
        return *this;
    }

    std::int64_t m_time = 0;
    int m_cpu = 0;
    Fields m_contexts;
};

/// A script in which CPU 0 runs thread 7 (with a system call), is idle, and then runs thread 9. Thread 7 continues on CPU 1.
inline CountedScript twoThreads()
{
    CountedScript s;
    s.at(0, 0, 0, 0).toThread(0, 7).at(100, 0, 1000, 500).entry().at(200, 0, 1100, 900).exit();
    s.at(300, 0, 2100, 1400).toThread(7, 0).at(310, 1, 5000, 5000).toThread(0, 7);
    s.at(400, 0, 2150, 1500).toThread(0, 9).at(410, 1, 5400, 5100).entry();
    s.at(500, 0, 2250, 1900).toThread(9, 0).at(510, 1, 5450, 5300).toThread(7, 0).at(600, 0, 2260, 1950).toThread(0, 9);
    return s;
}

} // namespace helio::test
