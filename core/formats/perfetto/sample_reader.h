#pragma once

#include "core/formats/perfetto/call_stacks.h"
#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/event_writer.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio::perfetto {

/// Reads the samples of profilers: packets with a PerfSample or a StreamingProfilePacket message.
class PacketSamples {
public:
    PacketSamples(EventWriter& writer, DiagnosticLog& log)
        : m_writer(writer)
        , m_log(log)
    {
    }

    /// Takes a PerfSample message.
    void takePerfSample(std::string_view message, PacketSequence& sequence, std::int64_t time, std::uint64_t offset);

    /// Takes one sample of a StreamingProfilePacket message.
    void takeProfileSample(const PacketSequence& sequence, std::int64_t time, std::uint64_t callstack, EventContext thread);

    /// Reports if call stacks were cut because there were too many. Must be called after the last sample.
    void finish();

    CallStacks& stacks() { return m_stacks; }
    /// Moves out the event types that are samples, in ascending order of SampleEvent::type.
    std::vector<SampleEvent> takeKinds();

private:
    void add(const SampleEvent& kind, std::int64_t time, EventContext context, std::uint64_t period, std::uint32_t stack,
             std::uint32_t mode);

    EventWriter& m_writer;
    DiagnosticLog& m_log;
    CallStacks m_stacks;
    std::vector<SampleEvent> m_kinds;
};

} // namespace helio::perfetto
