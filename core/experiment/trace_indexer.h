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
/// `readAhead`: a second thread decodes while this one analyses. `publish` gets a snapshot about once a second, and sooner at first. Cancelled within a few thousand events of `stop`.
Result<std::shared_ptr<const Store>> indexTrace(const Trace& trace, StoreBuilder& builder, IndexProgress& progress, bool readAhead,
                                                const std::function<void(std::shared_ptr<const Store>)>& publish, std::stop_token stop);

/// The earliest and latest time the packets claim; empty where none does.
HostRange claimedRange(const Trace& trace);

} // namespace helio
