#include "core/experiment/experiment.h"

#include "core/experiment/store_directory.h"
#include "core/experiment/timeline_composer.h"
#include "core/experiment/trace_indexer.h"
#include "core/experiment/trace_opener.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <optional>
#include <new>
#include <system_error>

namespace helio {

namespace fs = std::filesystem;

namespace {

/// The cache keeps the stores used last, up to this.
constexpr std::uint64_t MaximumCacheBytes = 20ull << 30;
constexpr std::uint64_t WorthThreads = 8ull << 20; ///< Bytes of a trace: below, threads more are not worth it.

class IndexedExperiment final : public Experiment {
public:
    IndexedExperiment(OpenedTraces opened, ExperimentOptions options)
        : m_options(std::move(options)), m_traces(std::move(opened.traces)), m_progress(m_traces.size())
    {
        Timeline timeline = composeTimeline(m_traces, m_options);
        for (Diagnostic& problem : opened.problems)
            timeline.diagnostics.push_back(std::move(problem));
        timeline.isComplete = !m_options.needsStates;
        m_timeline = std::make_shared<const Timeline>(std::move(timeline));
        m_isDone = !m_options.needsStates;
    }

    ~IndexedExperiment() override { stopThreads(); }

    void start(std::function<void()> onPublish) override
    {
        if (!m_options.needsStates || !m_threads.empty())
            return;
        m_onPublish = std::move(onPublish);
        m_started = std::chrono::steady_clock::now();
        m_jobs = m_options.jobs ? m_options.jobs : std::max(1u, std::thread::hardware_concurrency());
        m_running = std::min<std::size_t>(m_jobs, m_traces.size());
        const std::size_t count = m_running; // Threads that are done already lower m_running while others start.
        for (std::size_t i = 0; i < count; ++i)
            m_threads.emplace_back([this](std::stop_token stop) { work(stop); });
    }

    Status wait(std::stop_token stop) override
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, stop, [this] { return m_isDone; });
        if (!m_isDone)
            return Error{Error::Kind::Cancelled, "indexing was cancelled"};
        if (m_error)
            return *m_error;
        return Done{};
    }

    void cancel() override
    {
        for (std::jthread& thread : m_threads)
            thread.request_stop();
    }

    std::shared_ptr<const Timeline> timeline() const override
    {
        std::lock_guard lock(m_mutex);
        return m_timeline;
    }

    Progress progress() const override
    {
        Progress progress;
        for (std::size_t i = 0; i < m_traces.size(); ++i) {
            progress.bytesDone += m_progress[i].bytes.load(std::memory_order_relaxed);
            progress.events += m_progress[i].events.load(std::memory_order_relaxed);
            progress.bytesTotal += m_traces[i]->info().bytes;
        }
        std::lock_guard lock(m_mutex);
        progress.isDone = m_isDone;
        progress.wasReopened = m_reopened == m_traces.size();
        progress.elapsed = m_isDone ? m_elapsed : sinceStart();
        return progress;
    }

    std::vector<fs::path> storePaths() const override
    {
        std::vector<fs::path> paths;
        for (const auto& trace : m_traces)
            paths.push_back(storePath(m_options.storeDirectory, *trace));
        return paths;
    }

private:
    Duration sinceStart() const
    {
        return m_started == std::chrono::steady_clock::time_point{} ? Duration{} : Duration(std::chrono::steady_clock::now() - m_started);
    }

    /// One thread's life: takes traces until none is left.
    void work(const std::stop_token& stop)
    {
        for (std::size_t i = m_next++; i < m_traces.size() && !stop.stop_requested(); i = m_next++) {
            try {
                indexOne(i, stop);
            } catch (const std::bad_alloc&) {
                fail(*m_traces[i], {Error::Kind::Full, "there is not enough memory to index it"});
            }
        }
        {
            std::lock_guard lock(m_mutex);
            if (--m_running > 0)
                return;
            m_elapsed = sinceStart();
            Timeline timeline = *m_timeline;
            const bool hasAll = std::all_of(timeline.traces.begin(), timeline.traces.end(),
                                            [](const TimelineTrace& t) { return t.store && t.store->isComplete(); });
            if (!hasAll && !m_error) // Cancelled between two traces.
                m_error = Error{Error::Kind::Cancelled, "indexing was cancelled"};
            timeline.isComplete = !m_error;
            publishLocked(std::move(timeline));
            m_isDone = true;
        }
        m_changed.notify_all();
        notify();
        trimCache();
    }

    void trimCache() const
    {
        std::vector<fs::path> open;
        for (const auto& trace : m_traces)
            open.push_back(trace->info().path);
        trimStores(m_options.storeDirectory, MaximumCacheBytes, storePaths());
        trimArchives(m_options.storeDirectory / "archives", MaximumCacheBytes, open);
    }

    void indexOne(std::size_t index, const std::stop_token& stop)
    {
        const Trace& trace = *m_traces[index];
        const fs::path path = storePath(m_options.storeDirectory, trace);
        const std::string identity = storeIdentity(trace);
        if (!m_options.rebuild) {
            if (auto store = openStore(path, identity)) {
                ++m_reopened;
                m_progress[index].events = (*store)->summary().events;
                m_progress[index].bytes = trace.info().bytes;
                std::error_code ignored; // Used just now: the last to be trimmed.
                fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
                setStore(index, std::move(*store));
                return;
            }
        }
        build(index, trace, path, identity, stop);
    }

    /// Decoding takes a fifth of the time: more than a few threads have nothing to do.
    std::size_t decoders(const Trace& trace) const
    {
        return hasSpareCores(trace) ? std::clamp<std::size_t>(m_jobs / m_traces.size() - 1, 1, 4) : 0;
    }

    /// Whether a core is left for decoding and for writing, and the trace is worth it.
    bool hasSpareCores(const Trace& trace) const { return m_jobs > m_traces.size() && trace.info().bytes >= WorthThreads; }

    void build(std::size_t index, const Trace& trace, const fs::path& path, const std::string& identity, const std::stop_token& stop)
    {
        const HostTimestamp begin = claimedRange(trace).begin;
        std::error_code ignored;
        fs::create_directories(path.parent_path(), ignored);
        const auto noteMemory = [&](const Error& error) {
            note(keptInMemory(path, error));
            notify();
        };
        auto fileBuilder = makeFileStoreBuilder(path, identity, begin, {hasSpareCores(trace), stop, noteMemory});
        std::unique_ptr<StoreBuilder> builder = fileBuilder ? std::move(*fileBuilder) : makeMemoryStoreBuilder(begin);
        if (!fileBuilder)
            noteMemory(fileBuilder.error());
        std::function<void(std::shared_ptr<const Store>)> publish;
        if (m_onPublish) // Snapshots cost: they are made for somebody.
            publish = [&](std::shared_ptr<const Store> store) { setStore(index, std::move(store)); };
        auto store = indexTrace(trace, *builder, m_progress[index], decoders(trace), publish, stop);
        if (store)
            setStore(index, std::move(*store));
        else
            fail(trace, store.error());
    }

    static Diagnostic keptInMemory(const fs::path& path, const Error& error)
    {
        return {Diagnostic::Severity::Warning, "store-in-memory", path.string(), 0, 1,
                "the index cannot be kept (" + error.what + "), it will be made again next time"};
    }

    void setStore(std::size_t index, std::shared_ptr<const Store> store)
    {
        {
            std::lock_guard lock(m_mutex);
            Timeline timeline = *m_timeline;
            timeline.traces[index].store = std::move(store);
            publishLocked(std::move(timeline));
        }
        notify();
    }

    void note(Diagnostic diagnostic)
    {
        std::lock_guard lock(m_mutex);
        Timeline timeline = *m_timeline;
        timeline.diagnostics.push_back(std::move(diagnostic));
        publishLocked(std::move(timeline));
    }

    /// The first error is what wait() gives; all but cancelling are told with the timeline, which is what a window looks at.
    void fail(const Trace& trace, const Error& error)
    {
        const std::string path = trace.info().path.string();
        if (error.kind != Error::Kind::Cancelled)
            note({Diagnostic::Severity::Error, "not-indexed", path, 0, 1, "its states are not known whole: " + error.what});
        std::lock_guard lock(m_mutex);
        if (!m_error)
            m_error = Error{error.kind, path + ": " + error.what};
    }

    void publishLocked(Timeline timeline)
    {
        ++timeline.generation;
        timeline.range = composedRange(timeline);
        m_timeline = std::make_shared<const Timeline>(std::move(timeline));
    }

    void notify()
    {
        if (m_onPublish)
            m_onPublish();
    }

    void stopThreads()
    {
        cancel();
        m_threads.clear();
    }

    const ExperimentOptions m_options;
    const std::vector<std::shared_ptr<const Trace>> m_traces;
    std::vector<IndexProgress> m_progress;           ///< One a trace.
    std::atomic<std::size_t> m_next{0};
    std::atomic<std::size_t> m_reopened{0};
    std::function<void()> m_onPublish;
    std::chrono::steady_clock::time_point m_started;

    mutable std::mutex m_mutex;                      ///< Guards what follows.
    std::condition_variable_any m_changed;
    std::shared_ptr<const Timeline> m_timeline;
    std::optional<Error> m_error;
    Duration m_elapsed{};
    std::size_t m_jobs = 1;
    std::size_t m_running = 0;
    bool m_isDone = false;

    std::vector<std::jthread> m_threads;             ///< Last: joined before the rest goes.
};

} // namespace

Result<std::unique_ptr<Experiment>> Experiment::open(const std::vector<fs::path>& paths, ExperimentOptions options, std::stop_token stop)
{
    if (options.storeDirectory.empty())
        options.storeDirectory = defaultStoreDirectory();
    OpenedTraces opened = openTraces(paths, options.storeDirectory / "archives", std::move(stop));
    if (opened.traces.empty()) {
        std::string what;
        for (const Diagnostic& problem : opened.problems)
            what += (what.empty() ? "" : "\n") + problem.file + ": " + problem.what;
        return Error{Error::Kind::Unreadable, what.empty() ? "no trace was named" : what};
    }
    return std::unique_ptr<Experiment>(std::make_unique<IndexedExperiment>(std::move(opened), std::move(options)));
}

} // namespace helio
