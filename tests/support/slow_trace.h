#pragma once

// A trace on a medium that does not respond: a read of any of its streams blocks until the test releases all reads. The streams never
// end.

#include "core/trace/trace.h"
#include "tests/support/gate.h"
#include "tests/support/made_trace.h"

#include <atomic>
#include <memory>
#include <vector>

namespace helio::test {

class SlowTrace final : public MadeTrace {
public:
    explicit SlowTrace(std::size_t streams)
    {
        m_streams.resize(streams);
        m_types.add({});
    }

    bool keepsBytes() const override { return true; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition) const override { return std::make_unique<Stream>(*this); }

    /// Blocks until another thread is reading a stream.
    void waitUntilRead() const { m_gate.waitUntilBlocked(); }
    /// Opens the gate: reads that are blocked continue, and later reads do not block.
    void openGate() const { m_gate.open(); }
    /// Number of batches requested so far, from all streams.
    int requestedBatches() const { return m_requestedBatches; }

private:
    class Stream final : public EventStream {
    public:
        explicit Stream(const SlowTrace& trace)
            : m_trace(trace)
        {
        }
        bool next(EventBatch& batch) override
        {
            ++m_trace.m_requestedBatches;
            m_trace.m_gate.pass();
            batch.clear();
            batch.records.emplace_back().time = hostTime(++m_time);
            return true;
        }
        std::vector<Diagnostic> diagnostics() const override { return {}; }

    private:
        const SlowTrace& m_trace;
        std::int64_t m_time = 0;
    };

    mutable Gate m_gate;
    mutable std::atomic<int> m_requestedBatches{0};
};

} // namespace helio::test
