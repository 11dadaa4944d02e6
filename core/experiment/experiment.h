#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct ExperimentOptions {
    std::filesystem::path storeDirectory; ///< Folder of the stores; if empty, $XDG_CACHE_HOME/heliograph or ~/.cache/heliograph.
    std::map<std::string, Duration> offsets; ///< Offsets to add to the times of a trace, keyed by the trace's path or name.
    ClockSettings clocks; ///< The user's settings for the hosts' clocks.
    /// True if the clocks that correlators find are applied; false if times stay raw. Correlators run in both cases.
    bool synchronize = true;
    bool rebuild = false; ///< True to ignore existing stores and build all stores again.
    bool needsStates = true; ///< True to index the traces; false to only open them, for commands that read only events.
    const TraceFormat* format = nullptr; ///< Format as which all paths are read; nullptr if their content decides.
    SymbolOptions symbols; ///< Settings for the lookup of symbols.
    std::shared_ptr<const Analyses> analyses; ///< Analyses to run; null for the built-in analyses.
    std::shared_ptr<const CorrelatorRegistry> relations; ///< Correlators to run; null for the built-in correlators.
    unsigned jobs = 0; ///< Number of threads that index; 0 for one per core.
};

/// Indexing progress at the moment of the call of Experiment::progress().
struct Progress {
    /// Number of bytes that were read of all traces. A trace counts once for each pass over it: some analyses need the results of others.
    std::uint64_t bytesDone = 0;
    std::uint64_t bytesTotal = 0; ///< Value of `bytesDone` at the end; grows until all traces are opened.
    std::uint64_t events = 0;
    bool isComparingHosts = false; ///< True if all traces are indexed and the packets or hypercalls between hosts are being matched.
    Duration elapsed{};
    bool isDone = false;
    bool wasReopened = false; ///< True if all stores existed, so that none had to be built.
};

/// Set of traces that are open together.
///
/// Ownership: owns the threads that index the traces.
/// Threads: all methods from any thread.
/// Cost: the destructor cancels indexing and takes at most 100 ms.
class Experiment {
public:
    /// Opens all traces at or below `paths` without indexing them. A stop request ends the unpacking of archives early.
    ///
    /// Only the traces' descriptions are read here; start() finds their packets. Until all packets are found, the timeline contains
    /// provisional traces (TraceOpening::provisionalTrace()), whose packets give the event density and losses.
    /// If `options.needsStates` is false, all packets are found here.
    /// Errors: Unreadable if no trace could be opened. Problems with some of the traces are in timeline()->diagnostics.
    static Result<std::unique_ptr<Experiment>> open(const std::vector<std::filesystem::path>& paths, ExperimentOptions options,
                                                    std::stop_token stop = {});

    /// Creates an experiment from openings that TraceFormat::begin() returned.
    static std::unique_ptr<Experiment> of(std::vector<std::unique_ptr<TraceOpening>> openings, ExperimentOptions options);

    virtual ~Experiment() = default;

    /// Starts indexing in the background, or opens the stores if they exist. After each publication of a new timeline, an indexing thread
    /// calls `onPublish`, which must return at once, e.g. after it has posted an event to the UI thread. Without `onPublish`, no
    /// snapshots of unfinished stores are published.
    virtual void start(std::function<void()> onPublish = {}) = 0;

    /// Gives the traces with these indices priority over other traces from the next task on; meant for the visible traces.
    /// Cost: small; may be called at any time.
    virtual void prefer(std::vector<std::uint32_t> traces) = 0;

    virtual Status wait(std::stop_token stop = {}) = 0; ///< Waits until all traces are indexed, indexing failed, or cancel() was called.
    /// Cancels indexing within 100 ms, even if a thread is blocked while it reads a file. The timeline keeps the
    /// contents indexed so far.
    virtual void cancel() = 0;

    /// Aligns the hosts' clocks with `choice` and publishes the timeline. Stores of traces do not change. Correlators that make rows run
    /// again, because the times of their rows are on the experiment's clock. Nothing is published after a stop request.
    /// Cost: proportional to the links of all correlators, plus the correlators that run again; do not call it from the UI thread.
    virtual void setClocks(ClockSettings choice, std::stop_token stop = {}) = 0;

    virtual std::shared_ptr<const Timeline> timeline() const = 0;
    virtual Progress progress() const = 0;
    /// Returns the paths of the store files of each trace: the file of the trace's facts, then the files of the analyses that run on the
    /// trace.
    virtual std::vector<std::vector<std::filesystem::path>> storePaths() const = 0;
};

} // namespace helio
