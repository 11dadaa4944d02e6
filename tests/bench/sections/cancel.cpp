#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"

#include <thread>

namespace helio::bench {
namespace {

constexpr int Times = 12;

} // namespace

void measureCancelling(Measuring& m)
{
    const auto folder = m.subject.scratch() / "cancelled";
    const auto trace = m.subject.trace();
    const auto events = m.subject.eventsOf(m.subject.requestedEvents());
    ExperimentOptions options;
    options.storeDirectory = folder;
    Samples ends, gone;
    for (int i = 0; i < Times; ++i) {
        auto opened = Experiment::open({trace}, options);
        if (!opened)
            stop(opened.error().what);
        std::unique_ptr<Experiment> experiment = std::move(*opened);
        experiment->start();
        // Wait until a part of the trace is indexed, which differs in each run. Then cancel.
        while (experiment->progress().events < events * std::uint64_t(i) / Times && !experiment->progress().isDone)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const double ended = secondsOf([&] {
            experiment->cancel();
            (void)experiment->wait();
        });
        ends.add(ended * 1e3);
        gone.add((ended + secondsOf([&] { experiment.reset(); })) * 1e3);
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    m.figures.add(
        {"cancel_max", "cancel while indexing, until it has ended: slowest of 12", "ms", ends.worst(), ends.median(), {}, atMost(100)});
    m.figures.add(
        {"cancel_gone_max", "the same, until all of it is freed: slowest of 12", "ms", gone.worst(), gone.median(), {}, atMost(100)});
}

} // namespace helio::bench
