#include "core/formats/ctf/recording/ctf_stream.h"

#include "core/formats/ctf/recording/fixed_event_reader.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/loss_range.h"

#include <algorithm>

namespace helio::ctf {
namespace {

/// Approximate limits for one call of next(). Short calls let the caller stop between them, even on a slow disk.
constexpr std::uint64_t BatchBits = std::uint64_t{8} * 256 * 1024;
constexpr int BatchPackets = 64;

/// Amount of mapped file data, in bytes over all streams, that is released from memory in one step. Up to the same amount stays in memory,
/// because events that were read from it are still in use.
constexpr std::uint64_t ReleaseBytes = std::uint64_t{32} << 20;
constexpr std::uint64_t MinReleaseBytes = std::uint64_t{64} << 10;

using StopReason = CtfEventStream::StopReason;

} // namespace

CtfEventStream::CtfEventStream(const StreamInfo& info, const StreamData& data, std::uint32_t index, StreamPosition from,
                               std::size_t streams)
    : m_info(info)
    , m_data(data)
    , m_shape(*data.shape)
    , m_index(index)
    , m_releaseBytes(std::max(ReleaseBytes / streams, MinReleaseBytes))
    , m_packet(from.packet)
    , m_clock(from.clock)
    , m_event(from.event)
    , m_last(m_shape.clock.at(m_clock))
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
    if (!m_isBegun && !m_isInside && m_packet == 0 && !m_data.packets.empty() && !m_data.hasBoundaryLosses)
        addLossBefore(batch, 0);
    m_isBegun = true;
    if (!batch.losses.empty())
        return true;
    for (int packets = 0; m_packet < m_data.packets.size(); ++packets) {
        if (!m_isInside)
            enterPacket();
        batch.packet = m_scope.packet;
        batch.packetIndex = static_cast<std::uint32_t>(m_packet);
        batch.begin = {batch.packetIndex, m_bit, m_clock, m_event, 0};
        const bool isPacketOver = fill(batch);
        if (hasFileShrunk())
            return abortStream(batch);
        m_event += batch.records.size();
        releasePages();
        if (isPacketOver)
            leavePacket(batch);
        if (!batch.records.empty() || !batch.losses.empty() || packets == BatchPackets)
            return true;
    }
    return false;
}

bool CtfEventStream::hasFileShrunk() const { return m_data.files[m_data.packets[m_packet].file]->wasTruncated(); }

/// Ends the stream and clears the batch, whose bytes may be zeros that replace the missing end of the file.
bool CtfEventStream::abortStream(EventBatch& batch)
{
    const auto& packet = m_data.packets[m_packet];
    report(m_diagnostics,
           {Diagnostic::Severity::Error, "file-shrank", m_data.files[packet.file]->path().string(), packet.offset, 1,
            "the file shrank while it was read; its events from here on are missing"});
    batch.clear();
    m_packet = m_data.packets.size();
    return false;
}

void CtfEventStream::enterPacket()
{
    const auto& packet = m_data.packets[m_packet];
    const auto bytes = m_data.files[packet.file]->bytes().subspan(packet.offset);
    m_isInside = true;
    m_isBroken = false;
    m_fault = faultOf(packet);
    m_cpu = packet.cpu;
    m_scope = FieldScope();
    if (m_fault != PacketFault::None) {
        m_scope.packet = {bytes.data(), 0, 0};
        m_bit = 0;
        return;
    }
    m_scope.packet = {bytes.data(), packet.contentBits, packet.contextBit};
    m_scope.start(Section::PacketHeader) = 0;
    m_scope.start(Section::PacketContext) = packet.contextBit;
    m_bit = packet.eventsBit;
    if (packet.begin && m_shape.packet.isTimed)
        m_clock = advanceClock(m_clock, *packet.begin, m_shape.packet.beginBits);
    m_last = m_shape.clock.at(m_clock);
}

/// Returns the reason why a packet cannot be read. Compares packets that come from the tracer's index with their own headers.
PacketFault CtfEventStream::faultOf(const PacketDescription& packet) const
{
    if (!packet.isIndexed)
        return packet.fault;
    PacketDescription read = m_data.reader.read(*m_data.files[packet.file], packet.offset);
    if (!read.isPacket())
        return read.fault;
    read.file = packet.file;
    read.isIndexed = true;
    return read == packet ? PacketFault::None : PacketFault::UnlikeIndex;
}

/// True if the packet's counter of lost events increased since the previous packet, or counts events that were lost at an unknown time.
bool CtfEventStream::hasLostEvents(std::size_t packet) const { return m_info.packets[packet].discarded || m_data.hasUnknownLoss[packet]; }

HostTimestamp CtfEventStream::endOf(std::size_t packet) const
{
    const auto& range = m_info.packets[packet].range;
    return range && m_data.packets[packet].end ? range->end : m_last;
}

/// Returns the time of the first event of `packet`, without changing the reading position of this stream; the end of the packet if it has
/// no events.
HostTimestamp CtfEventStream::firstEventTime(std::size_t packet) const
{
    CtfEventStream ahead(m_info, m_data, m_index, {static_cast<std::uint32_t>(packet), 0, m_clock, m_event}, 1);
    EventBatch batch;
    batch.most = 1;
    ahead.enterPacket();
    batch.packet = ahead.m_scope.packet;
    ahead.fill(batch);
    return batch.records.empty() ? endOf(packet) : batch.records[0].time;
}

void CtfEventStream::addLoss(EventBatch& batch, std::size_t packet, HostRange range, bool isCounted) const
{
    const auto events = isCounted && !m_data.hasUnknownLoss[packet] ? m_info.packets[packet].discarded : 0;
    batch.losses.push_back({makeLossRange(range.begin, range.end), events, 0, m_data.packets[packet].cpu, m_index});
}

/// True if a packet's lost events are counted before its first event; false if they are counted after its last event. LTTng does not record
/// when it lost them. They are counted before the packet if, according to its header, the packet began after the end of the previous
/// packet.
bool CtfEventStream::isCountedBefore(std::size_t packet) const
{
    if (packet == 0)
        return false;
    const auto& before = m_info.packets[packet - 1].range;
    const auto& range = m_info.packets[packet].range;
    return before && range && range->begin > before->end;
}

/// Adds the loss before or within the given packet: the time range in which its counter of lost events may have increased.
///
/// LTTng loses events while all sub-buffers are full: after the last event of a packet until the packet is closed, or, if the last event
/// closed the packet, until the next packet begins (lttng-modules, ring_buffer_frontend.c). Other tracers, such as barectf, count the
/// events lost since the end of the previous packet and write the count at the end of a packet.
void CtfEventStream::addLossBefore(EventBatch& batch, std::size_t packet) const
{
    if (!hasLostEvents(packet))
        return;
    if (m_data.hasBoundaryLosses)
        return addLoss(batch, packet, {m_last, firstEventTime(packet)}, isCountedBefore(packet));
    if (const auto& range = m_info.packets[packet].range)
        addLoss(batch, packet, {packet > 0 ? endOf(packet - 1) : range->begin, range->end}, true);
}

/// Adds the loss after the last event of m_packet: the time range in which its counter of lost events may have increased. If its last event
/// closed the packet, LTTng reads the counter later, when it delivers the packet; the range then ends at the first event of the next
/// packet.
void CtfEventStream::addLossAfter(EventBatch& batch) const
{
    // addLossBefore() has already added this loss; adding it again would count the events twice.
    const bool isDone = !m_data.hasBoundaryLosses && m_info.packets[m_packet].range;
    if (isDone || !hasLostEvents(m_packet))
        return;
    const bool hasNext = m_packet + 1 < m_data.packets.size();
    const HostTimestamp end = endOf(m_packet);
    if (m_last < end || !isCountedBefore(m_packet) || hasNext)
        addLoss(batch, m_packet, {m_last, m_last < end || !hasNext ? end : firstEventTime(m_packet + 1)}, !isCountedBefore(m_packet));
}

/// Returns the index of the first readable packet after m_packet; the number of packets if there is none.
/// Cost: all calls together visit each packet once.
std::size_t CtfEventStream::nextPacket()
{
    if (m_nextPacket > m_packet)
        return m_nextPacket;
    for (m_nextPacket = m_packet + 1; m_nextPacket < m_data.packets.size() && !m_data.packets[m_nextPacket].isPacket();)
        ++m_nextPacket;
    return m_nextPacket;
}

/// True if no packet before m_packet is readable.
/// Cost: the first call searches for the first readable packet; later calls are O(1).
bool CtfEventStream::isBeforeAllPackets()
{
    if (!m_firstPacket)
        m_firstPacket =
            static_cast<std::size_t>(std::ranges::find_if(m_data.packets, &PacketDescription::isPacket) - m_data.packets.begin());
    return m_packet <= *m_firstPacket;
}

/// Returns the end of the time range in which events may be missing: the start of the next readable packet, else the end of the trace.
HostTimestamp CtfEventStream::findTruncationEnd()
{
    const std::size_t next = nextPacket();
    if (next == m_data.packets.size())
        return m_data.traceEnd;
    const auto& range = m_info.packets[next].range;
    return range ? range->begin : firstEventTime(next);
}

HostTimestamp CtfEventStream::findDamageEnd()
{
    return m_data.packets[m_packet].isCut || !m_info.packets[m_packet].range ? findTruncationEnd() : endOf(m_packet);
}

/// Returns the time range of m_packet if it is unreadable: the range in the tracer's index, else from the previous event to the next
/// packet.
HostRange CtfEventStream::findFaultRange()
{
    if (const auto& range = m_info.packets[m_packet].range)
        return makeLossRange(range->begin, range->end);
    const HostTimestamp end = findTruncationEnd();
    // If traceBegin is unknown, it is HostTimestamp::max(), so std::min() selects `end`.
    return makeLossRange(isBeforeAllPackets() ? std::min(m_data.traceBegin, end) : m_last, end);
}

/// Reports the fault of m_packet and its loss. Unreadable bytes count as one lost packet for each missing sequence number.
void CtfEventStream::addFault(EventBatch& batch)
{
    PacketDescription packet = m_data.packets[m_packet];
    const auto packets = packet.isPacket() ? 1 : m_data.missingPackets[m_packet];
    packet.fault = m_fault;
    report(m_diagnostics, describeFault(*m_data.files[packet.file], packet, m_packet));
    batch.losses.push_back({findFaultRange(), 0, packets, m_cpu, m_index});
}

void CtfEventStream::leavePacket(EventBatch& batch)
{
    addLossAfter(batch);
    const bool isPacket = m_data.packets[m_packet].isPacket();
    if (m_fault != PacketFault::None)
        addFault(batch);
    if (const auto missing = m_data.missingPackets[m_packet]; missing && isPacket) {
        const auto begin = std::max(m_last, endOf(m_packet));
        const auto& following = m_info.packets[m_packet + 1].range;
        batch.losses.push_back({makeLossRange(begin, following ? following->begin : begin), 0, missing, m_cpu, m_index});
    }
    if (m_packet + 1 < m_data.packets.size())
        addLossBefore(batch, m_packet + 1);
    if (m_isBroken || m_data.packets[m_packet].isCut)
        batch.losses.push_back({makeLossRange(m_last, findDamageEnd()), 0, 0, m_cpu, m_index});
    const auto& packet = m_data.packets[m_packet];
    if (packet.end && !packet.begin && m_shape.packet.isTimed && m_fault == PacketFault::None)
        m_clock = advanceClock(m_clock, *packet.end, m_shape.packet.endBits);
    m_isInside = false;
    ++m_packet;
}

void CtfEventStream::releasePages()
{
    const auto& packet = m_data.packets[m_packet];
    const std::uint64_t at = packet.offset + m_bit / 8;
    if (packet.file != m_residentFile || at < m_residentBegin) {
        m_residentFile = packet.file;
        m_residentBegin = packet.offset;
    }
    if (at - m_residentBegin < 2 * m_releaseBytes)
        return;
    m_data.files[packet.file]->advise(MappedFile::Advice::DontNeed, m_residentBegin, at - m_residentBegin - m_releaseBytes);
    m_residentBegin = at - m_releaseBytes;
}

/// Reads events into the batch. Returns true if the packet has no more events.
bool CtfEventStream::fill(EventBatch& batch)
{
    const bool hasQuick = !m_shape.quick().empty();
    switch (m_shape.header.kind()) {
    case Kind::None: return fillAs<Kind::None, false>(batch);
    case Kind::Compact: return hasQuick ? fillAs<Kind::Compact, true>(batch) : fillAs<Kind::Compact, false>(batch);
    case Kind::Large: return hasQuick ? fillAs<Kind::Large, true>(batch) : fillAs<Kind::Large, false>(batch);
    case Kind::Fixed: return fillAs<Kind::Fixed, false>(batch);
    case Kind::General: return fillAs<Kind::General, false>(batch);
    }
    return true;
}

namespace {

/// Advances `end` past the event's own context and payload, and sets `payload` to the first bit of the payload.
StopReason skipParts(const EventClassLayout& shape, FieldScope& scope, std::uint64_t& end, std::uint64_t& payload)
{
    if (shape.context) {
        scope.start(Section::EventContext) = shape.context->alignedStart(end);
        end = shape.context->skip(scope, end);
        if (end == CutOff)
            return StopReason::InEvent;
    }
    payload = end;
    if (shape.payload) {
        payload = shape.payload->alignedStart(end);
        scope.start(Section::Payload) = payload;
        end = shape.payload->skip(scope, end);
    }
    return end == CutOff ? StopReason::InEvent : StopReason::None;
}

/// Reads the event that starts at or after `bit`. If the event is complete, advances `bit` and `clock` to its end; otherwise advances only
/// `bit`, to the start of the event. The caller passes references to local variables, which stay in registers because this function is
/// inlined.
template <EventHeader::Kind K>
inline StopReason readEvent(const StreamClassLayout& shape, FieldScope& scope, std::uint64_t& bit, std::uint64_t& clock,
                            EventRecord& record, EventClassEntry& step)
{
    const std::uint64_t contentBits = scope.packet.contentBits;
    const std::uint64_t before = bit;
    const std::uint64_t start = alignUp(bit, shape.header.alignment());
    bit = start;
    if (start >= contentBits)
        return StopReason::Padding;
    scope.start(Section::EventHeader) = start;
    std::uint64_t id = 0;
    std::uint64_t time = clock;
    std::uint64_t end = 0;
    if (!shape.header.read<K>(scope, start, id, time, end))
        return StopReason::InHeader;
    step = shape.find(id);
    if (!step.shape) [[unlikely]]
        return StopReason::UnknownEvent;

    std::uint64_t context = end;
    if (shape.streamContext) {
        context = shape.streamContext->alignedStart(end);
        scope.start(Section::StreamContext) = context;
        end = shape.streamContext->skip(scope, end);
        if (end == CutOff)
            return StopReason::InEvent;
    }
    std::uint64_t payload = 0;
    if (step.payloadBits != CutOff) {
        payload = (end + step.payloadMask) & ~std::uint64_t{step.payloadMask};
        end = payload + step.payloadBits;
    } else {
        // Copy of `end` for a call that takes the address of the variable, so that `end` itself can stay in a register.
        std::uint64_t whole = end;
        std::uint64_t part = 0;
        if (skipParts(*step.shape, scope, whole, part) != StopReason::None)
            return StopReason::InEvent;
        end = whole;
        payload = part;
    }
    if (end > contentBits)
        return StopReason::InEvent;
    if (payload - start > UINT32_MAX) [[unlikely]]
        return StopReason::LargeContext;
    if (end == before) [[unlikely]]
        return StopReason::EmptyEvent;
    bit = end;
    clock = time;
    record.headerBit = start;
    record.contextOffset = static_cast<std::uint32_t>(context - start);
    record.payloadOffset = static_cast<std::uint32_t>(payload - start);
    record.type = step.type;
    return StopReason::None;
}

} // namespace

/// Reads events into the batch; the inner loop of all reading. All changing state is in local variables, so that it stays in registers.
template <EventHeader::Kind K, bool HasQuick> bool CtfEventStream::fillAs(EventBatch& batch)
{
    batch.isOrdered = true;
    EventRecord* const first = batch.records.room(batch.most);
    EventRecord* const last = first + batch.most;
    EventRecord* record = first;
    FieldScope scope = m_scope;
    const FixedEventReader<K> quick(m_shape, scope.packet);
    const ClockConversion conversion = m_shape.clock;
    std::uint64_t bit = m_bit;
    std::uint64_t clock = m_clock;
    HostTimestamp latest = m_latest;
    const std::int32_t cpu = m_cpu;
    StopReason stop = StopReason::None;
    for (; record != last; ++record) {
        record->cpu = cpu;
        if (HasQuick && quick.read(bit, clock, *record)) [[likely]] {
            if (record->time >= latest) [[likely]] {
                latest = record->time;
                continue;
            }
        } else {
            if (bit - m_bit > BatchBits) [[unlikely]]
                break;
            // Copies of `bit` and `clock` for a call that takes the addresses of the variables, so that `bit` and `clock` themselves can
            // stay in registers.
            std::uint64_t slowBit = bit;
            std::uint64_t slowClock = clock;
            EventClassEntry step;
            stop = readEvent<K>(m_shape, scope, slowBit, slowClock, *record, step);
            bit = slowBit;
            if (stop != StopReason::None)
                break;
            record->time = conversion.at(slowClock);
            if (step.payloadBits == CutOff && step.shape->hasOtherFields) [[unlikely]]
                readOtherFields(*step.shape, scope, *record, slowClock);
            clock = slowClock;
        }
        if (record->time < latest) [[unlikely]]
            noteBackwardTime(batch, *record);
        latest = record->time;
    }
    batch.records.setSize(static_cast<std::size_t>(record - first));
    m_bit = bit;
    m_clock = clock;
    if (!batch.records.empty())
        m_last = m_latest = latest;
    if (stop == StopReason::None)
        return false;
    std::uint64_t id = 0;
    std::uint64_t end = 0;
    std::string cause;
    if (stop == StopReason::UnknownEvent || stop == StopReason::InEvent)
        m_shape.header.read<K>(scope, bit, id, clock, end);
    if (stop == StopReason::UnknownEvent)
        cause = "unknown event ID " + std::to_string(id);
    else if (stop == StopReason::InEvent)
        cause = causeWithin(scope, *m_shape.find(id).shape, end);
    stopPacket(stop, std::move(cause));
    return true;
}

/// Returns the reason why the event whose header ends at `bit` cannot be read.
std::string CtfEventStream::causeWithin(FieldScope scope, const EventClassLayout& event, std::uint64_t bit) const
{
    std::uint64_t end = bit;
    const std::pair<Section, const StructLayout*> parts[] = {
        {Section::StreamContext, m_shape.streamContext}, {Section::EventContext, event.context}, {Section::Payload, event.payload}};
    for (const auto& [section, layout] : parts) {
        if (!layout)
            continue;
        scope.start(section) = layout->alignedStart(end);
        end = layout->skip(scope, end);
        if (end == CutOff) {
            std::string cause = explainCutOff(*layout, scope, scope.start(section));
            return cause.empty() ? "the packet is truncated in an event" : cause;
        }
    }
    return "the packet is truncated in an event";
}

void CtfEventStream::readOtherFields(const EventClassLayout& event, const FieldScope& scope, EventRecord& record, std::uint64_t& clock)
{
    if (event.cpu.isValid())
        if (const auto cpu = event.cpu.integer(scope); cpu && *cpu >= 0 && *cpu <= INT32_MAX)
            record.cpu = static_cast<std::int32_t>(*cpu);
    for (const auto& [field, bits] : event.stamps)
        if (const auto value = field.integer(scope))
            clock = advanceClock(clock, static_cast<std::uint64_t>(*value), bits);
}

void CtfEventStream::noteBackwardTime(EventBatch& batch, const EventRecord& record)
{
    batch.isOrdered = false;
    const auto& packet = m_data.packets[m_packet];
    report(m_diagnostics,
           {Diagnostic::Severity::Warning, "backward-time", m_data.files[packet.file]->path().string(),
            packet.offset + record.headerBit / 8, 1, "an event is earlier than its predecessor"});
}

/// Reports the reason why the rest of the packet cannot be read, and advances to the end of the packet.
void CtfEventStream::stopPacket(StopReason stop, std::string cause)
{
    using enum Diagnostic::Severity;
    const auto& packet = m_data.packets[m_packet];
    const auto reportHere = [&](Diagnostic::Severity severity, std::string kind, std::string what) {
        report(m_diagnostics,
               {severity, std::move(kind), m_data.files[packet.file]->path().string(), packet.offset + m_bit / 8, 1, std::move(what)});
    };
    const std::uint64_t left = (packet.contentBits - std::min(m_bit, packet.contentBits) + 7) / 8;
    const std::string rest = "; the last " + (left == 1 ? "byte" : std::to_string(left) + " bytes") + " of the packet at byte "
        + std::to_string(packet.offset) + (left == 1 ? " is" : " are") + " not read";
    m_isBroken = stop != StopReason::Padding && stop != StopReason::EmptyEvent;
    switch (stop) {
    case StopReason::None:
    case StopReason::Padding: break;
    case StopReason::InHeader: reportHere(Warning, "truncated-event", "packet is truncated in an event header" + rest); break;
    case StopReason::InEvent: reportHere(Warning, "truncated-event", "corrupt data (" + cause + ")" + rest); break;
    case StopReason::UnknownEvent: reportHere(Error, "unknown-event", "corrupt data (" + cause + ")" + rest); break;
    case StopReason::LargeContext: reportHere(Error, "large-event", "an event has a context of more than 512 MiB" + rest); break;
    case StopReason::EmptyEvent: reportHere(Error, "empty-event", "events without any bits cannot be told apart"); break;
    }
    m_bit = packet.contentBits;
}

} // namespace helio::ctf
