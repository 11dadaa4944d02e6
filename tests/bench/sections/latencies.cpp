// How long system calls last: all of them into a table by name, as the dock Durations and the command latency have it.

#include "core/query/pieces/pieces.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"

#include <fmt/format.h>

namespace helio::bench {

void measureLatencies(Measuring& m)
{
    const auto experiment = m.subject.open();
    const auto timeline = experiment->timeline();
    Samples samples;
    std::uint64_t count = 0;
    for (int i = 0; i < m.repeat; ++i) {
        samples.add(1e3 * secondsOf([&] {
                        count = 0;
                        for (const NamedLengths& it : pieceLengths(*timeline, "syscall"))
                            count += it.lengths.count;
                    }));
    }
    if (count == 0)
        return m.figures.note("latencies: the trace has no system calls");
    m.figures.add({"latency_syscalls",
                   fmt::format("{} system calls of {:.1f} M events, by name with percentiles", count,
                               double(m.subject.eventsOf(m.subject.wantedEvents())) / 1e6),
                   "ms",
                   samples.best(),
                   samples.median(),
                   {},
                   atMost(1000)});
}

} // namespace helio::bench
