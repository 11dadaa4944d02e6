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
    std::filesystem::path storeDirectory; ///< Empty: $XDG_CACHE_HOME/heliograph, else ~/.cache/heliograph.
    std::map<std::string, Duration> offsets; ///< By trace path or name: added to its times.
    ClockChoice clocks; ///< Of hosts.
    bool synchronize = true; ///< False: raw times; relations are found all the same.
    bool rebuild = false; ///< Ignore stores that are there.
    bool needsStates = true; ///< False: only open the traces (for commands that read events alone).
    SymbolOptions symbols; ///< Where names of addresses are looked for.
    std::shared_ptr<const Analyses> analyses; ///< Null: those built in.
    std::shared_ptr<const Relations> relations; ///< The same.
    unsigned jobs = 0; ///< Threads; 0: as many as there are cores.
};

/// How far indexing is. Read by polling.
struct Progress {
    std::uint64_t bytesDone = 0;
    std::uint64_t bytesTotal = 0;
    std::uint64_t events = 0;
    bool isComparingHosts = false; ///< All is indexed, and what went between hosts is being matched.
    Duration elapsed{};
    bool isDone = false;
    bool wasReopened = false; ///< All stores were there already.
};

/// A set of traces opened together; owns the threads that index them.
///
/// Threads: all methods from any thread. Destruction cancels, and takes 100 ms at most.
class Experiment {
public:
    /// Opens the traces found at the paths; a path with several traces gives several. An error only where nothing could be opened;
    /// what else went wrong is in timeline()->diagnostics. `stop` ends the unpacking of archives early.
    ///
    /// Reads what the traces say of themselves. Their packets are found by start(): until then, and while that goes on, the timeline's
    /// traces are sketches (TraceOpening), whose packets give density and losses. Without states to be made, they are whole here already.
    static Result<std::unique_ptr<Experiment>> open(const std::vector<std::filesystem::path>& paths, ExperimentOptions options,
                                                    std::stop_token stop = {});

    /// Of traces already begun with.
    static std::unique_ptr<Experiment> of(std::vector<std::unique_ptr<TraceOpening>> openings, ExperimentOptions options);

    virtual ~Experiment() = default;

    /// Starts indexing in the background (or finds the stores). `onPublish` is called from an indexing thread each time a new
    /// timeline is published; it must only post a message. Without it, what is known before all is indexed is not published.
    virtual void start(std::function<void()> onPublish = {}) = 0;

    /// What is visible: these traces (indices in the timeline) are read before others, from the next one that is begun on. Cheap, at any
    /// time.
    virtual void prefer(std::vector<std::uint32_t> traces) = 0;

    virtual Status wait(std::stop_token stop = {}) = 0; ///< Until all is indexed, or an error, or cancelled.
    virtual void cancel() = 0; ///< Within 100 ms, also where a read is stuck; what is known stays.

    /// Puts all times where the choice has them, and publishes the timeline; what stores have is not touched. Relations whose rows are on
    /// the experiment's time are made anew. Cost: as the links of relations, and as those: call it from a thread of its own. Nothing is
    /// published once `stop` is requested.
    virtual void setClocks(ClockChoice choice, std::stop_token stop = {}) = 0;

    virtual std::shared_ptr<const Timeline> timeline() const = 0;
    virtual Progress progress() const = 0;
    /// Of each trace, in order: the file of its facts, then those of the analyses that run on it.
    virtual std::vector<std::vector<std::filesystem::path>> storePaths() const = 0;
};

} // namespace helio
