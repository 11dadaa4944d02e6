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

/// The stores of one trace: finds the files that are there, and builds the others in as few readings as there are analyses that wait for
/// each other, or, with cores to spare, in two at the same time: what others wait for first, then these beside the rest.
///
/// Stores of a trace whose files changed while they were read serve this experiment only: their files are removed.
///
/// Threads: one at a time; the publisher is called by one at a time, which may be others. Errors: those of indexTrace(). What cannot be
/// written is kept in memory, and `onMemory` gets why.
class TraceStores {
public:
    struct Options {
        std::filesystem::path directory;
        bool rebuild = false; ///< Files that are there are not used.
        std::size_t cores = 1; ///< The trace has to itself.
        std::size_t traces = 1; ///< Are built at once: memory is shared out.
        std::stop_token stop{};
        std::function<void(const std::filesystem::path&, const Error&)> onMemory{};
    };

    /// What is known of the trace by now. Places without a store are not finished, or do not run on it.
    struct Picture {
        std::shared_ptr<const TraceFacts> facts;
        std::vector<std::shared_ptr<const Store>> stores; ///< By place in Analyses::all().
    };
    using Publish = std::function<void(const Picture&)>;

    TraceStores(std::shared_ptr<const Trace> trace, std::shared_ptr<const Analyses> analyses, Options options);

    /// The places in Analyses::all() of the analyses that run on the trace.
    const std::vector<std::size_t>& running() const { return m_running; }
    /// Whether analyses wait for others to be finished.
    bool hasDependants() const;

    /// The facts, and the analyses that need no other; of a trace that is alone, has cores to spare and analyses that wait, only those
    /// that are waited for. `publish` gets snapshots too where `hasListener`.
    Status index(IndexProgress& progress, const Publish& publish, bool hasListener);
    /// Whether any that runs reads which threads other traces saw end.
    bool usesThreadEnds() const;
    /// Those that need others, and at the same time those that index() left. `threadEnds`: sorted, for those that use them. Requires:
    /// index() has succeeded.
    Status derive(const Publish& publish, bool hasListener, std::vector<ThreadEnd> threadEnds = {});

    /// The files: of the facts, then of the analyses that run.
    std::vector<std::filesystem::path> paths() const;

    bool wasBuilt() const { return m_wasBuilt; } ///< Something was; else all was there.

private:
    /// What is read of the trace at once, for some of its stores.
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
    IndexPart partOf(std::size_t place, std::unique_ptr<StoreBuilder>& builder);
    std::unique_ptr<StoreBuilder> makeBuilder(std::optional<std::size_t> place);
    std::vector<std::optional<std::size_t>> othersOf(std::size_t place) const;
    std::string identityOf(std::optional<std::size_t> place) const;

    const std::shared_ptr<const Trace> m_trace;
    const std::shared_ptr<const Analyses> m_analyses;
    const Options m_options;
    const std::vector<std::size_t> m_running;
    std::vector<ThreadEnd> m_threadEnds;
    std::mutex m_mutex; ///< Guards what follows while more than one reading goes on.
    Picture m_picture; ///< What is finished.
    Picture m_shown; ///< With snapshots of what is not.
    std::atomic<bool> m_wasBuilt = false;
};

} // namespace helio
