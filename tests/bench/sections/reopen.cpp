#include "tests/bench/sections/frame_maker.h"
#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/measuring.h"

namespace helio::bench {
namespace {

constexpr QSize Size(1'920, 1'080);

void showAll(const std::shared_ptr<const Timeline>& timeline)
{
    FrameRenderer maker(timeline, Size);
    maker.queryVisibleRows(timeline->range, 0, true);
    maker.paintBars();
    maker.paintRest();
}

/// Seconds until the first timeline with states, when the trace is indexed for the first time.
double firstStates(Subject& subject)
{
    const auto folder = subject.scratch() / "first";
    ExperimentOptions options;
    options.storeDirectory = folder;
    std::stop_source published;
    const double seconds = secondsOf([&] {
        auto opened = Experiment::open({subject.trace()}, options);
        if (!opened)
            stop(opened.error().what);
        Experiment& experiment = **opened;
        experiment.start([&] {
            if (experiment.timeline()->traces.front().facts)
                published.request_stop();
        });
        (void)experiment.wait(published.get_token()); // Waits until the first timeline with TraceFacts (event counts, losses) is published.
        showAll(experiment.timeline());
    });
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    return seconds;
}

} // namespace

void measureReopening(Measuring& m)
{
    auto experiment = m.subject.open();
    Samples opened, pictured, cold, first;
    for (int i = 0; i < 5 * m.repeat; ++i) {
        experiment.reset();
        double whole = secondsOf([&] { experiment = m.subject.open(); });
        opened.add(whole * 1e3);
        whole += secondsOf([&] { showAll(experiment->timeline()); });
        pictured.add(whole * 1e3);
    }
    for (int i = 0; i < m.repeat; ++i) {
        experiment.reset();
        for (const auto& folder : {m.subject.trace(), m.subject.stores()})
            for (const auto& entry : std::filesystem::directory_iterator(folder))
                dropFromMemory(entry.path());
        cold.add(1e3 * secondsOf([&] {
                     experiment = m.subject.open();
                     showAll(experiment->timeline());
                 }));
    }
    experiment.reset();
    for (int i = 0; i < m.repeat; ++i)
        first.add(1e3 * firstStates(m.subject));
    m.figures.add({"reopen", "reopen: trace and store", "ms", opened.best(), opened.median()});
    m.figures.add(
        {"reopen_picture", "reopen, to the first picture of everything, warm", "ms", pictured.best(), pictured.median(), {}, atMost(100)});
    m.figures.add({"reopen_cold", "reopen, to the first picture of everything, nothing in memory", "ms", cold.best(), cold.median()});
    m.figures.add({"first_states", "open for the first time, to the first picture with states", "ms", first.best(), first.median()});
}

} // namespace helio::bench
