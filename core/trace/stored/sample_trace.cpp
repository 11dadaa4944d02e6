#include "core/trace/stored/sample_trace.h"

#include <cstring>

namespace helio {
namespace {

template <typename Number> Number load(const std::byte* at)
{
    Number number;
    std::memcpy(&number, at, sizeof(number));
    return number;
}

} // namespace

SampleTrace::SampleTrace(TraceInfo info, std::unique_ptr<SampleRecording> recording)
    : m_info(std::move(info))
    , m_recording(std::move(recording))
{
    if (!m_recording)
        m_recording = std::make_unique<SampleRecording>(m_info.path.string());
    m_modules = m_recording->stacks().takeModules();
    m_tree = m_recording->stacks().takeTree();
    m_recording->stacks() = TextStacks(); // Free the data that was only needed for reading: they refer to the text, which is freed, too.
    m_streams = makeStoredStreams(m_recording->events, m_info.path);
}

std::unique_ptr<EventStream> SampleTrace::openStream(std::uint32_t, StreamPosition from) const
{
    return openStoredStream(m_recording->events, SampleContextSize, {}, from);
}

CodeMode SampleTrace::modeOf(std::uint32_t stack) const
{
    if (stack == 0 || stack >= m_tree.size())
        return CodeMode::Unknown;
    const Module& module = m_modules[static_cast<std::size_t>(m_tree[stack].module)];
    switch (module.kind) {
    case Module::Kind::Unknown: return CodeMode::Unknown;
    case Module::Kind::GuestKernel:
    case Module::Kind::GuestModule: return CodeMode::GuestKernel;
    case Module::Kind::GuestUser: return CodeMode::GuestUser;
    default: return module.isKernel() ? CodeMode::Kernel : CodeMode::User;
    }
}

bool SampleTrace::read(const EventView& event, SampleView& sample) const
{
    const std::uint64_t offset = event.record->headerBit / 8;
    // `samples` has one element for each event type, because every event is a sample. Reject an event whose type is larger, or whose head
    // exceeds the stored bytes.
    if (static_cast<std::size_t>(event.record->type) >= m_recording->samples.size()
        || offset + SampleHeadSize > event.packet.contentBits / 8)
        return false;
    const std::byte* at = event.packet.data + offset;
    sample = {};
    sample.pid = load<std::int32_t>(at);
    sample.tid = load<std::int32_t>(at + 4);
    sample.period = load<std::uint64_t>(at + 8);
    sample.stack = load<std::uint32_t>(at + 16);
    if (!m_info.hasTimes || sample.tid < 0)
        sample.command = m_recording->commands[load<std::uint32_t>(at + 20)];
    sample.cpu = event.cpu();
    sample.mode = modeOf(sample.stack);
    return true;
}

} // namespace helio
