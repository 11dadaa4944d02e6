#include "core/formats/stack_text/text_trace.h"

#include <algorithm>
#include <cstring>

namespace helio::stacktext {
namespace {

/// Reads the events of a recording in order.
/// Ownership: the recording must outlive the stream.
class TextStream final : public EventStream {
public:
    TextStream(const TextRecording& recording, StreamPosition from)
        : m_recording(recording)
        , m_at(std::min<std::uint64_t>(from.event, recording.events.size()))
    {
    }

    bool next(EventBatch& batch) override
    {
        batch.clear();
        if (m_at >= m_recording.events.size())
            return false;
        const auto bytes = m_recording.storedEvents.bytes();
        batch.packet = {bytes.data(), bytes.size() * 8, 0};
        batch.packetIndex = 0;
        batch.begin = {0, m_recording.events[m_at].offset * 8, 0, m_at, 0};
        batch.isOrdered = true;
        for (; m_at < m_recording.events.size() && batch.records.size() < batch.most; ++m_at) {
            const TextEvent& event = m_recording.events[m_at];
            EventRecord& record = batch.records.emplace_back();
            record.time = hostTime(event.time);
            record.headerBit = event.offset * 8;
            record.payloadOffset = 64;
            record.type = EventTypeId{event.type};
            record.cpu = event.cpu;
        }
        return true;
    }

    std::vector<Diagnostic> diagnostics() const override { return {}; }

private:
    const TextRecording& m_recording;
    std::uint64_t m_at;
};

template <typename Number> Number load(const std::byte* at)
{
    Number number;
    std::memcpy(&number, at, sizeof(number));
    return number;
}

} // namespace

TextTrace::TextTrace(TraceInfo info, std::unique_ptr<TextRecording> recording)
    : m_info(std::move(info))
    , m_recording(std::move(recording))
{
    if (!m_recording)
        m_recording = std::make_unique<TextRecording>(m_info.path.string());
    m_modules = m_recording->stacks().takeModules();
    m_tree = m_recording->stacks().takeTree();
    m_recording->stacks() = TextStacks(); // Free the data that was only needed for reading: they refer to the text, which is freed, too.
    const auto& events = m_recording->events;
    if (events.empty())
        return;
    StreamInfo stream;
    stream.label = "lines";
    stream.files.push_back(m_info.path);
    PacketInfo packet;
    packet.size = m_recording->storedEvents.bytes().size();
    packet.contentBits = packet.size * 8;
    packet.range = HostRange{hostTime(events.front().time), hostTime(events.back().time)};
    stream.packets.push_back(packet);
    m_streams.push_back(std::move(stream));
}

std::unique_ptr<EventStream> TextTrace::openStream(std::uint32_t, StreamPosition from) const
{
    return std::make_unique<TextStream>(*m_recording, from);
}

CodeMode TextTrace::modeOf(std::uint32_t stack) const
{
    if (stack == 0 || stack >= m_tree.size())
        return CodeMode::Unknown;
    const Module& module = m_modules[static_cast<std::size_t>(m_tree[stack].module)];
    switch (module.kind) {
    case Module::Kind::Unknown: return CodeMode::Unknown;
    case Module::Kind::GuestKernel: return CodeMode::GuestKernel;
    case Module::Kind::GuestUser: return CodeMode::GuestUser;
    default: return module.isKernel() ? CodeMode::Kernel : CodeMode::User;
    }
}

bool TextTrace::read(const EventView& event, SampleView& sample) const
{
    const std::uint64_t offset = event.record->headerBit / 8;
    // `samples` has one element for each event type, because every event is a sample. Reject an event whose type is larger, or whose head
    // exceeds the stored bytes.
    if (static_cast<std::size_t>(event.record->type) >= m_recording->samples.size() || offset + TextHeadSize > event.packet.contentBits / 8)
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

} // namespace helio::stacktext
