// Benchmark of reading a trace without writing a store, in CPU time of one thread. It measures headers, then fields, then the merged
// streams, then all analyses.

#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/measuring.h"
#include "tests/bench/suite/reading.h"

namespace helio::bench {

void measureDecoding(Measuring& m)
{
    const auto path = m.subject.trace();
    const auto nsPerEvent = 1e9 / double(m.subject.eventsOf(m.subject.requestedEvents()));
    ExperimentOptions options;
    options.needsStates = false;
    options.storeDirectory = m.subject.stores();
    const auto opened = Experiment::open({path}, options);
    if (!opened)
        stop(opened.error().what);
    const auto timeline = (*opened)->timeline();
    const Trace& trace = *timeline->traces.front().trace;
    const KernelFields fields(trace);
    std::uint64_t sum = 0;
    Samples decoded, withFields, merged, analysed, theirs;
    for (int i = 0; i < m.repeat; ++i) {
        decoded.add(nsPerEvent * threadSecondsOf([&] { decodeAll(trace); }));
        withFields.add(nsPerEvent * threadSecondsOf([&] { sum += fields.decodeAll(); }));
        merged.add(nsPerEvent * threadSecondsOf([&] { mergeAll(trace); }));
        analysed.add(nsPerEvent * threadSecondsOf([&] { analyseAll(trace); }));
        if (const auto cost = runChild({"babeltrace2", path.string(), "-o", "dummy"}); cost.isDone)
            theirs.add(nsPerEvent * cost.cpuSeconds);
    }
    if (theirs.isEmpty())
        m.figures.note("babeltrace2 could not be run on this trace: no comparison");
    if (sum == 0)
        m.figures.note("the trace has no field that the kernel analysis reads");
    const auto add = [&](const char* id, const char* what, const Samples& samples, std::optional<Goal> goal) {
        const auto dummy = theirs.isEmpty() ? std::optional<double>() : theirs.best();
        m.figures.add({id, what, "ns/event", samples.best(), samples.median(), dummy, goal});
    };
    add("decode", "decode", decoded, {});
    add("decode_fields", "decode with the fields the kernel analysis reads", withFields, atLeastTimesTheirs(30));
    add("decode_merge", "decode and merge", merged, {});
    add("decode_analyse", "decode, merge and analyse, nothing stored", analysed, {});
}

} // namespace helio::bench
