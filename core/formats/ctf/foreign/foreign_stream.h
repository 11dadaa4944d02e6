#pragma once

#include "core/formats/ctf/foreign/foreign_messages.h"

namespace helio::foreign {

/// Data shared by all streams of a trace.
struct ForeignTraceData {
    std::vector<std::string> folders;
    std::vector<std::uint64_t> ports; ///< Number of each stream's output port in libbabeltrace2, indexed by stream.
    EventTypes types;
    ProcessLimits limits;
};

/// Reads one stream through a process of its own, which the first call of next() starts. next() returns an empty batch if the process has
/// not sent a batch yet.
class Stream final : public EventStream {
public:
    Stream(std::shared_ptr<const ForeignTraceData> trace, std::uint32_t stream, StreamPosition from)
        : m_trace(std::move(trace))
        , m_stream(stream)
        , m_firstEvent(from.event)
    {
    }

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override { return m_diagnostics; }

private:
    bool start();
    bool take(const HelperProcess::Message& message, EventBatch& batch);
    bool takeBatch(WireReader wire, EventBatch& batch) const;
    bool fail(const std::string& what);

    std::shared_ptr<const ForeignTraceData> m_trace;
    std::uint32_t m_stream;
    std::uint64_t m_firstEvent;
    std::unique_ptr<HelperProcess> m_process;
    bool m_isAtEnd = false;
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::foreign
