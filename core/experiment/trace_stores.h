#pragma once

#include "core/analysis/analyses.h"
#include "core/experiment/trace_indexer.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// The stores of one trace: opens the files that exist and builds the missing stores. The number of readings of the trace is as small as
/// the dependencies between analyses allow. With spare cores, index() first builds the stores that other analyses wait for, and derive()
/// then builds the waiting analyses and the rest in two readings at the same time.
///
/// If the trace's files changed while they were read, the stores serve this experiment only and their files are removed.
///
/// Threads: used by one thread at a time. Calls of the publisher do not overlap, but may come from other threads.
/// Errors: those of indexTrace(). Stores that cannot be written are kept in memory; `onMemory` gets the reason.
class TraceStores {
public:
    struct Options {
        std::filesystem::path directory;
        bool rebuild = false; ///< True if existing files are not used.
        std::size_t cores = 1; ///< Number of cores that the trace may use.
        std::size_t traces = 1; ///< Number of traces that are indexed at the same time; they share the memory.
        std::stop_token stop{};
        std::function<void(const std::filesystem::path&, const Error&)> onMemory{};
    };

    /// The facts and stores of the trace so far. Stores are null if they are not finished, or if the analysis does not run on the trace.
    struct Snapshot {
        std::shared_ptr<const TraceFacts> facts;
        std::vector<std::shared_ptr<const Store>> stores; ///< Indexed like Analyses::all().
    };
    using Publish = std::function<void(const Snapshot&)>;

    TraceStores(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analyses> analyses, Options options);

    /// Indices in Analyses::all() of the analyses that run on the trace.
    const std::vector<std::size_t>& running() const { return m_running; }
    /// True if an analysis needs or uses another one.
    bool hasDependants() const;

    /// Builds the facts and the stores of analyses that need no other analysis. If this is the only trace, has spare cores and has
    /// dependent analyses, it builds only the stores that those depend on. `publish` also gets snapshots of unfinished stores if
    /// `hasListener`.
    Status index(IndexProgress& progress, const Publish& publish, bool hasListener);
    /// True if an analysis on this trace uses the thread ends that other traces show.
    bool usesThreadEnds() const;
    /// Builds the analyses that need others, and at the same time those that index() left. `threadEnds`: sorted, for analyses that use
    /// them. Requires: index() has succeeded.
    Status derive(const Publish& publish, bool hasListener, std::vector<ThreadEnd> threadEnds = {});

    /// The files of the facts, then of the analyses that run on the trace.
    std::vector<std::filesystem::path> paths() const;

    bool wasBuilt() const { return m_wasBuilt; } ///< True if any store was built; false if all existed.

private:
    /// One pass over the trace, for some of its stores.
    struct Reading {
        std::vector<std::size_t> places;
        bool withFacts = false;
        std::size_t cores = 1;
    };

    std::vector<Reading> nextReadings() const;
    bool isWaitedFor(std::size_t place) const;
    Status run(const Reading& reading, IndexProgress& progress, const Publish& publish, bool hasListener);
    Status runAtOnce(const std::vector<Reading>& readings, const Publish& publish, bool hasListener);
    void removeFiles(const std::vector<std::size_t>& places, bool withFacts) const;
    void show(const std::vector<std::size_t>& places, const IndexedTrace& indexed, bool areFinished, const Publish& publish);
    bool reopen(std::optional<std::size_t> place);
    bool isReady(std::size_t place) const;
    PassAnalysis partOf(std::size_t place, std::unique_ptr<StoreBuilder>& builder);
    std::unique_ptr<StoreBuilder> makeBuilder(std::optional<std::size_t> place);
    std::vector<std::optional<std::size_t>> othersOf(std::size_t place) const;
    std::string identityOf(std::optional<std::size_t> place) const;

    const std::shared_ptr<const Trace> m_trace;
    const std::shared_ptr<const Analyses> m_analyses;
    const Options m_options;
    const std::vector<std::size_t> m_running;
    std::vector<ThreadEnd> m_threadEnds;
    std::mutex m_mutex; ///< Guards m_finished and m_published while several readings run.
    Snapshot m_finished; ///< Finished stores only.
    Snapshot m_published; ///< Finished stores, and snapshots of unfinished ones.
    std::atomic<bool> m_wasBuilt = false;
};

} // namespace helio
