#pragma once

#include "core/analysis/analysis.h"
#include "core/base/result.h"
#include "core/store/store.h"
#include "core/trace/trace.h"

#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>

namespace helio {

/// How far one trace's indexing is. Written by its thread, read by any.
struct IndexProgress {
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> events{0};
};

/// Reads a trace once, through the merge, into every analysis that applies, into the builder.
///
/// `cores`: how many it has to itself; threads of its own decode on those that neither this thread nor the builder's uses. What comes out
/// is the same. `publish` gets a snapshot about once a second, and sooner at first. Cancelled within a few thousand events of `stop`, and
/// at once where it waits for a decoder.
Result<std::shared_ptr<const Store>> indexTrace(const Trace& trace, StoreBuilder& builder, IndexProgress& progress, std::size_t cores,
                                                const std::function<void(std::shared_ptr<const Store>)>& publish, std::stop_token stop);

/// The earliest and latest time the packets claim; empty where none does.
HostRange claimedRange(const Trace& trace);

} // namespace helio
