#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <stop_token>

namespace helio {

/// Wrapper of a trace that decodes its streams ahead on threads of its own, so that a reader waits only if decoding is slower.
///
/// All other data comes from the wrapped trace, which must outlive this object; this object must outlive the streams opened from it.
/// Streams are passed on unchanged if reading ahead would be wrong (the trace does not keep bytes) or would take too much memory (very many
/// streams). After `stop` is requested, a stream ends instead of waiting.
///
/// Threads: those of any trace.
/// Errors: next() throws what the stream throws. If the system gives no threads, streams are passed on.
/// Memory: about 2 MB of decoded events, or 4 KB per stream.
class ReadAheadTrace final : public Trace {
public:
    /// Starts `threads` threads, but not more than there are streams; with 0, streams are passed on.
    explicit ReadAheadTrace(const Trace& trace, std::size_t threads = 1, std::stop_token stop = {});
    ~ReadAheadTrace() override;

    const TraceInfo& info() const override { return m_trace.info(); }
    const EventTypes& eventTypes() const override { return m_trace.eventTypes(); }
    std::span<const StreamInfo> streams() const override { return m_trace.streams(); }
    std::span<const Diagnostic> diagnostics() const override { return m_trace.diagnostics(); }
    bool keepsBytes() const override { return m_trace.keepsBytes(); }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from = {}) const override;

private:
    class Pool;
    class Stream;

    const Trace& m_trace;
    std::shared_ptr<Pool> m_pool; ///< Threads; nullptr if streams are passed on.
};

} // namespace helio
