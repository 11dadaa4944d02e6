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

/// Progress of indexing one trace. Written by the indexing thread, read by any thread.
struct IndexProgress {
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> events{0};
};

/// One analysis of a pass.
/// Ownership: the caller keeps everything alive until the pass ends.
struct PassAnalysis {
    const AnalysisKind* kind = nullptr; ///< An analysis that runs on the trace.
    std::vector<std::shared_ptr<const Store>> needed{}; ///< Like AnalysisInput::needed.
    StoreBuilder* builder = nullptr; ///< Builder of the analysis's own store.
    std::span<const ThreadEnd> threadEnds{}; ///< Like AnalysisInput::threadEnds.
};

/// The output wanted from one reading of a trace: its facts, and the stores of some analyses.
struct IndexPass {
    StoreBuilder* facts = nullptr; ///< Null if the facts are already known.
    std::vector<PassAnalysis> parts{};
};

/// Output of a pass: a snapshot while it runs, then the finished stores.
struct IndexedTrace {
    std::shared_ptr<const TraceFacts> facts{}; ///< Null if the pass does not produce them.
    std::vector<std::shared_ptr<const Store>> stores{}; ///< One store for each element of IndexPass::parts.
};

/// Callback that receives the output so far.
using IndexedCallback = std::function<void(IndexedTrace)>;

/// Number of threads that decode, besides the one that merges and analyses.
std::size_t decoderCount(std::size_t cores, bool hasStates);
/// Number of encoding threads for each of `builders` builders: they share the cores that decoding leaves, and each gets one if there is
/// more than one core. Encoding threads sleep while there is nothing to encode.
std::size_t encoderCount(std::size_t cores, std::size_t builders);

/// Reads a trace once, merged in time order, into the facts and the analyses of the pass.
///
/// `cores`: how many cores the reading may use, for decoderCount() and encoderCount(); the output does not depend on it. `publish` gets
/// snapshots about once a second, and sooner at first.
/// Errors: Cancelled within a few thousand events after `stop`, and at once while waiting for a decoder.
Result<IndexedTrace> indexTrace(const Trace& trace, const IndexPass& pass, IndexProgress& progress, std::size_t cores,
                                const IndexedCallback& publish, std::stop_token stop);

/// The earliest and latest time that the packets claim; empty if no packet has times.
HostRange claimedRange(const Trace& trace);

} // namespace helio
