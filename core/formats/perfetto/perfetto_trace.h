#pragma once

#include "core/formats/perfetto/perfetto_reader.h"
#include "core/trace/trace.h"

namespace helio::perfetto {

/// Trace of Perfetto: one stream of stored events in time order.
class PerfettoTrace final : public Trace, private SampleReader {
public:
    PerfettoTrace(TraceInfo info, PerfettoRecording recording);

    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_recording.recording->events.types(); }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override;
    std::span<const Diagnostic> diagnostics() const override { return m_recording.recording->events.diagnostics(); }
    bool keepsBytes() const override { return true; }
    std::span<const Module> modules() const override { return m_recording.modules; }
    std::span<const ProcessRecord> processRecords() const override { return m_recording.recording->records; }
    const SampleReader* samples() const override { return m_recording.samples.empty() ? nullptr : this; }

private:
    std::span<const SampleEvent> events() const override { return m_recording.samples; }
    const std::string& machine() const override { return m_machine; }
    std::span<const RecordedFrame> stacks() const override { return m_recording.stacks; }
    bool read(const EventView& event, SampleView& sample) const override;

    TraceInfo m_info;
    /// Processor architecture of recorded registers; always empty, because samples of Perfetto contain no registers.
    std::string m_machine;
    PerfettoRecording m_recording;
    std::vector<StreamInfo> m_streams;
};

} // namespace helio::perfetto
