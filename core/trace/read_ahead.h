#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <stop_token>

namespace helio {

/// A trace whose streams are decoded ahead by threads of its own, so that who reads them only waits when that is slower.
///
/// Everything else is the other trace's, which must outlive this; this must outlive the streams opened from it. Streams are passed on
/// unchanged where reading ahead would not be right (bytes that do not stay) or would take too much memory (very many streams).
/// At most 2 MB or so of events wait, or 4 KB a stream. Threads: as for any trace. Once `stop` is requested, streams end where a reader
/// would wait. Errors: what a stream throws is thrown by next(); where the system gives no thread, streams are passed on.
class ReadAhead final : public Trace {
public:
    /// As many threads, but not more than streams; 0: streams are passed on.
    explicit ReadAhead(const Trace& trace, std::size_t threads = 1, std::stop_token stop = {});
    ~ReadAhead() override;

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
    std::shared_ptr<Pool> m_pool; ///< Null where streams are passed on.
};

} // namespace helio
