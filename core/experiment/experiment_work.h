#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/trace_stores.h"
#include "core/experiment/work_order.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace helio {

/// What an experiment and its threads share. The threads own it too: one that is stuck in a read outlives the experiment, and then has no
/// listener.
///
/// Threads: all methods from any thread.
class ExperimentWork {
public:
    ExperimentWork(std::vector<std::unique_ptr<TraceOpening>> openings, std::vector<Diagnostic> problems, ExperimentOptions options);

    /// Before any thread runs.
    void begin(std::function<void()> onPublish, std::size_t threads, unsigned jobs);
    /// One thread's life: takes tasks until none is left.
    void run();
    /// Ends a thread's work: that of run(), or of one that begin() was promised and the system did not give.
    void leave();

    void prefer(std::vector<std::uint32_t> traces);
    void setClocks(ClockChoice choice, const std::stop_token& stop);
    /// Makes the relations that compare hosts, of traces that are not indexed.
    void compareHosts(const std::stop_token& stop);
    void cancel();
    /// The listener is not called any more.
    void forgetListener();
    Status wait(const std::stop_token& stop);
    /// Cancelled, and given a moment: true where all threads are gone.
    bool waitForThreads();

    std::shared_ptr<const Timeline> timeline() const;
    Progress progress() const;
    std::vector<std::vector<std::filesystem::path>> storePaths() const;
    std::size_t size() const { return m_openings.size(); }

private:
    using Task = WorkOrder::Task;
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
    void setPicture(std::size_t index, const TraceStores::Picture& picture);
    void note(Diagnostic diagnostic);
    void fail(const Trace& trace, const Error& error);
    void failRelation(const RelationKind& relation, const Error& error);
    void failFor(const Task& task, const Error& error);
    void publishLocked(Timeline timeline);
    void notify();

    const ExperimentOptions m_options;
    const std::shared_ptr<const Analyses> m_analyses;
    const std::shared_ptr<const Relations> m_relations;
    const std::vector<std::unique_ptr<TraceOpening>> m_openings;
    std::vector<IndexProgress> m_progress; ///< One a trace.
    std::vector<std::unique_ptr<TraceStores>> m_stores; ///< One a trace, made by who indexes it, and then of who derives from it.
    std::atomic<std::size_t> m_reopened{0};
    std::atomic<int> m_comparing{0}; ///< Relations being made that compare hosts.
    std::stop_source m_stop;

    std::mutex m_listenerMutex;
    std::function<void()> m_onPublish; ///< Guarded by it.
    bool m_hasListener = false; ///< As at the start: snapshots are made for somebody.
    SteadyClock::time_point m_started;
    std::size_t m_jobs = 1;

    mutable std::mutex m_mutex; ///< Guards what follows.
    std::condition_variable_any m_changed;
    std::shared_ptr<const Timeline> m_timeline;
    WorkOrder m_order;
    std::vector<std::vector<std::filesystem::path>> m_paths; ///< Of the stores, one a trace.
    std::optional<Error> m_error;
    std::optional<SteadyClock::time_point> m_cancelled;
    Duration m_elapsed{};
    std::size_t m_running = 0; ///< Threads that have something to do.
    std::size_t m_threads = 0; ///< Threads that are there.
    bool m_isDone = false;
};

} // namespace helio
