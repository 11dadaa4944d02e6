// Benchmark of function calls that LTTng-UST recorded: runs whole programs, from a trace to a ready store on disk, and babeltrace2 on the
// same trace.

#include "tests/bench/sections/indexing_runs.h"
#include "tests/support/real_traces.h"

#include <algorithm>

namespace helio::bench {
namespace {

constexpr std::uint64_t MostEvents = 10'000'000;

/// Path of a recording of a program with threads, recursion, exceptions and a plug-in; if it is not available, the fixture, which is a
/// shortened copy.
std::filesystem::path callsTrace()
{
    const QString recorded = realTrace("ust-callstack", "callstack-fast/ust/uid/0/64-bit");
    return recorded.isEmpty() ? std::filesystem::path(SOURCE_DIR "/tests/fixtures/ust-callstack/ust/uid/0/64-bit")
                              : std::filesystem::path(recorded.toStdString());
}

/// Opens the trace, builds its store if it is missing, and returns the number of function calls in all its stores.
std::uint64_t findColumnCalls(const std::filesystem::path& trace, const std::filesystem::path& stores)
{
    std::uint64_t calls = 0;
    const auto experiment = openExperiment(trace, stores);
    for (const TimelineStore& it : experiment->timeline()->stores) {
        const auto kinds = it.store ? it.store->segments().kinds() : std::span<const SegmentKind>();
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            if (kinds[kind].areCalls)
                calls += it.store->segments().sum(SegmentKindId(static_cast<std::uint8_t>(kind))).count;
    }
    return calls;
}

} // namespace

void measureCalls(Measuring& m)
{
    const std::filesystem::path scratch = m.subject.scratch() / "calls";
    std::filesystem::create_directories(scratch);
    Subject subject(callsTrace(), scratch, std::min(m.subject.requestedEvents(), MostEvents));
    const std::string trace = subject.trace().string();
    const IndexingRuns runs = runIndexing(m, trace, subject.stores(), {"babeltrace2", trace, "-o", "dummy"});
    runs.addFigures(m, "calls", "calls from trace to ready store", double(findColumnCalls(trace, subject.stores())), "calls", 8);
    std::error_code ignored;
    std::filesystem::remove_all(scratch, ignored);
}

} // namespace helio::bench
