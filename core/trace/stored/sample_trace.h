#pragma once

#include "core/trace/stored/sample_recording.h"
#include "core/trace/trace.h"

#include <memory>

namespace helio {

/// Trace in which all events are samples, e.g. a profile. The trace has one stream with all events in time order.
class SampleTrace final : public Trace, private SampleReader {
public:
    /// Makes an empty trace if `recording` is nullptr, for TraceOpening::provisionalTrace(), which is called before the text is read.
    SampleTrace(TraceInfo info, std::unique_ptr<SampleRecording> recording);

    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_recording->events.types(); }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override;
    std::span<const Diagnostic> diagnostics() const override { return m_recording->events.diagnostics(); }
    bool keepsBytes() const override { return true; }
    std::span<const Module> modules() const override { return m_modules; }
    std::span<const ProcessRecord> processRecords() const override { return m_recording->records; }
    const SampleReader* samples() const override { return m_recording->samples.empty() ? nullptr : this; }

private:
    std::span<const SampleEvent> events() const override { return m_recording->samples; }
    const std::string& machine() const override { return m_machine; }
    std::span<const RecordedFrame> stacks() const override { return m_tree; }
    bool read(const EventView& event, SampleView& sample) const override;
    CodeMode modeOf(std::uint32_t stack) const;

    TraceInfo m_info;
    std::string m_machine;
    std::unique_ptr<SampleRecording> m_recording; ///< Recording with the events of the trace; never nullptr.
    std::vector<StreamInfo> m_streams;
    std::vector<Module> m_modules;
    std::vector<RecordedFrame> m_tree;
};

} // namespace helio
