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
    std::filesystem::path storeDirectory; ///< $XDG_CACHE_HOME/heliograph, or ~/.cache/heliograph, if empty.
    std::map<std::string, Duration> offsets; ///< Offsets that are added to the times of a trace, by the trace's path or name.
    ClockSettings clocks; ///< The user's choices for the hosts' clocks.
    bool synchronize = true; ///< False if times stay raw. Correlators run in both cases.
    bool rebuild = false; ///< True if existing stores are ignored and built again.
    bool needsStates = true; ///< False if the traces are only opened, for commands that read nothing but events.
    SymbolOptions symbols; ///< Settings for the lookup of addresses' names.
    std::shared_ptr<const Analyses> analyses; ///< The built-in analyses if null.
    std::shared_ptr<const CorrelatorRegistry> relations; ///< The built-in correlators if null.
    unsigned jobs = 0; ///< Number of indexing threads; 0 for one per core.
};

/// Progress of indexing, as Experiment::progress() reports it at the moment of the call.
struct Progress {
    std::uint64_t bytesDone = 0;
    std::uint64_t bytesTotal = 0;
    std::uint64_t events = 0;
    bool isComparingHosts = false; ///< True if all traces are indexed, and packets or hypercalls between hosts are being matched.
    Duration elapsed{};
    bool isDone = false;
    bool wasReopened = false; ///< True if no store had to be built.
};

/// A set of traces that are open together. Owns the threads that index them.
///
/// Threads: all methods from any thread. The destructor cancels indexing and takes at most 100 ms.
class Experiment {
public:
    /// Opens all traces at or below `paths`, without indexing them. `stop` ends the unpacking of archives early.
    ///
    /// Only the traces' descriptions are read here. start() finds their packets; until it has found all, the timeline holds sketches
    /// (TraceOpening), whose packets give event density and losses. If `options.needsStates` is false, the packets are found here.
    /// Errors: Unreadable if no trace could be opened. Problems with some of the traces are in timeline()->diagnostics.
    static Result<std::unique_ptr<Experiment>> open(const std::vector<std::filesystem::path>& paths, ExperimentOptions options,
                                                    std::stop_token stop = {});

    /// Makes an experiment of openings that TraceFormat::begin() returned.
    static std::unique_ptr<Experiment> of(std::vector<std::unique_ptr<TraceOpening>> openings, ExperimentOptions options);

    virtual ~Experiment() = default;

    /// Starts indexing in the background, or opens the stores if they exist. An indexing thread calls `onPublish` after each publication of
    /// a new timeline; the function must only post a message. Without it, no snapshots of unfinished stores are published.
    virtual void start(std::function<void()> onPublish = {}) = 0;

    /// Gives the traces with these indices priority over other traces, from the next task on; meant for the traces that are visible.
    /// Cost: small; may be called at any time.
    virtual void prefer(std::vector<std::uint32_t> traces) = 0;

    virtual Status wait(std::stop_token stop = {}) = 0; ///< Waits until all traces are indexed, indexing failed, or it was cancelled.
    virtual void cancel() = 0; ///< Takes effect within 100 ms, even if a read does not return; the timeline keeps what was indexed so far.

    /// Aligns the hosts' clocks with `choice` and publishes the timeline; stores of traces do not change. Correlators with rows run again,
    /// since their rows have the experiment's times. Nothing is published after `stop` was requested.
    /// Cost: all links of correlators, and the correlators that run again; do not call it from the UI thread.
    virtual void setClocks(ClockSettings choice, std::stop_token stop = {}) = 0;

    virtual std::shared_ptr<const Timeline> timeline() const = 0;
    virtual Progress progress() const = 0;
    /// For each trace, in order: the file of its facts, then the files of the analyses that run on it.
    virtual std::vector<std::vector<std::filesystem::path>> storePaths() const = 0;
};

} // namespace helio
