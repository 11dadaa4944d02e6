#include "core/formats/ctf/foreign/foreign_stream.h"

#include <algorithm>
#include <cstring>

namespace helio::foreign {
namespace {

/// True if a record lies within its packet and has a known event type.
bool isSound(const EventRecord& record, const PacketBytes& packet, const EventTypes& types)
{
    return static_cast<std::size_t>(record.type) < types.size() && record.headerBit <= packet.contentBits
        && record.contextOffset <= packet.contentBits - record.headerBit && record.payloadOffset <= packet.contentBits - record.headerBit;
}

} // namespace

bool Stream::next(EventBatch& batch)
{
    batch.clear();
    if (m_isAtEnd || (!m_process && !start()))
        return false;
    auto message = m_process->read();
    if (!message)
        return fail(message.error().what);
    return !*message || take(**message, batch);
}

bool Stream::start()
{
    std::vector<std::string> arguments{"stream", std::to_string(m_trace->ports[m_stream]), std::to_string(m_stream),
                                       std::to_string(m_firstEvent)};
    arguments.insert(arguments.end(), m_trace->folders.begin(), m_trace->folders.end());
    auto process = HelperProcess::start(Babeltrace, std::move(arguments), m_trace->limits);
    if (!process)
        return fail(process.error().what);
    m_process = std::move(*process);
    return true;
}

/// Ends the stream with a diagnostic. Returns false.
bool Stream::fail(const std::string& what)
{
    m_isAtEnd = true;
    m_process.reset();
    m_diagnostics.push_back({Diagnostic::Severity::Error, "stream-cut", {}, 0, 1, "the stream cannot be read further: " + what});
    return false;
}

bool Stream::take(const HelperProcess::Message& message, EventBatch& batch)
{
    WireReader wire(message.bytes);
    if (WireMessageKind(message.kind) == WireMessageKind::Batch)
        return takeBatch(wire, batch) || fail("invalid answer from babeltrace2");
    m_isAtEnd = true;
    wire(m_diagnostics);
    return false;
}

bool Stream::takeBatch(WireReader wire, EventBatch& batch) const
{
    wire(batch.packet.contentBits, batch.packet.contextBit, batch.packetIndex, batch.isOrdered, batch.begin, batch.losses);
    const auto bytes = wire.takeBytes();
    const auto records = wire.takeBytes();
    const std::size_t count = records.size() / sizeof(EventRecord);
    if (!wire.isGood() || batch.packet.contentBits != bytes.size() * 8 || batch.packet.contextBit > batch.packet.contentBits)
        return false;
    batch.packet.data = bytes.data();
    if (count > 0)
        std::memcpy(batch.records.room(count), records.data(), count * sizeof(EventRecord));
    batch.records.setSize(count);
    return std::all_of(batch.records.begin(), batch.records.end(),
                       [&](const EventRecord& record) { return isSound(record, batch.packet, m_trace->types); });
}

} // namespace helio::foreign
