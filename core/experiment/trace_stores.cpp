#include "core/experiment/trace_stores.h"

#include "core/experiment/store_directory.h"

#include <algorithm>
#include <system_error>

namespace helio {

namespace fs = std::filesystem;

TraceStores::TraceStores(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analyses> analyses, Options options)
    : m_trace(std::move(trace))
    , m_analyses(std::move(analyses))
    , m_options(std::move(options))
    , m_running(m_analyses->runningOn(*m_trace))
{
    m_picture.stores.resize(m_analyses->all().size());
}

bool TraceStores::hasDependants() const
{
    return !std::ranges::all_of(m_running, [&](std::size_t place) { return othersOf(place).empty(); });
}

Status TraceStores::index(IndexProgress& progress, const Publish& publish, bool hasListener)
{
    std::vector<std::size_t> places;
    std::ranges::copy_if(m_running, std::back_inserter(places), [&](std::size_t place) { return othersOf(place).empty(); });
    return run(places, true, progress, publish, hasListener);
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

Status TraceStores::derive(const Publish& publish, bool hasListener, std::vector<ThreadEnd> threadEnds)
{
    m_threadEnds = std::move(threadEnds);
    for (;;) {
        std::vector<std::size_t> places;
        std::ranges::copy_if(m_running, std::back_inserter(places),
                             [&](std::size_t place) { return !m_picture.stores[place] && isReady(place); });
        if (places.empty())
            return Done{};
        IndexProgress unseen; // The bar is of the first reading, which takes longest.
        if (Status status = run(places, false, unseen, publish, hasListener); !status)
            return status;
    }
}

/// The analyses whose stores one reads; nothing for one that it uses and that does not run.
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

/// What it needs and uses is finished.
bool TraceStores::isReady(std::size_t place) const
{
    return std::ranges::all_of(othersOf(place), [&](std::optional<std::size_t> other) { return !other || m_picture.stores[*other]; });
}

/// Opens what is there, and builds the rest in one reading.
Status TraceStores::run(const std::vector<std::size_t>& places, bool withFacts, IndexProgress& progress, const Publish& publish,
                        bool hasListener)
{
    std::vector<std::size_t> missing;
    std::ranges::copy_if(places, std::back_inserter(missing), [&](std::size_t place) { return !reopen(place); });
    const bool lacksFacts = withFacts && !reopen({});
    if (m_picture.facts && missing.empty()) {
        progress.events = m_picture.facts->summary().events;
        progress.bytes = m_trace->info().bytes;
    }
    if (missing.size() < places.size() || (withFacts && !lacksFacts))
        publish(m_picture);
    if (missing.empty() && !lacksFacts)
        return Done{};
    m_wasBuilt = true;
    std::vector<std::unique_ptr<StoreBuilder>> builders(missing.size());
    const auto ofFacts = lacksFacts ? makeBuilder({}) : nullptr;
    IndexPass pass{ofFacts.get(), {}};
    for (std::size_t i = 0; i < missing.size(); ++i)
        pass.parts.push_back(partOf(missing[i], builders[i]));
    const auto pictureWith = [&](IndexedTrace indexed) {
        Picture picture = m_picture;
        if (indexed.facts)
            picture.facts = std::move(indexed.facts);
        for (std::size_t i = 0; i < missing.size(); ++i)
            picture.stores[missing[i]] = std::move(indexed.stores[i]);
        return picture;
    };
    TakeIndexed take;
    if (hasListener) // Snapshots cost: they are made for somebody.
        take = [&](IndexedTrace indexed) { publish(pictureWith(std::move(indexed))); };
    auto indexed = indexTrace(*m_trace, pass, progress, m_options.cores, take, m_options.stop);
    if (!indexed)
        return indexed.error();
    m_picture = pictureWith(std::move(*indexed));
    publish(m_picture);
    return Done{};
}

bool TraceStores::reopen(std::optional<std::size_t> place)
{
    if (m_options.rebuild)
        return false;
    const std::string identity = identityOf(place);
    const fs::path path = storePath(m_options.directory, identity);
    auto store = openStore(path, identity);
    if (!store)
        return false;
    std::error_code ignored; // Used just now: the last to be trimmed.
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    if (place)
        m_picture.stores[*place] = std::move(*store);
    else
        m_picture.facts = std::move(*store);
    return true;
}

IndexPart TraceStores::partOf(std::size_t place, std::unique_ptr<StoreBuilder>& builder)
{
    builder = makeBuilder(place);
    const AnalysisKind& kind = *m_analyses->all()[place];
    IndexPart part{
        &kind, {}, builder.get(), kind.usesThreadEnds() ? std::span<const ThreadEnd>(m_threadEnds) : std::span<const ThreadEnd>()};
    for (const std::optional<std::size_t> other : othersOf(place))
        part.needed.push_back(other ? m_picture.stores[*other] : nullptr);
    return part;
}

std::unique_ptr<StoreBuilder> TraceStores::makeBuilder(std::optional<std::size_t> place)
{
    const HostTimestamp begin = claimedRange(*m_trace).begin;
    const std::string identity = identityOf(place);
    const fs::path path = storePath(m_options.directory, identity);
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    const auto onMemory = [this, path](const Error& error) {
        if (m_options.onMemory)
            m_options.onMemory(path, error);
    };
    const std::size_t encoders = place ? encodersOn(m_options.cores, m_running.size()) : 0; // Facts are small.
    // As many as there are analyses, whether their stores are there or not: a store built again is the same.
    const std::size_t builders = m_options.traces * std::max<std::size_t>(m_running.size(), 1);
    auto builder = makeFileStoreBuilder(path, identity, begin,
                                        {.threads = encoders, .stop = m_options.stop, .onFailure = onMemory, .builders = builders});
    if (builder)
        return std::move(*builder);
    onMemory(builder.error());
    return makeMemoryStoreBuilder(begin);
}

std::string TraceStores::identityOf(std::optional<std::size_t> place) const
{
    return storeIdentity(*m_trace, *m_analyses, place ? m_analyses->all()[*place].get() : nullptr, m_threadEnds);
}

} // namespace helio
