#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/index_scheduler.h"
#include "core/experiment/trace_stores.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace helio {

/// State that an experiment and its indexing threads share.
///
/// Ownership: shared with the indexing threads. A thread that does not return from a read may outlive the experiment; forgetListener() has
/// then removed the callback that it would call.
/// Threads: all methods from any thread.
class ExperimentWork {
public:
    ExperimentWork(std::vector<std::unique_ptr<TraceOpening>> openings, std::vector<Diagnostic> problems, ExperimentOptions options);

    /// Prepares for run(). Requires: no indexing thread is running.
    void begin(std::function<void()> onPublish, std::size_t threads, unsigned jobs);
    /// Runs tasks until none is left; the main function of an indexing thread.
    void run();
    /// Counts an indexing thread as ended. run() calls it at its end; the owner calls it for each thread announced to begin() that could
    /// not be started.
    void leave();

    void prefer(std::vector<std::uint32_t> traces);
    void setClocks(ClockSettings choice, const std::stop_token& stop);
    /// Runs the correlators that compare hosts, for experiments whose traces are not indexed.
    void compareHosts(const std::stop_token& stop);
    void cancel();
    /// Releases the callback that begin() received; it is not called after this function returns.
    void forgetListener();
    Status wait(const std::stop_token& stop);
    /// Waits up to 100 ms until all threads have ended. Returns true if they have. Requires: cancel() was called.
    bool waitForThreads();

    std::shared_ptr<const Timeline> timeline() const;
    Progress progress() const;
    std::vector<std::vector<std::filesystem::path>> storePaths() const;
    std::size_t size() const { return m_openings.size(); }

private:
    using Task = IndexScheduler::Task;
    using SteadyClock = std::chrono::steady_clock;

    std::optional<Task> next();
    bool run(const Task& task);
    bool open(std::size_t index);
    bool index(std::size_t index);
    void derive(std::size_t index);
    void relate(std::size_t kind);
    void remake(std::size_t kind, const std::stop_token& stop);
    void change(const std::stop_token& stop, const std::function<void(Timeline&)>& how);
    void finish(std::size_t index, const Status& status);
    std::unique_ptr<TraceStores> makeStores(std::size_t index);
    std::size_t coresFor(const Trace& trace) const;
    void finish();
    void trimCache() const;

    Duration sinceStart() const;
    std::shared_ptr<const Trace> trace(std::size_t index) const;
    void setTrace(std::size_t index, std::shared_ptr<const Trace> trace);
    void expect(std::size_t index, const std::vector<std::size_t>& running);
    void leaveOut(std::size_t index, const std::vector<std::size_t>& places);
    void setSnapshot(std::size_t index, const TraceStores::Snapshot& picture);
    void note(Diagnostic diagnostic);
    void fail(const Trace& trace, const Error& error);
    void failCorrelator(const Correlator& relation, const Error& error);
    void failFor(const Task& task, const Error& error);
    void failByException(const Task& task);
    void failForMemory();
    void publishLocked(Timeline timeline);
    void notify();

    const ExperimentOptions m_options;
    const std::shared_ptr<const Analyses> m_analyses;
    const std::shared_ptr<const CorrelatorRegistry> m_relations;
    const std::vector<std::unique_ptr<TraceOpening>> m_openings;
    std::vector<TraceProgress> m_progress; ///< Indexing progress of each trace.
    /// Stores of each trace: created when indexing of the trace starts, null after the trace's last task.
    std::vector<std::unique_ptr<TraceStores>> m_stores;
    std::atomic<std::size_t> m_reopened{0};
    std::atomic<int> m_comparing{0}; ///< Number of running correlators that compare hosts.
    std::stop_source m_stop;

    std::mutex m_listenerMutex;
    std::function<void()> m_onPublish; ///< Callback that begin() received; guarded by m_listenerMutex.
    bool m_hasListener = false; ///< True if begin() received a callback, so snapshots are worth their cost. Constant while threads run.
    SteadyClock::time_point m_started;
    std::size_t m_jobs = 1;

    mutable std::mutex m_mutex; ///< Guards all members below.
    std::condition_variable_any m_changed;
    std::shared_ptr<const Timeline> m_timeline;
    IndexScheduler m_order;
    std::vector<std::vector<std::filesystem::path>> m_paths; ///< Paths of the store files, for each trace.
    std::optional<Error> m_error;
    Error m_outOfMemory{Error::Kind::Full, "not enough memory"}; ///< Made in advance, to be moved to m_error when memory has run out.
    std::optional<SteadyClock::time_point> m_cancelled;
    Duration m_elapsed{};
    std::size_t m_running = 0; ///< Number of indexing threads that may still run tasks.
    std::size_t m_threads = 0; ///< Number of indexing threads that have not ended.
    bool m_isDone = false;
};

} // namespace helio
