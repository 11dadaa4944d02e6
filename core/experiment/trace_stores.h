#pragma once

#include "core/analysis/analyses.h"
#include "core/experiment/trace_indexer.h"

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace helio {

class IndexOnlyTrace;

/// Progress of all passes over one trace.
/// Threads: all methods from any thread.
class TraceProgress {
public:
    /// Sets the number of passes that will be made, and the size of the trace in bytes.
    void plan(std::size_t passes, std::uint64_t bytes);
    /// Adds a pass. Ownership: the result lives as long as this object.
    IndexProgress& beginPass();
    void finish(); ///< Counts all planned passes as done: no more passes will be made.

    bool isPlanned() const;
    std::uint64_t bytesDone() const; ///< Number of bytes that all passes have read.
    std::uint64_t bytesTotal() const; ///< Number of bytes that all passes will have read; 0 before plan().
    std::uint64_t events() const; ///< Number of events that the first pass has read.

private:
    std::uint64_t total() const;

    mutable std::mutex m_mutex; ///< Guards all members.
    std::deque<IndexProgress> m_passes;
    std::size_t m_planned = 0;
    std::uint64_t m_bytes = 0;
    bool m_isFinished = false;
};

/// Opens the existing stores of one trace and builds the missing ones. It reads the trace as few times as the dependencies between
/// analyses allow. With spare cores, index() first builds the stores that other analyses depend on; derive() then reads the trace in
/// two passes at the same time, one for the dependent analyses and one for all others.
///
/// The stores of an IndexOnlyTrace are only opened. Analyses whose stores it lacks do not run.
///
/// If the trace's files change while they are read, the stores serve this experiment only and their files are removed.
///
/// Threads: used by one thread at a time. The callback `publish` may be called from other threads, but never twice at the same time.
/// Errors: those of indexTrace(); Unsupported if an IndexOnlyTrace has no facts of this version. A store that cannot be written is kept in
/// memory, and `onMemory` receives the reason.
class TraceStores {
public:
    struct Options {
        std::filesystem::path directory;
        bool rebuild = false; ///< True to ignore existing store files.
        std::size_t cores = 1; ///< Number of cores that may be used for the trace.
        std::size_t traces = 1; ///< Number of traces that are indexed at the same time and share the memory.
        std::stop_token stop{};
        std::function<void(const std::filesystem::path&, const Error&)> onMemory{};
    };

    /// Facts and stores of the trace so far. A store is null if it is not finished, or if the analysis does not run on the trace.
    struct Snapshot {
        std::shared_ptr<const TraceFacts> facts;
        std::vector<std::shared_ptr<const Store>> stores; ///< Stores of the trace, indexed like Analyses::all().
    };
    using Publish = std::function<void(const Snapshot&)>;

    TraceStores(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analyses> analyses, Options options);

    /// Returns the indices into Analyses::all() of the analyses that run on the trace.
    const std::vector<std::size_t>& running() const { return m_running; }
    /// True if one of the analyses reads the store of another analysis.
    bool hasDependants() const;

    /// Plans the passes of index() and derive().
    void plan(TraceProgress& progress) const;
    /// Builds the facts and the stores of analyses that need no other analysis. For a single trace with spare cores, builds only the
    /// stores that other analyses need, if there are any, and leaves the remaining stores to derive(). `publish` also receives snapshots of
    /// unfinished stores if `hasListener`.
    Status index(TraceProgress& progress, const Publish& publish, bool hasListener);
    /// True if an analysis of this trace uses the thread ends that other traces show.
    bool usesThreadEnds() const;
    /// Builds the stores of analyses that need other analyses. At the same time, builds the stores that index() left out. `threadEnds`:
    /// sorted, for analyses that use them. Requires: index() has succeeded.
    Status derive(TraceProgress& progress, const Publish& publish, bool hasListener, std::vector<ThreadEnd> threadEnds = {});

    /// Returns the paths of the store files: the facts, then the analyses that run on the trace.
    std::vector<std::filesystem::path> paths() const;

    /// Returns the analyses whose stores an IndexOnlyTrace lacks, as indices into Analyses::all(), and forgets them.
    std::vector<std::size_t> takeLeftOut() { return std::exchange(m_leftOut, {}); }

    bool wasBuilt() const { return m_wasBuilt; } ///< True if any store was built; false if all stores existed.

private:
    /// One pass over the trace, which builds some of its stores.
    struct Reading {
        std::vector<std::size_t> places;
        bool withFacts = false;
        std::size_t cores = 1;
    };

    using IsFinished = std::vector<bool>; ///< True for each analysis whose store is finished; indexed like Analyses::all().

    Reading firstReading() const;
    std::vector<Reading> nextReadings(const IsFinished& isFinished) const;
    IsFinished finished() const;
    bool isWaitedFor(std::size_t place) const;
    Status run(const Reading& reading, IndexProgress& progress, const Publish& publish, bool hasListener);
    Status runAtOnce(const std::vector<Reading>& readings, TraceProgress& progress, const Publish& publish, bool hasListener);
    void removeFiles(const std::vector<std::size_t>& places, bool withFacts) const;
    void show(const std::vector<std::size_t>& places, const IndexedTrace& indexed, bool areFinished, const Publish& publish);
    bool reopen(std::optional<std::size_t> place);
    Status leaveOut(const std::vector<std::size_t>& missing, bool lacksFacts);
    bool isReady(std::size_t place, const IsFinished& isFinished) const;
    PassAnalysis partOf(std::size_t place, std::unique_ptr<StoreBuilder>& builder);
    std::unique_ptr<StoreBuilder> makeBuilder(std::optional<std::size_t> place);
    std::vector<std::optional<std::size_t>> othersOf(std::size_t place) const;
    std::string identityOf(std::optional<std::size_t> place) const;

    const std::shared_ptr<const Trace> m_trace;
    const std::shared_ptr<const Analyses> m_analyses;
    const IndexOnlyTrace* m_indexOnly; ///< The trace, if it is an IndexOnlyTrace; else nullptr.
    const Options m_options;
    std::vector<std::size_t> m_running;
    std::vector<std::size_t> m_leftOut; ///< Analyses that were removed from m_running.
    std::vector<ThreadEnd> m_threadEnds;
    std::mutex m_mutex; ///< Guards m_finished and m_published while several passes over the trace run at the same time.
    Snapshot m_finished; ///< Snapshot of the facts and stores that are complete.
    Snapshot m_published; ///< Snapshot of all facts and stores: the last published state of those that are not complete yet.
    std::atomic<bool> m_wasBuilt = false;
};

} // namespace helio
