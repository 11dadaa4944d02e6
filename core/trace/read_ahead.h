#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <stop_token>

namespace helio {

/// Wrapper of a trace that decodes its streams ahead on threads of its own, so that the reader waits only if decoding is slower than
/// reading.
///
/// All other data comes from the wrapped trace, which must outlive this object; this object must outlive the streams opened from it. A
/// stream is returned unwrapped in two cases: the bytes of a batch become invalid when the next batch is read (Trace::keepsBytes() is
/// false), or reading ahead would need too much memory for very many streams. After `stop` is requested, a stream ends instead of waiting.
///
/// Threads: as for any Trace.
/// Errors: next() rethrows exceptions of the wrapped stream. If the system cannot start a thread, streams are returned unwrapped.
/// Memory: about 2 MB of decoded events for all streams together; 4 KB per stream if there are so many streams that this is more.
class ReadAheadTrace final : public Trace {
public:
    /// Starts `threads` threads, but at most one per stream. With 0 threads, streams are returned unwrapped.
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
    std::shared_ptr<Pool> m_pool; ///< Threads that decode ahead; nullptr if openStream() returns the streams of m_trace directly.
};

} // namespace helio
