#include "core/experiment/trace_stores.h"

#include "core/base/no_room.h"
#include "core/experiment/store_directory.h"
#include "core/store/assembly/file_store.h"
#include "core/trace/packed/index_only_trace.h"

#include <algorithm>
#include <functional>
#include <future>
#include <system_error>
#include <utility>

namespace helio {

namespace fs = std::filesystem;

namespace {

TraceStores::Options optionsOf(const IndexOnlyTrace* indexOnly, TraceStores::Options options)
{
    if (indexOnly) {
        options.directory = indexOnly->storeDirectory();
        options.rebuild = false;
    }
    return options;
}

} // namespace

void TraceProgress::plan(std::size_t passes, std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_planned = passes;
    m_bytes = bytes;
}

IndexProgress& TraceProgress::beginPass()
{
    const std::lock_guard lock(m_mutex);
    return m_passes.emplace_back();
}

void TraceProgress::finish()
{
    const std::lock_guard lock(m_mutex);
    m_isFinished = true;
}

bool TraceProgress::isPlanned() const
{
    const std::lock_guard lock(m_mutex);
    return m_planned > 0;
}

std::uint64_t TraceProgress::total() const { return std::max(m_planned, m_passes.size()) * m_bytes; }

std::uint64_t TraceProgress::bytesTotal() const
{
    const std::lock_guard lock(m_mutex);
    return total();
}

std::uint64_t TraceProgress::bytesDone() const
{
    const std::lock_guard lock(m_mutex);
    if (m_isFinished)
        return total();
    std::uint64_t done = 0;
    for (const IndexProgress& pass : m_passes)
        done += pass.bytes.load(std::memory_order_relaxed);
    return done;
}

std::uint64_t TraceProgress::events() const
{
    const std::lock_guard lock(m_mutex);
    return m_passes.empty() ? 0 : m_passes.front().events.load(std::memory_order_relaxed);
}

TraceStores::TraceStores(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analyses> analyses, Options options)
    : m_trace(std::move(trace))
    , m_analyses(std::move(analyses))
    , m_indexOnly(dynamic_cast<const IndexOnlyTrace*>(m_trace.get()))
    , m_options(optionsOf(m_indexOnly, std::move(options)))
    , m_running(m_analyses->runningOn(*m_trace))
{
    m_finished.stores.resize(m_analyses->all().size());
    m_published = m_finished;
}

bool TraceStores::hasDependants() const
{
    return !std::ranges::all_of(m_running, [&](std::size_t place) { return othersOf(place).empty(); });
}

void TraceStores::plan(TraceProgress& progress) const
{
    IsFinished isFinished(m_analyses->all().size());
    const auto finish = [&](const Reading& reading) {
        for (const std::size_t place : reading.places)
            isFinished[place] = true;
    };
    finish(firstReading());
    std::size_t passes = 1;
    for (auto readings = nextReadings(isFinished); !readings.empty(); readings = nextReadings(isFinished)) {
        passes += readings.size();
        std::ranges::for_each(readings, finish);
    }
    progress.plan(passes, m_trace->info().bytes);
}

Status TraceStores::index(TraceProgress& progress, const Publish& publish, bool hasListener)
{
    return run(firstReading(), progress.beginPass(), publish, hasListener);
}

/// Returns the reading of index().
TraceStores::Reading TraceStores::firstReading() const
{
    // Build only the stores that other analyses wait for, and leave all other stores to derive(). derive() reads the trace again anyway and
    // can build these stores in a parallel pass, which needs a second core. With several traces, build all stores here: leaving stores
    // gains nothing, and analyses of other traces may use the thread ends of this trace.
    const bool isAnyWaitedFor = std::ranges::any_of(m_running, [this](std::size_t place) { return isWaitedFor(place); });
    const bool leavesSome = isAnyWaitedFor && m_options.cores > 1 && m_options.traces == 1;
    Reading reading{{}, true, m_options.cores};
    std::ranges::copy_if(m_running, std::back_inserter(reading.places),
                         [&](std::size_t place) { return othersOf(place).empty() && (!leavesSome || isWaitedFor(place)); });
    return reading;
}

bool TraceStores::isWaitedFor(std::size_t place) const
{
    return std::ranges::any_of(m_running, [&](std::size_t it) { return std::ranges::count(othersOf(it), std::optional(place)) > 0; });
}

bool TraceStores::usesThreadEnds() const
{
    return std::ranges::any_of(m_running, [&](std::size_t place) { return m_analyses->all()[place]->usesThreadEnds(); });
}

std::vector<fs::path> TraceStores::paths() const
{
    std::vector<fs::path> paths{storePath(m_options.directory, identityOf({}))};
    for (const std::size_t place : m_running)
        paths.push_back(storePath(m_options.directory, identityOf(place)));
    return paths;
}

Status TraceStores::derive(TraceProgress& progress, const Publish& publish, bool hasListener, std::vector<ThreadEnd> threadEnds)
{
    m_threadEnds = std::move(threadEnds);
    for (auto readings = nextReadings(finished()); !readings.empty(); readings = nextReadings(finished()))
        if (Status status = runAtOnce(readings, progress, publish, hasListener); !status)
            return status;
    return Done{};
}

/// Returns the next passes over the trace: one for unfinished analyses that depend on finished analyses, and one for unfinished analyses
/// without dependencies. Empty if all analyses are finished.
std::vector<TraceStores::Reading> TraceStores::nextReadings(const IsFinished& isFinished) const
{
    std::vector<Reading> readings(2);
    for (const std::size_t place : m_running)
        if (!isFinished[place] && isReady(place, isFinished))
            readings[othersOf(place).empty() ? 1 : 0].places.push_back(place);
    std::erase_if(readings, [](const Reading& reading) { return reading.places.empty(); });
    for (Reading& reading : readings)
        reading.cores = std::max<std::size_t>(m_options.cores / readings.size(), 1);
    return readings;
}

TraceStores::IsFinished TraceStores::finished() const
{
    IsFinished isFinished;
    for (const auto& store : m_finished.stores)
        isFinished.push_back(store != nullptr);
    return isFinished;
}

/// Runs the given passes over the trace at the same time, the first pass on the calling thread. Runs them one after another if the system
/// refuses more threads.
Status TraceStores::runAtOnce(const std::vector<Reading>& readings, TraceProgress& progress, const Publish& publish, bool hasListener)
{
    const auto runOne = [&](const Reading& reading) { return run(reading, progress.beginPass(), publish, hasListener); };
    std::vector<std::future<Status>> others;
    for (std::size_t i = 1; i < readings.size(); ++i)
        others.push_back(std::async(std::launch::async | std::launch::deferred, runOne, std::cref(readings[i])));
    Status status = runOne(readings.front());
    for (std::future<Status>& other : others)
        if (Status its = other.get(); status)
            status = std::move(its);
    return status;
}

/// Returns the other analyses on which analysis number `place` depends, as indices into Analyses::all(); nullopt for an optional analysis
/// (AnalysisKind::uses()) that does not run on the trace.
std::vector<std::optional<std::size_t>> TraceStores::othersOf(std::size_t place) const
{
    std::vector<std::optional<std::size_t>> others;
    for (const auto& ids : {m_analyses->all()[place]->needs(), m_analyses->all()[place]->uses()})
        for (const std::string_view id : ids) {
            const auto other = std::ranges::find_if(m_running, [&](std::size_t it) { return m_analyses->all()[it]->id() == id; });
            others.push_back(other != m_running.end() ? std::optional(*other) : std::nullopt);
        }
    return others;
}

/// True if all analyses on which analysis number `place` depends are finished. `place`: index into Analyses::all().
bool TraceStores::isReady(std::size_t place, const IsFinished& isFinished) const
{
    return std::ranges::all_of(othersOf(place), [&](std::optional<std::size_t> other) { return !other || isFinished[*other]; });
}

/// Performs one pass over the trace: opens the stores of the pass that exist already, and builds the missing stores.
Status TraceStores::run(const Reading& reading, IndexProgress& progress, const Publish& publish, bool hasListener)
{
    std::vector<std::size_t> missing;
    std::ranges::copy_if(reading.places, std::back_inserter(missing), [&](std::size_t place) { return !reopen(place); });
    const bool lacksFacts = reading.withFacts && !reopen({});
    if (missing.size() < reading.places.size() || (reading.withFacts && !lacksFacts))
        show({}, {}, true, publish);
    if (m_indexOnly)
        if (Status status = leaveOut(std::exchange(missing, {}), lacksFacts); !status)
            return status;
    if (missing.empty() && !lacksFacts) {
        progress.events = m_finished.facts->summary().events;
        progress.bytes = m_trace->info().bytes;
        return Done{};
    }
    m_wasBuilt = true;
    std::vector<std::unique_ptr<StoreBuilder>> builders(missing.size());
    const auto ofFacts = lacksFacts ? makeBuilder({}) : nullptr;
    IndexPass pass{ofFacts.get(), {}};
    for (std::size_t i = 0; i < missing.size(); ++i)
        pass.parts.push_back(partOf(missing[i], builders[i]));
    IndexedCallback take;
    if (hasListener) // Make snapshots only for a listener, because they cost time.
        take = [&](const IndexedTrace& indexed) { show(missing, indexed, false, publish); };
    const auto indexed = indexTrace(*m_trace, pass, progress, reading.cores, take, m_options.stop);
    if (!indexed)
        return indexed.error();
    show(missing, *indexed, true, publish);
    const bool isIncomplete = std::ranges::any_of(m_trace->diagnostics(), [](const Diagnostic& it) { return it.kind == NoRoom; });
    if (isIncomplete || m_trace->hasChanged())
        removeFiles(missing, lacksFacts);
    return Done{};
}

/// Removes the analyses `missing`, indices into Analyses::all(), from those that run on the trace: an index without events has no more than
/// its stores.
Status TraceStores::leaveOut(const std::vector<std::size_t>& missing, bool lacksFacts)
{
    if (const PartialFolder* const rest = m_indexOnly->rest(); rest && !rest->problem().empty())
        return Error{Error::Kind::Unreadable, m_trace->info().path.string() + ": " + rest->problem()};
    if (lacksFacts)
        return Error{Error::Kind::Unsupported,
                     m_trace->info().path.string()
                         + ": another version of Heliograph packed this index, or it is damaged. Pack it again where the recording is: "
                           "heliograph pack "
                         + m_indexOnly->recordedPath().string()};
    const std::lock_guard lock(m_mutex);
    m_leftOut.insert(m_leftOut.end(), missing.begin(), missing.end());
    std::erase_if(m_running, [&](std::size_t place) { return std::ranges::find(missing, place) != missing.end(); });
    return Done{};
}

/// Removes the files of stores that were just built. Their mappings stay valid; the next experiment indexes the trace again.
void TraceStores::removeFiles(const std::vector<std::size_t>& places, bool withFacts) const
{
    const auto remove = [this](std::optional<std::size_t> place) {
        std::error_code ignored;
        fs::remove(storePath(m_options.directory, identityOf(place)), ignored);
    };
    std::ranges::for_each(places, remove);
    if (withFacts)
        remove({});
}

/// Publishes the new stores of the analyses `places`, which are indices into Analyses::all(), together with all stores published earlier.
void TraceStores::show(const std::vector<std::size_t>& places, const IndexedTrace& indexed, bool areFinished, const Publish& publish)
{
    const auto takeInto = [&](Snapshot& picture) {
        if (indexed.facts)
            picture.facts = indexed.facts;
        for (std::size_t i = 0; i < places.size(); ++i)
            picture.stores[places[i]] = indexed.stores[i];
    };
    const std::lock_guard lock(m_mutex);
    takeInto(m_published);
    if (areFinished)
        takeInto(m_finished);
    publish(m_published);
}

bool TraceStores::reopen(std::optional<std::size_t> place)
{
    if (m_options.rebuild)
        return false;
    const std::string identity = identityOf(place);
    const fs::path path = storePath(m_options.directory, identity);
    const PartialFolder* const rest = m_indexOnly ? m_indexOnly->rest() : nullptr;
    auto store = m_indexOnly ? openForeignStore(path, identity, rest ? rest->file(path) : nullptr) : openStore(path, identity);
    if (!store)
        return false;
    std::error_code ignored;
    if (!m_indexOnly) // Marks the store as just used, so that it is trimmed last.
        fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    const std::lock_guard lock(m_mutex);
    if (place)
        m_finished.stores[*place] = m_published.stores[*place] = std::move(*store);
    else
        m_finished.facts = m_published.facts = std::move(*store);
    return true;
}

PassAnalysis TraceStores::partOf(std::size_t place, std::unique_ptr<StoreBuilder>& builder)
{
    builder = makeBuilder(place);
    const AnalysisKind& kind = *m_analyses->all()[place];
    PassAnalysis part{
        &kind, {}, builder.get(), kind.usesThreadEnds() ? std::span<const ThreadEnd>(m_threadEnds) : std::span<const ThreadEnd>()};
    for (const std::optional<std::size_t> other : othersOf(place))
        part.needed.push_back(other ? m_finished.stores[*other] : nullptr);
    return part;
}

std::unique_ptr<StoreBuilder> TraceStores::makeBuilder(std::optional<std::size_t> place)
{
    const HostTimestamp begin = claimedRange(*m_trace).begin;
    const std::string identity = identityOf(place);
    const fs::path path = storePath(m_options.directory, identity);
    const auto onMemory = [this, path](const Error& error) {
        if (m_options.onMemory)
            m_options.onMemory(path, error);
    };
    // Without `place`, the store contains only the trace's facts: it is small and needs no encoding threads.
    const std::size_t encoders = place ? encoderCount(m_options.cores, m_running.size()) : 0;
    // Count all analyses, even if their stores exist already. Each builder's memory depends on this number, and the content of a store
    // depends on its builder's memory. A store that is built again must have the same content.
    const std::size_t builders = m_options.traces * std::max<std::size_t>(m_running.size(), 1);
    return makeFileStoreBuilder(path, identity, begin,
                                {.threads = encoders, .stop = m_options.stop, .onFailure = onMemory, .builders = builders});
}

std::string TraceStores::identityOf(std::optional<std::size_t> place) const
{
    return storeIdentity(*m_trace, *m_analyses, place ? m_analyses->all()[*place].get() : nullptr, m_threadEnds);
}

} // namespace helio
