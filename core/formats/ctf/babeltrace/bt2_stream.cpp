#include "core/formats/ctf/babeltrace/bt2_stream.h"

#include "core/trace/loss_range.h"

#include <limits>
#include <utility>

namespace helio::bt2 {
namespace {

constexpr std::size_t RecordsPerBatch = 2048;
/// Maximum number of messages that are read for one batch. Messages of skipped events count, so that next() returns regularly.
constexpr int MessagesPerBatch = 65'536;
constexpr std::size_t BytesPerBatch = 1 << 20;

std::optional<HostTimestamp> timeOf(const bt_clock_snapshot* snapshot)
{
    std::int64_t ns = 0;
    if (!snapshot || bt_clock_snapshot_get_ns_from_origin(snapshot, &ns) != BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK)
        return {};
    return hostTime(ns);
}

} // namespace

std::int32_t cpuOf(const bt_packet* packet)
{
    const bt_field* context = packet ? bt_packet_borrow_context_field_const(packet) : nullptr;
    const bt_field* cpu = context ? bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id") : nullptr;
    if (!cpu || !bt_field_class_type_is(bt_field_get_class_type(cpu), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        return -1;
    const std::uint64_t number = bt_field_integer_unsigned_get_value(cpu);
    return number <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) ? static_cast<std::int32_t>(number) : -1;
}

bool Stream::next(EventBatch& batch)
{
    batch.clear();
    m_bytes.clear();
    if (m_isAtEnd || (!m_graph && !open()))
        return false;
    batch.packetIndex = 0;
    writePacket();
    for (int messages = 0;
         messages < MessagesPerBatch && batch.records.size() < RecordsPerBatch && m_bytes.size() < BytesPerBatch && batch.losses.empty();
         ++messages) {
        const bt_message* message = peek();
        if (!message || !take(message, batch))
            break;
        drop();
    }
    batch.packet = {m_bytes.data(), m_bytes.size() * 8, m_contextBit};
    const std::uint64_t first = m_event - batch.records.size();
    batch.begin = {0, first == 0 ? 0u : 1u, 0, first, 0};
    return !m_isAtEnd || !m_messages.empty() || !batch.records.empty() || !batch.losses.empty();
}

bool Stream::open()
{
    auto graph = Graph::open(m_choice.folders);
    if (!graph) {
        fail(graph.error().what);
        return false;
    }
    m_graph = std::move(*graph);
    if (m_choice.port >= m_graph->portCount()) {
        fail("the stream is gone");
        return false;
    }
    if (const Status status = m_graph->connect(m_choice.port); !status) {
        fail(status.error().what);
        return false;
    }
    return true;
}

void Stream::fail(const std::string& what)
{
    m_isAtEnd = true;
    m_diagnostics.push_back({Diagnostic::Severity::Error, "stream-cut", {}, 0, 1, "babeltrace2 stops here: " + what});
}

/// Returns the next message, which stays valid until drop(); nullptr at the end.
const bt_message* Stream::peek()
{
    while (m_messages.empty() && !m_isAtEnd) {
        switch (m_graph->pull()) {
        case Graph::PullResult::Messages:
            for (auto& delivery : m_graph->take())
                m_messages.push_back(std::move(delivery.message));
            break;
        case Graph::PullResult::Nothing: break;
        case Graph::PullResult::End: m_isAtEnd = true; break;
        case Graph::PullResult::Failed: fail(m_graph->problem()); break;
        }
    }
    return m_messages.empty() ? nullptr : m_messages.front().get();
}

/// Adds a message to the batch. Returns false if the message must go into another batch.
bool Stream::take(const bt_message* message, EventBatch& batch)
{
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_STREAM_BEGINNING:
        m_classes = std::make_unique<EventClassCache>(typesOf(bt_message_stream_beginning_borrow_stream_const(message)));
        return true;
    case BT_MESSAGE_TYPE_PACKET_BEGINNING:
        if (!batch.records.empty())
            return false;
        beginPacket(message);
        return true;
    case BT_MESSAGE_TYPE_EVENT: addEvent(message, batch); return true;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        // babeltrace2 reports the loss before the packet whose context contains the counter of discarded events. The events were lost at
        // the end of that packet, when the tracer had no free buffer, so the loss is kept until the packet ends.
        if (const auto loss = lossOf(message, false))
            m_pendingLosses.push_back(*loss);
        return true;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
        if (const auto loss = lossOf(message, true))
            addLoss(*loss, batch);
        return true;
    case BT_MESSAGE_TYPE_PACKET_END:
    case BT_MESSAGE_TYPE_STREAM_END:
        for (const Loss& loss : std::exchange(m_pendingLosses, {}))
            addLoss(loss, batch);
        return true;
    default: return true;
    }
}

void Stream::beginPacket(const bt_message* message)
{
    const bt_packet* packet = bt_message_packet_beginning_borrow_packet_const(message);
    bt_packet_get_ref(packet);
    m_packet.reset(packet);
    m_cpu = cpuOf(packet);
    m_bytes.clear();
    writePacket();
}

void Stream::writePacket()
{
    m_contextBit = 0;
    if (!m_packet)
        return;
    if (!m_packetHidden) {
        std::uint64_t unknown = 0;
        m_packetHidden.emplace();
        translate(SectionClasses(bt_stream_borrow_class_const(bt_packet_borrow_stream_const(m_packet.get()))), Section::PacketContext,
                  *m_packetHidden, unknown);
    }
    FieldWriter writer(m_bytes);
    writer.reserve(*m_packetHidden);
    m_contextBit = m_bytes.size() * 8;
    writer.write(bt_packet_borrow_context_field_const(m_packet.get()));
}

void Stream::addEvent(const bt_message* message, EventBatch& batch)
{
    const bt_event* event = bt_message_event_borrow_event_const(message);
    const auto& entry = (*m_classes)[bt_event_borrow_class_const(event)];
    const HostTimestamp time = timeOf(message);
    if (m_hasLast && time < m_last)
        ++m_backward;
    m_last = time;
    m_hasLast = true;
    if (!entry.type) {
        ++m_unknownTypes;
        return;
    }
    ++m_event;
    if (m_toSkip > 0) {
        --m_toSkip;
        return;
    }
    m_dropsLosses = false;

    EventRecord record;
    record.time = time;
    record.cpu = m_cpu;
    record.type = *entry.type;
    record.headerBit = m_bytes.size() * 8;
    FieldWriter writer(m_bytes);
    writer.reserve(entry.hidden.event);
    record.contextOffset = static_cast<std::uint32_t>(m_bytes.size() * 8 - record.headerBit);
    writer.write(bt_event_borrow_common_context_field_const(event));
    writer.write(bt_event_borrow_specific_context_field_const(event));
    record.payloadOffset = static_cast<std::uint32_t>(m_bytes.size() * 8 - record.headerBit);
    writer.write(bt_event_borrow_payload_field_const(event));
    batch.records.push_back(record);
}

/// Returns the loss of events or packets that the message reports, with the time range that the library gives. Returns nullopt while the
/// stream skips events to reach its start position, because the stream that read these events has already reported their losses.
std::optional<Loss> Stream::lossOf(const bt_message* message, bool isPackets) const
{
    if (m_dropsLosses)
        return {};
    const bt_stream* stream =
        isPackets ? bt_message_discarded_packets_borrow_stream_const(message) : bt_message_discarded_events_borrow_stream_const(message);
    const bt_stream_class* kind = bt_stream_borrow_class_const(stream);
    const bool hasTimes = isPackets ? bt_stream_class_discarded_packets_have_default_clock_snapshots(kind)
                                    : bt_stream_class_discarded_events_have_default_clock_snapshots(kind);
    Loss loss;
    if (hasTimes) {
        const auto* begin = isPackets ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message)
                                      : bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message);
        const auto* end = isPackets ? bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message)
                                    : bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message);
        loss.range.begin = bt2::timeOf(begin).value_or(m_last);
        loss.range.end = bt2::timeOf(end).value_or(m_last);
    }
    loss.stream = m_choice.stream;
    if (isPackets)
        bt_message_discarded_packets_get_count(message, &loss.packets);
    else
        bt_message_discarded_events_get_count(message, &loss.events);
    return loss;
}

void Stream::addLoss(Loss loss, EventBatch& batch)
{
    if (m_hasLast)
        loss.range.begin = m_last;
    loss.range = makeLossRange(loss.range.begin, loss.range.end);
    loss.cpu = m_cpu;
    batch.losses.push_back(loss);
}

/// Returns the time of an event; the time of the previous event if the event has no clock or its time does not fit into 64 bits.
HostTimestamp Stream::timeOf(const bt_message* message)
{
    if (!bt_message_event_borrow_stream_class_default_clock_class_const(message))
        return m_last;
    return bt2::timeOf(bt_message_event_borrow_default_clock_snapshot_const(message)).value_or(m_last);
}

std::vector<Diagnostic> Stream::diagnostics() const
{
    std::vector<Diagnostic> result = m_diagnostics;
    if (m_backward > 0)
        result.push_back({Diagnostic::Severity::Warning, "backward-time", {}, 0, m_backward, "time goes backward"});
    if (m_unknownTypes > 0)
        result.push_back({Diagnostic::Severity::Warning, "unknown-event", {}, 0, m_unknownTypes, "events of an undeclared type"});
    return result;
}

} // namespace helio::bt2
