#include "core/formats/perfetto/perfetto_trace.h"

#include "core/formats/perfetto/event_writer.h"

#include <cstring>

namespace helio::perfetto {
namespace {

template <typename Number> Number load(const std::byte* at)
{
    Number number;
    std::memcpy(&number, at, sizeof(number));
    return number;
}

CodeMode modeOf(std::uint64_t number)
{
    // Code modes, indexed by the values of the protobuf enum Profiling.CpuMode.
    constexpr CodeMode Modes[] = {CodeMode::Unknown,    CodeMode::Kernel,      CodeMode::User,
                                  CodeMode::Hypervisor, CodeMode::GuestKernel, CodeMode::GuestUser};
    return number < std::size(Modes) ? Modes[number] : CodeMode::Unknown;
}

} // namespace

PerfettoTrace::PerfettoTrace(TraceInfo info, PerfettoRecording recording)
    : m_info(std::move(info))
    , m_recording(std::move(recording))
    , m_streams(makeStoredStreams(m_recording.recording->events, m_info.path))
{
}

std::unique_ptr<EventStream> PerfettoTrace::openStream(std::uint32_t, StreamPosition from) const
{
    return openStoredStream(m_recording.recording->events, m_recording.recording->losses, from);
}

bool PerfettoTrace::read(const EventView& event, SampleView& sample) const
{
    const auto kind = std::ranges::lower_bound(m_recording.samples, event.record->type, {}, &SampleEvent::type);
    const std::uint64_t offset = event.record->headerBit / 8;
    if (kind == m_recording.samples.end() || kind->type != event.record->type || offset + SampleSize > event.packet.contentBits / 8)
        return false;
    const std::byte* const at = event.packet.data + offset;
    sample = {};
    sample.pid = load<std::int32_t>(at);
    sample.tid = load<std::int32_t>(at + 4);
    sample.cpu = event.cpu();
    sample.period = load<std::uint64_t>(at + ContextSize);
    sample.stack = static_cast<std::uint32_t>(load<std::uint64_t>(at + ContextSize + 8));
    sample.mode = modeOf(load<std::uint64_t>(at + ContextSize + 16));
    return true;
}

} // namespace helio::perfetto
