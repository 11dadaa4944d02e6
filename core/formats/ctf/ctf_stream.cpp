#include "core/formats/ctf/ctf_stream.h"

namespace helio::ctf {
namespace {

constexpr std::size_t BatchSize = 4096;

/// What a loss covers is never empty.
HostRange gapBetween(HostTimestamp begin, HostTimestamp end) { return {begin, std::max(end, begin + Duration(1))}; }

} // namespace

CtfEventStream::CtfEventStream(const StreamInfo& info, const StreamData& data, std::uint32_t index, StreamPosition from)
    : m_info(info)
    , m_data(data)
    , m_shape(*data.shape)
    , m_index(index)
    , m_packet(from.packet)
    , m_clock(from.clock)
    , m_event(from.event)
{
    if (from.bit == 0 || m_packet >= m_data.packets.size())
        return;
    enterPacket();
    m_bit = std::max(m_bit, from.bit);
    m_clock = from.clock;
    m_last = m_shape.clock.at(m_clock);
}

bool CtfEventStream::next(EventBatch& batch)
{
    batch.clear();
    while (m_packet < m_data.packets.size()) {
        if (!m_isInside)
            enterPacket();
        batch.packet = m_scope.packet;
        batch.packetIndex = static_cast<std::uint32_t>(m_packet);
        batch.begin = {batch.packetIndex, m_bit, m_clock, m_event, 0};
        fill(batch);
        m_event += batch.records.size();
        if (batch.records.size() < BatchSize)
            leavePacket(batch);
        if (!batch.records.empty() || !batch.losses.empty())
            return true;
    }
    return false;
}

void CtfEventStream::enterPacket()
{
    const auto& packet = m_data.packets[m_packet];
    const auto bytes = m_data.files[packet.file]->bytes().subspan(packet.offset);
    m_isInside = true;
    m_scope = FieldScope();
    m_scope.packet = {bytes.data(), packet.contentBits, packet.contextBit};
    m_scope.start(Section::PacketHeader) = 0;
    m_scope.start(Section::PacketContext) = packet.contextBit;
    m_bit = packet.eventsBit;
    m_cpu = packet.cpu;
    if (packet.begin && m_shape.packet.isTimed)
        m_clock = clockAfter(m_clock, *packet.begin, m_shape.packet.beginBits);
    m_last = m_shape.clock.at(m_clock);
}

HostTimestamp CtfEventStream::packetEnd() const
{
    const auto& range = m_info.packets[m_packet].range;
    return range && m_data.packets[m_packet].end ? range->end : m_last;
}

/// Events are lost when a packet is full, so after its last event; where packets are missing before it, perhaps in those.
HostTimestamp CtfEventStream::lossBegin() const
{
    if (m_packet == 0 || m_data.missingPackets[m_packet - 1] == 0)
        return m_last;
    const auto& before = m_info.packets[m_packet - 1].range;
    return before ? before->end : m_last;
}

void CtfEventStream::leavePacket(EventBatch& batch)
{
    const auto& info = m_info.packets[m_packet];
    if (info.discarded || m_data.isDiscardUnknown[m_packet])
        batch.losses.push_back(
            {gapBetween(lossBegin(), packetEnd()), m_data.isDiscardUnknown[m_packet] ? 0 : info.discarded, 0, m_cpu, m_index});
    if (const auto missing = m_data.missingPackets[m_packet]) {
        const auto begin = std::max(m_last, packetEnd());
        const auto& following = m_info.packets[m_packet + 1].range;
        batch.losses.push_back({gapBetween(begin, following ? following->begin : begin), 0, missing, m_cpu, m_index});
    }
    const auto& file = *m_data.files[m_data.packets[m_packet].file];
    if (file.wasTruncated())
        report(m_diagnostics,
               {Diagnostic::Severity::Error, "file-shrank", file.path().string(), info.offset, 1,
                "the file became shorter while it was read"});
    m_isInside = false;
    ++m_packet;
}

void CtfEventStream::fill(EventBatch& batch)
{
    batch.records.reserve(BatchSize);
    switch (m_shape.header.kind()) {
    case Kind::None: return fillAs<Kind::None>(batch);
    case Kind::Compact: return fillAs<Kind::Compact>(batch);
    case Kind::Large: return fillAs<Kind::Large>(batch);
    case Kind::Fixed: return fillAs<Kind::Fixed>(batch);
    case Kind::General: return fillAs<Kind::General>(batch);
    }
}

template <EventHeader::Kind K> void CtfEventStream::fillAs(EventBatch& batch)
{
    const std::uint64_t contentBits = m_scope.packet.contentBits;
    const std::uint64_t headerAlignment = m_shape.header.alignment();
    while (m_bit < contentBits && batch.records.size() < BatchSize) {
        const std::uint64_t start = alignUp(m_bit, headerAlignment);
        if (start >= contentBits)
            break; // Only padding is left.
        m_scope.start(Section::EventHeader) = start;
        const auto found = m_shape.header.read<K>(m_scope, start, m_clock);
        if (found.end == CutOff)
            return stopPacket(Diagnostic::Severity::Warning, "truncated-event", "the packet ends within an event's header", start);
        const auto* event = m_shape.find(found.id);
        if (!event)
            return stopPacket(Diagnostic::Severity::Error, "unknown-event",
                              "an event with the id " + std::to_string(found.id) + ", which the metadata does not have", start);

        std::uint64_t bit = found.end;
        std::uint64_t context = bit;
        if (m_shape.streamContext) {
            context = m_shape.streamContext->alignedStart(bit);
            m_scope.start(Section::StreamContext) = context;
            bit = m_shape.streamContext->skip(m_scope, bit);
        }
        if (event->context && bit != CutOff) {
            m_scope.start(Section::EventContext) = event->context->alignedStart(bit);
            bit = event->context->skip(m_scope, bit);
        }
        std::uint64_t payload = bit;
        if (event->payload && bit != CutOff) {
            payload = (bit + event->payloadMask) & ~event->payloadMask;
            m_scope.start(Section::Payload) = payload;
            bit = event->payloadBits != CutOff ? payload + event->payloadBits : event->payload->skip(m_scope, bit);
        }
        if (bit > contentBits)
            return stopPacket(Diagnostic::Severity::Warning, "truncated-event",
                              "the packet ends within an event, or a length in it is wrong", start);
        if (payload - start > UINT32_MAX)
            return stopPacket(Diagnostic::Severity::Error, "large-event", "an event with a context of more than 512 MiB", start);
        if (bit == m_bit)
            return stopPacket(Diagnostic::Severity::Error, "empty-event", "events without any bits cannot be told apart", start);

        m_clock = found.clock;
        auto& record = batch.records.emplace_back(EventRecord{m_shape.clock.at(m_clock), start, static_cast<std::uint32_t>(context - start),
                                                              static_cast<std::uint32_t>(payload - start), event->type, m_cpu});
        if (record.time < m_latest) [[unlikely]]
            noteBackwardTime(record);
        m_last = m_latest = record.time;
        m_bit = bit;
        if (event->hasOtherFields) [[unlikely]]
            readOtherFields(*event, record);
    }
}

void CtfEventStream::readOtherFields(const EventShape& event, EventRecord& record)
{
    if (event.cpu.isValid())
        if (const auto cpu = event.cpu.integer(m_scope); cpu && *cpu >= 0 && *cpu <= INT32_MAX)
            record.cpu = static_cast<std::int32_t>(*cpu);
    for (const auto& [field, bits] : event.stamps)
        if (const auto value = field.integer(m_scope))
            m_clock = clockAfter(m_clock, static_cast<std::uint64_t>(*value), bits);
}

void CtfEventStream::noteBackwardTime(const EventRecord& record)
{
    const auto& packet = m_data.packets[m_packet];
    report(m_diagnostics,
           {Diagnostic::Severity::Warning, "backward-time", m_data.files[packet.file]->path().string(),
            packet.offset + record.headerBit / 8, 1, "an event whose time is before the one before it"});
}

void CtfEventStream::stopPacket(Diagnostic::Severity severity, std::string kind, std::string what, std::uint64_t bit)
{
    const auto& packet = m_data.packets[m_packet];
    report(m_diagnostics,
           {severity, std::move(kind), m_data.files[packet.file]->path().string(), packet.offset + bit / 8, 1, std::move(what)});
    m_bit = packet.contentBits;
}

} // namespace helio::ctf
