#pragma once

#include "core/formats/perfetto/call_stacks.h"
#include "core/formats/perfetto/diagnostic_log.h"
#include "core/formats/perfetto/event_writer.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio::perfetto {

/// Reads the samples of profilers: packets with PerfSample and StreamingProfilePacket.
class PacketSamples {
public:
    PacketSamples(EventWriter& writer, DiagnosticLog& log)
        : m_writer(writer)
        , m_log(log)
    {
    }

    /// Takes a message PerfSample.
    void takePerfSample(std::string_view message, PacketSequence& sequence, std::int64_t time, std::uint64_t offset);

    /// Takes one sample of a message StreamingProfilePacket.
    void takeProfileSample(const PacketSequence& sequence, std::int64_t time, std::uint64_t callstack, EventContext thread);

    /// Reports what could not be shown. Must be called after the last sample.
    void finish();

    CallStacks& stacks() { return m_stacks; }
    /// Event types that are samples, in ascending order.
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
