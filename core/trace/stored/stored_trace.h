#pragma once

#include "core/trace/process/sample_view.h"
#include "core/trace/stored/stored_events.h"
#include "core/trace/stored/text_stacks.h"

#include <memory>
#include <vector>

namespace helio {

/// Content of a trace whose events are stored. The reader of a format fills it.
struct StoredRecording {
    StoredRecording(std::string file, StoredEvents::TypeMaker makeType)
        : events(std::move(file), std::move(makeType))
    {
    }

    StoredEvents events;
    std::vector<Loss> losses;
    std::vector<ProcessRecord> records;
    TextStacks stacks; ///< Call stacks of the events whose types are in `samples`.
    /// Event types whose events have a call stack, in ascending order of SampleEvent::type. The head of such an event is: i32 pid, i32 tid,
    /// u64 period, u32 stack.
    std::vector<SampleEvent> samples;

    /// Adds `offset` to all times; times that overflow become the largest or smallest time.
    void shift(Duration offset);
    /// Sorts everything by time. Must be called after the last event.
    void finish();
};

/// Trace of the events in a StoredRecording. The trace has one stream with all events in time order.
class StoredTrace final : public Trace, private SampleReader {
public:
    /// `payloadOffset` is the size of the stream context in bytes.
    StoredTrace(TraceInfo info, std::unique_ptr<StoredRecording> recording, std::uint32_t payloadOffset);

    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_recording->events.types(); }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t, StreamPosition from) const override
    {
        return openStoredStream(m_recording->events, m_payloadOffset, m_recording->losses, from);
    }
    std::span<const Diagnostic> diagnostics() const override { return m_recording->events.diagnostics(); }
    bool keepsBytes() const override { return true; }
    std::span<const ProcessRecord> processRecords() const override { return m_recording->records; }
    std::span<const Module> modules() const override { return m_modules; }
    const SampleReader* samples() const override { return m_recording->samples.empty() ? nullptr : this; }

private:
    std::span<const SampleEvent> events() const override { return m_recording->samples; }
    const std::string& machine() const override { return m_machine; }
    std::span<const RecordedFrame> stacks() const override { return m_tree; }
    bool read(const EventView& event, SampleView& sample) const override;

    TraceInfo m_info;
    std::unique_ptr<StoredRecording> m_recording; ///< Never nullptr.
    std::uint32_t m_payloadOffset;
    std::vector<StreamInfo> m_streams;
    std::string m_machine; ///< Always empty: the call stacks were recorded as names, so no registers are unwound.
    std::vector<Module> m_modules;
    std::vector<RecordedFrame> m_tree;
};

} // namespace helio
