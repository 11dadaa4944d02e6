#include "core/experiment/experiment.h"

#include "core/experiment/experiment_work.h"
#include "core/experiment/store_directory.h"
#include "core/experiment/trace_opener.h"

#include <algorithm>
#include <exception>
#include <thread>

namespace helio {

namespace fs = std::filesystem;

namespace {

class IndexedExperiment final : public Experiment {
public:
    IndexedExperiment(std::vector<std::unique_ptr<TraceOpening>> openings, std::vector<Diagnostic> problems, ExperimentOptions options)
        : m_jobs(options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency()))
        , m_needsStates(options.needsStates)
        , m_work(std::make_shared<ExperimentWork>(std::move(openings), std::move(problems), std::move(options)))
    {
    }

    /// Compares the hosts' clocks for commands that read only events, to sort the events of several hosts by time.
    void compareHosts(const std::stop_token& stop) { m_work->compareHosts(stop); }

    ~IndexedExperiment() override
    {
        m_work->forgetListener();
        m_work->cancel();
        const bool areGone = m_threads.empty() || m_work->waitForThreads();
        for (std::thread& thread : m_threads) {
            if (areGone)
                thread.join();
            else
                thread.detach(); // Do not wait: the thread may be blocked in a read for a long time.
        }
    }

    void start(std::function<void()> onPublish) override
    {
        if (!m_needsStates || !m_threads.empty())
            return;
        const std::size_t threads = std::min<std::size_t>(m_jobs, m_work->size());
        m_work->begin(std::move(onPublish), threads, m_jobs);
        try {
            while (m_threads.size() < threads)
                m_threads.emplace_back([work = m_work] { work->run(); });
        } catch (const std::exception&) { // If the system refuses more threads, the started threads index all traces.
            const std::size_t workers = std::max<std::size_t>(m_threads.size(), 1);
            for (std::size_t i = workers; i < threads; ++i)
                m_work->leave();
            if (m_threads.empty())
                m_work->run();
        }
    }

    Status wait(std::stop_token stop) override { return m_work->wait(stop); }
    void cancel() override { m_work->cancel(); }
    void prefer(std::vector<std::uint32_t> traces) override { m_work->prefer(std::move(traces)); }
    void setClocks(ClockSettings choice, std::stop_token stop) override { m_work->setClocks(std::move(choice), stop); }
    std::shared_ptr<const Timeline> timeline() const override { return m_work->timeline(); }
    Progress progress() const override { return m_work->progress(); }
    std::vector<std::vector<fs::path>> storePaths() const override { return m_work->storePaths(); }

private:
    const unsigned m_jobs;
    const bool m_needsStates;
    const std::shared_ptr<ExperimentWork> m_work;
    std::vector<std::thread> m_threads;
};

/// Waits until the CTF packets of all traces are found, for commands that do not index.
void finishAll(BegunOpenings& begun, const std::stop_token& stop)
{
    std::erase_if(begun.traces, [&](std::unique_ptr<TraceOpening>& opening) {
        auto trace = opening->finish({}, stop);
        if (!trace) {
            begun.problems.push_back(
                {Diagnostic::Severity::Error, "unreadable", opening->provisionalTrace()->info().path.string(), 0, 1, trace.error().what});
            return true;
        }
        opening = makeFinishedOpening(std::move(*trace));
        return false;
    });
}

} // namespace

std::unique_ptr<Experiment> Experiment::of(std::vector<std::unique_ptr<TraceOpening>> openings, ExperimentOptions options)
{
    return std::make_unique<IndexedExperiment>(std::move(openings), std::vector<Diagnostic>(), std::move(options));
}

Result<std::unique_ptr<Experiment>> Experiment::open(const std::vector<fs::path>& paths, ExperimentOptions options, std::stop_token stop)
{
    if (options.storeDirectory.empty())
        options.storeDirectory = defaultStoreDirectory();
    options.symbols.recordings = paths;
    BegunOpenings begun = beginTraces(paths, options.storeDirectory / "archives", stop, options.format);
    if (!options.needsStates)
        finishAll(begun, stop);
    if (begun.traces.empty()) {
        std::string what;
        for (const Diagnostic& problem : begun.problems)
            what += (what.empty() ? "" : "\n") + problem.file + ": " + problem.what;
        return Error{Error::Kind::Unreadable, what.empty() ? "no trace given" : what};
    }
    const bool comparesHosts = !options.needsStates && options.synchronize;
    auto experiment = std::make_unique<IndexedExperiment>(std::move(begun.traces), std::move(begun.problems), std::move(options));
    if (comparesHosts)
        experiment->compareHosts(stop);
    return std::unique_ptr<Experiment>(std::move(experiment));
}

} // namespace helio
