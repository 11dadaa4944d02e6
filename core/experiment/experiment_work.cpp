#include "core/experiment/experiment_work.h"

#include "core/experiment/host_alignment.h"
#include "core/experiment/host_threads.h"
#include "core/experiment/store_directory.h"
#include "core/experiment/timeline_composer.h"

#include <algorithm>
#include <new>
#include <system_error>

namespace helio {

namespace fs = std::filesystem;

namespace {

/// Size limit of the store directory in bytes; beyond the limit, the least recently used stores are removed.
constexpr std::uint64_t MaximumCacheBytes = 20ull << 30;
constexpr std::uint64_t WorthThreads = 8ull << 20; ///< Minimum size in bytes of a trace that is indexed with several threads.

/// Counts running work: increments `counter` in the constructor and decrements it in the destructor, even if the work throws an exception.
/// Counts nothing if `isOne` is false.
class ScopedCount {
public:
    ScopedCount(std::atomic<int>& counter, bool isOne)
        : m_counter(counter)
        , m_number(isOne)
    {
        m_counter += m_number;
    }
    ~ScopedCount() { m_counter -= m_number; }
    ScopedCount(const ScopedCount&) = delete;
    ScopedCount& operator=(const ScopedCount&) = delete;

private:
    std::atomic<int>& m_counter;
    const int m_number;
};

/// Time after which a cancelled thread is considered blocked in a read.
constexpr auto Patience = std::chrono::milliseconds(100);

Diagnostic keptInMemory(const fs::path& path, const Error& error)
{
    return {Diagnostic::Severity::Warning,
            "store-in-memory",
            path.string(),
            0,
            1,
            "the index cannot be saved (" + error.what + "); it will be rebuilt next time"};
}

/// True if the clocks of all traces are equal. If they are not, rows of correlators are stale, because their times are on the experiment's
/// clock.
bool haveSameClocks(const Timeline& a, const Timeline& b)
{
    return std::ranges::equal(a.traces, b.traces, [](const TimelineTrace& first, const TimelineTrace& second) {
        return first.clock.offset() == second.clock.offset() && first.clock.points() == second.clock.points();
    });
}

} // namespace

ExperimentWork::ExperimentWork(std::vector<std::unique_ptr<TraceOpening>> openings, std::vector<Diagnostic> problems,
                               ExperimentOptions options)
    : m_options(std::move(options))
    , m_analyses(m_options.analyses ? m_options.analyses : Analyses::builtin())
    , m_relations(m_options.relations ? m_options.relations : CorrelatorRegistry::builtin())
    , m_openings(std::move(openings))
    , m_progress(m_openings.size())
    , m_stores(m_openings.size())
    , m_order(m_openings.size(), m_relations->all().size())
    , m_paths(m_openings.size())
{
    std::vector<std::shared_ptr<const Trace>> traces;
    for (const auto& opening : m_openings)
        traces.push_back(opening->provisionalTrace());
    Timeline timeline = composeTimeline(traces, m_options);
    for (Diagnostic& problem : problems)
        timeline.diagnostics.push_back(std::move(problem));
    timeline.isComplete = !m_options.needsStates;
    m_timeline = std::make_shared<const Timeline>(std::move(timeline));
    m_isDone = !m_options.needsStates;
}

void ExperimentWork::begin(std::function<void()> onPublish, std::size_t threads, unsigned jobs)
{
    m_onPublish = std::move(onPublish);
    m_hasListener = bool(m_onPublish);
    m_started = SteadyClock::now();
    m_jobs = jobs;
    m_running = m_threads = threads;
}

void ExperimentWork::run()
{
    while (const auto task = next()) {
        bool goesOn = false;
        try {
            goesOn = run(*task);
        } catch (const std::exception&) {
            failByException(*task);
        }
        std::lock_guard lock(m_mutex);
        m_order.done(*task, goesOn);
        m_changed.notify_all();
    }
    leave();
}

void ExperimentWork::leave()
{
    try {
        finish();
    } catch (const std::exception&) { // The timeline published last stays.
        failForMemory();
    }
    std::lock_guard lock(m_mutex);
    m_isDone = m_isDone || m_running == 0;
    --m_threads;
    m_changed.notify_all();
}

/// Runs the task. Returns true if there are more tasks for the trace.
bool ExperimentWork::run(const Task& task)
{
    switch (task.kind) {
    case Task::Kind::Open: return open(task.index);
    case Task::Kind::Index: return index(task.index);
    case Task::Kind::Derive: derive(task.index); break;
    case Task::Kind::Relate: relate(task.index); break;
    }
    return false;
}

std::optional<IndexScheduler::Task> ExperimentWork::next()
{
    std::unique_lock lock(m_mutex);
    while (!m_stop.stop_requested()) {
        if (const auto task = m_order.take())
            return task;
        if (!m_order.mayUnlockTasks())
            return {};
        m_changed.wait(lock);
    }
    return {};
}

/// Counts the calling thread as done; the last thread publishes the outcome of indexing.
void ExperimentWork::finish()
{
    {
        std::lock_guard lock(m_mutex);
        if (--m_running > 0)
            return;
        m_elapsed = sinceStart();
        Timeline timeline = *m_timeline;
        const bool hasAll = std::ranges::all_of(timeline.traces, [](const TimelineTrace& t) { return t.facts && t.facts->isComplete(); })
            && std::ranges::all_of(timeline.stores,
                                   [](const TimelineStore& it) { return !it.runsOnTrace || (it.store && it.store->isComplete()); });
        const bool hasRelations = m_error || m_order.areRelationsTaken();
        // If tasks are left although no task failed, indexing was cancelled between two tasks.
        if (!(hasAll && hasRelations) && !m_error)
            m_error = Error{Error::Kind::Cancelled, "indexing was cancelled"};
        timeline.isComplete = !m_error;
        publishLocked(std::move(timeline));
        m_isDone = true;
    }
    m_changed.notify_all();
    notify();
    trimCache();
}

/// Reports the exception that is being handled, which the task threw.
void ExperimentWork::failByException(const Task& task)
{
    try {
        try {
            throw;
        } catch (const std::bad_alloc&) {
            failFor(task, {Error::Kind::Full, "not enough memory"});
        } catch (const std::exception& error) {
            failFor(task, {Error::Kind::Unreadable, error.what()});
        }
    } catch (const std::exception&) { // There is no memory for the message either.
        failForMemory();
    }
}

/// Reports that there is not enough memory, which takes no memory.
void ExperimentWork::failForMemory()
{
    std::lock_guard lock(m_mutex);
    if (!m_error && !m_isDone)
        m_error = std::move(m_outOfMemory);
}

void ExperimentWork::trimCache() const
{
    if (!isTrimDue(m_options.storeDirectory))
        return;
    // First file of each stream of the open traces; the archives with these files must not be trimmed. The paths of the traces do not
    // suffice: a trace from an archive has the path of the archive, not of its unpacked files.
    std::vector<fs::path> open;
    for (const TimelineTrace& t : timeline()->traces)
        for (const StreamInfo& stream : t.trace->streams())
            open.insert(open.end(), stream.files.begin(), stream.files.begin() + (stream.files.empty() ? 0 : 1));
    std::vector<fs::path> stores;
    for (const std::vector<fs::path>& ofTrace : storePaths())
        stores.insert(stores.end(), ofTrace.begin(), ofTrace.end());
    open.insert(open.end(), stores.begin(), stores.end()); // Stores of a packed index are in an archive's folder.
    trimStores(m_options.storeDirectory, MaximumCacheBytes, stores);
    trimArchives(m_options.storeDirectory / "archives", MaximumCacheBytes, open);
}

/// Finds the CTF packets of the trace. Returns false if the trace cannot be indexed.
bool ExperimentWork::open(std::size_t index)
{
    const auto publish = [&](std::shared_ptr<const Trace> provisional) { setTrace(index, std::move(provisional)); };
    auto opened = m_openings[index]->finish(m_hasListener ? TraceOpening::Publish(publish) : TraceOpening::Publish(), m_stop.get_token());
    if (!opened) {
        fail(*trace(index), opened.error());
        m_progress[index].plan(1, trace(index)->info().bytes);
        m_progress[index].finish();
        return false;
    }
    setTrace(index, std::move(*opened));
    // Traces with a boot id are related by it, for which their descriptions suffice.
    const auto isRelatedByTime = [](const TimelineTrace& it) { return it.trace->info().clock.uuid.empty(); };
    if (m_openings.size() > 1 && std::ranges::any_of(timeline()->traces, isRelatedByTime))
        change(m_stop.get_token(), runOpeningCorrelators);
    m_stores[index] = makeStores(index);
    m_stores[index]->plan(m_progress[index]);
    return true;
}

/// Indexes the trace. Returns true if the trace has further analyses, which a task of kind Derive must run.
bool ExperimentWork::index(std::size_t index)
{
    TraceStores& stores = *m_stores[index];
    expect(index, stores.running());
    const Status status = stores.index(
        m_progress[index], [&](const TraceStores::Snapshot& picture) { setSnapshot(index, picture); }, m_hasListener);
    leaveOut(index, stores.takeLeftOut());
    if (status && stores.hasDependants())
        return true;
    finish(index, status);
    return false;
}

void ExperimentWork::derive(std::size_t index)
{
    TraceStores& stores = *m_stores[index];
    std::vector<ThreadEnd> ends;
    if (stores.usesThreadEnds())
        ends = findThreadEnds(*timeline(), index);
    const Status status = stores.derive(
        m_progress[index], [&](const TraceStores::Snapshot& picture) { setSnapshot(index, picture); }, m_hasListener, std::move(ends));
    leaveOut(index, stores.takeLeftOut());
    finish(index, status);
}

/// Runs a correlator, unless it runs only on request.
void ExperimentWork::relate(std::size_t kind)
{
    const Correlator& relation = *m_relations->all()[kind];
    const auto timeline = this->timeline();
    if (relation.when() != Correlator::When::Indexed || !relation.appliesTo(*timeline))
        return;
    const ScopedCount comparing(m_comparing, relation.comparesHosts());
    remake(kind, m_stop.get_token());
}

void ExperimentWork::remake(std::size_t kind, const std::stop_token& stop)
{
    const Correlator& relation = *m_relations->all()[kind];
    bool isStale = true;
    while (isStale && !stop.stop_requested()) {
        const auto before = timeline();
        auto found = relation.make(*before, {}, stop);
        if (!found) {
            failCorrelator(relation, found.error());
            return;
        }
        change(stop, [&, made = std::make_shared<const Correlation>(std::move(*found))](Timeline& with) {
            isStale = !made->rows.empty() && !haveSameClocks(*before, with);
            addCorrelation(with, kind, made);
        });
    }
}

/// Applies `how` to a copy of the current timeline and publishes the copy. Starts again if another thread published a timeline in the
/// meantime, which is possible because `how` may take long.
void ExperimentWork::change(const std::stop_token& stop, const std::function<void(Timeline&)>& how)
{
    while (!stop.stop_requested()) {
        const auto before = timeline();
        Timeline with = *before;
        how(with);
        assessClocks(with);
        retimeLinks(with);
        std::lock_guard lock(m_mutex);
        if (m_timeline != before)
            continue;
        publishLocked(std::move(with));
        break;
    }
    notify();
}

void ExperimentWork::setClocks(ClockSettings choice, const std::stop_token& stop)
{
    change(stop, [&](Timeline& with) {
        with.clockSettings = choice;
        alignHosts(with);
    });
    const auto now = timeline();
    for (std::size_t kind = 0; kind < now->relations.size() && !stop.stop_requested(); ++kind)
        if (now->relations[kind] && !now->relations[kind]->rows.empty() && m_relations->all()[kind]->when() == Correlator::When::Indexed)
            remake(kind, stop);
}

void ExperimentWork::compareHosts(const std::stop_token& stop)
{
    const auto now = timeline();
    for (std::size_t kind = 0; kind < m_relations->all().size() && now->hosts.size() > 1; ++kind)
        if (m_relations->all()[kind]->comparesHosts() && m_relations->all()[kind]->appliesTo(*now))
            remake(kind, stop);
}

/// Ends the work on the trace `index`, with its outcome `status`.
void ExperimentWork::finish(std::size_t index, const Status& status)
{
    if (!status)
        fail(*trace(index), status.error());
    else if (!m_stores[index]->wasBuilt())
        ++m_reopened;
    {
        std::lock_guard lock(m_mutex);
        m_paths[index] = m_stores[index]->paths();
    }
    m_progress[index].finish();
    m_stores[index].reset();
}

std::unique_ptr<TraceStores> ExperimentWork::makeStores(std::size_t index)
{
    const auto trace = this->trace(index);
    const auto noteMemory = [this](const fs::path& path, const Error& error) {
        note(keptInMemory(path, error));
        notify();
    };
    return std::make_unique<TraceStores>(trace, m_analyses,
                                         TraceStores::Options{m_options.storeDirectory, m_options.rebuild, coresFor(*trace),
                                                              std::min(m_jobs, size()), m_stop.get_token(), noteMemory});
}

/// Returns the number of cores that the trace may use for decoding and encoding; 1 for a small trace.
std::size_t ExperimentWork::coresFor(const Trace& trace) const
{
    return trace.info().bytes >= WorthThreads ? std::max<std::size_t>(m_jobs / size(), 1) : 1;
}

void ExperimentWork::prefer(std::vector<std::uint32_t> traces)
{
    std::lock_guard lock(m_mutex);
    m_order.prefer(std::move(traces));
}

void ExperimentWork::cancel()
{
    {
        std::lock_guard lock(m_mutex);
        m_stop.request_stop();
        if (!m_cancelled)
            m_cancelled = SteadyClock::now();
    }
    m_changed.notify_all();
}

void ExperimentWork::forgetListener()
{
    std::lock_guard lock(m_listenerMutex);
    m_onPublish = nullptr;
}

Status ExperimentWork::wait(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return m_isDone || m_cancelled; });
    if (m_cancelled)
        m_changed.wait_until(lock, stop, *m_cancelled + Patience, [this] { return m_isDone; });
    if (!m_isDone)
        return Error{Error::Kind::Cancelled, "indexing was cancelled"};
    if (m_error)
        return *m_error;
    return Done{};
}

bool ExperimentWork::waitForThreads()
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, Patience, [this] { return m_threads == 0; });
}

std::shared_ptr<const Timeline> ExperimentWork::timeline() const
{
    std::lock_guard lock(m_mutex);
    return m_timeline;
}

Progress ExperimentWork::progress() const
{
    Progress progress;
    std::lock_guard lock(m_mutex);
    for (std::size_t i = 0; i < m_progress.size(); ++i) {
        const TraceProgress& one = m_progress[i];
        progress.bytesDone += one.bytesDone();
        progress.events += one.events();
        progress.bytesTotal += one.isPlanned() ? one.bytesTotal() : m_timeline->traces[i].trace->info().bytes;
    }
    progress.isDone = m_isDone || (m_cancelled && SteadyClock::now() > *m_cancelled + Patience);
    progress.wasReopened = m_reopened == size();
    progress.isComparingHosts = m_comparing > 0;
    progress.elapsed = m_isDone ? m_elapsed : sinceStart();
    return progress;
}

std::vector<std::vector<fs::path>> ExperimentWork::storePaths() const
{
    std::lock_guard lock(m_mutex);
    return m_paths;
}

Duration ExperimentWork::sinceStart() const
{
    return m_started == SteadyClock::time_point{} ? Duration{} : Duration(SteadyClock::now() - m_started);
}

std::shared_ptr<const Trace> ExperimentWork::trace(std::size_t index) const { return timeline()->traces[index].trace; }

void ExperimentWork::setTrace(std::size_t index, std::shared_ptr<const Trace> trace)
{
    {
        std::lock_guard lock(m_mutex);
        Timeline timeline = *m_timeline;
        helio::setTrace(timeline.traces[index], std::move(trace), *m_analyses);
        publishLocked(std::move(timeline));
    }
    notify();
}

/// Sets TimelineStore::runsOnTrace of the stores of the trace for the analyses `running`, and publishes the timeline.
void ExperimentWork::expect(std::size_t index, const std::vector<std::size_t>& running)
{
    std::lock_guard lock(m_mutex);
    Timeline timeline = *m_timeline;
    for (const std::size_t place : running)
        timeline.stores[placeOf(timeline, index, place)].runsOnTrace = true;
    publishLocked(std::move(timeline));
}

/// Records that analyses, indices into Analyses::all(), do not run on the trace after all, because its packed index lacks their stores.
void ExperimentWork::leaveOut(std::size_t index, const std::vector<std::size_t>& places)
{
    if (places.empty())
        return;
    std::string names;
    for (const std::size_t place : places)
        names += (names.empty() ? "" : ", ") + std::string(m_analyses->all()[place]->id());
    note({Diagnostic::Severity::Warning, "incomplete-pack", trace(index)->info().path.string(), 0, places.size(),
          "this index without its recording lacks the results of " + names
              + ". Pack it again with this version, or open it with the traces that it was packed with"});
    std::lock_guard lock(m_mutex);
    Timeline timeline = *m_timeline;
    for (const std::size_t place : places)
        timeline.stores[placeOf(timeline, index, place)].runsOnTrace = false;
    publishLocked(std::move(timeline));
}

void ExperimentWork::setSnapshot(std::size_t index, const TraceStores::Snapshot& picture)
{
    {
        std::lock_guard lock(m_mutex);
        Timeline timeline = *m_timeline;
        timeline.traces[index].facts = picture.facts;
        for (std::size_t place = 0; place < picture.stores.size(); ++place)
            timeline.stores[placeOf(timeline, index, place)].store = picture.stores[place];
        publishLocked(std::move(timeline));
    }
    notify();
}

void ExperimentWork::note(Diagnostic diagnostic)
{
    std::lock_guard lock(m_mutex);
    Timeline timeline = *m_timeline;
    timeline.diagnostics.push_back(std::move(diagnostic));
    publishLocked(std::move(timeline));
}

/// Stores the first error for wait(). Publishes all errors except Cancelled as diagnostics of the timeline, for the window.
void ExperimentWork::fail(const Trace& trace, const Error& error)
{
    const std::string path = trace.info().path.string();
    if (error.kind != Error::Kind::Cancelled)
        note({Diagnostic::Severity::Error, "not-indexed", path, 0, 1, "its states are incomplete: " + error.what});
    std::lock_guard lock(m_mutex);
    if (!m_error)
        m_error = Error{error.kind, path + ": " + error.what};
}

/// Publishes the error as a diagnostic only, because the traces remain usable.
void ExperimentWork::failCorrelator(const Correlator& relation, const Error& error)
{
    if (error.kind != Error::Kind::Cancelled)
        note(correlatorFailure(relation, error));
}

void ExperimentWork::failFor(const Task& task, const Error& error)
{
    if (task.kind == Task::Kind::Relate)
        failCorrelator(*m_relations->all()[task.index], error);
    else
        fail(*trace(task.index), error);
}

void ExperimentWork::publishLocked(Timeline timeline)
{
    ++timeline.generation;
    timeline.range = experimentRange(timeline);
    m_timeline = std::make_shared<const Timeline>(std::move(timeline));
}

void ExperimentWork::notify()
{
    std::lock_guard lock(m_listenerMutex);
    if (m_onPublish)
        m_onPublish();
}

} // namespace helio
