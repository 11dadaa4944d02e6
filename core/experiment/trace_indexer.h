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

/// How far one trace's indexing is. Written by its thread, read by any.
struct IndexProgress {
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> events{0};
};

/// One analysis of a pass. All of it outlives the pass.
struct IndexPart {
    const AnalysisKind* kind = nullptr; ///< It runs on the trace.
    std::vector<std::shared_ptr<const Store>> needed{}; ///< As AnalysisInput has it.
    StoreBuilder* builder = nullptr; ///< Of its own.
    std::span<const ThreadEnd> threadEnds{}; ///< As AnalysisInput has it.
};

/// What one reading of a trace is for.
struct IndexPass {
    StoreBuilder* facts = nullptr; ///< Null: they are known.
    std::vector<IndexPart> parts{};
};

/// What a pass has made: snapshots while it goes on, then the whole.
struct IndexedTrace {
    std::shared_ptr<const TraceFacts> facts{}; ///< Null where the pass does not make them.
    std::vector<std::shared_ptr<const Store>> stores{}; ///< One a part.
};

/// Takes what a pass has made so far.
using TakeIndexed = std::function<void(IndexedTrace)>;

/// How many threads decode beside the one that merges and analyses.
std::size_t decodersOn(std::size_t cores, bool hasStates);
/// How many threads each of so many builders has: they share the cores that decoding leaves, and each has one where there is more than one
/// core (they sleep while there is nothing to encode).
std::size_t encodersOn(std::size_t cores, std::size_t builders);

/// Reads a trace once, through the merge, into the facts and the analyses of the pass.
///
/// `cores`: how many it has to itself, for decodersOn() and the builders' encodersOn(). What comes out is the same. `publish` gets
/// snapshots about once a second, and sooner at first. Cancelled within a few thousand events of `stop`, and at once where it waits for a
/// decoder.
Result<IndexedTrace> indexTrace(const Trace& trace, const IndexPass& pass, IndexProgress& progress, std::size_t cores,
                                const TakeIndexed& publish, std::stop_token stop);

/// The earliest and latest time the packets claim; empty where none does.
HostRange claimedRange(const Trace& trace);

} // namespace helio
