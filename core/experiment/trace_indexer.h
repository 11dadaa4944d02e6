#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"
#include "core/store/store.h"
#include "core/trace/trace.h"

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// Progress of indexing one trace.
/// Threads: written by the indexing thread, read by any thread.
struct IndexProgress {
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> events{0};
};

/// An analysis to run in a pass over a trace.
/// Ownership: the caller keeps all referenced objects alive until the pass ends.
struct PassAnalysis {
    const AnalysisKind* kind = nullptr; ///< Kind of the analysis, which applies to the trace.
    std::vector<std::shared_ptr<const Store>> needed{}; ///< Stores of the analyses that this analysis needs, as in AnalysisInput::needed.
    StoreBuilder* builder = nullptr; ///< Builder of the store that receives the output of the analysis.
    std::span<const ThreadEnd> threadEnds{}; ///< Thread ends from other traces, as in AnalysisInput::threadEnds.
};

/// Requested output of one pass over a trace: the trace's facts and the stores of some analyses.
struct IndexPass {
    StoreBuilder* facts = nullptr; ///< Builder of the store that receives the facts; null if the facts are already known.
    std::vector<PassAnalysis> parts{};
};

/// Output of a pass: snapshots while the pass runs, finished stores at its end.
struct IndexedTrace {
    std::shared_ptr<const TraceFacts> facts{}; ///< Facts of the trace; null if the pass does not compute them.
    std::vector<std::shared_ptr<const Store>> stores{}; ///< One store for each element of IndexPass::parts.
};

/// Callback that receives the output of a running pass so far.
using IndexedCallback = std::function<void(IndexedTrace)>;

/// Returns the number of decoding threads, in addition to the thread that merges and analyses.
std::size_t decoderCount(std::size_t cores, bool hasStates);
/// Returns the number of encoding threads for each of `builders` builders. The builders share the cores that decoding does not use, and
/// each gets one thread if there is more than one core. Encoding threads sleep while there is nothing to encode.
std::size_t encoderCount(std::size_t cores, std::size_t builders);

/// Reads a trace once, merged in time order, and computes the facts and analyses of the pass.
///
/// `cores` is the number of cores that the pass may use (decoderCount(), encoderCount()); it does not change the output. `publish` receives
/// snapshots about once a second, and earlier at first.
/// Errors: Cancelled within a few thousand events after a stop request, and at once while waiting for a decoder.
Result<IndexedTrace> indexTrace(const Trace& trace, const IndexPass& pass, IndexProgress& progress, std::size_t cores,
                                const IndexedCallback& publish, std::stop_token stop);

/// Returns the range from the earliest to the latest time that the headers of CTF packets claim; empty if no packet has times.
HostRange claimedRange(const Trace& trace);

} // namespace helio
