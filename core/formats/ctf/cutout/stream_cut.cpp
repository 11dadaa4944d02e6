#include "core/formats/ctf/cutout/stream_cut.h"

#include "core/formats/ctf/cutout/event_copier.h"

#include <algorithm>
#include <functional>

namespace helio::ctf {
namespace {

std::uint64_t mix(std::uint64_t value)
{
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93;
    value ^= value >> 32;
    value *= 0xd6e8feb86659fd93;
    return value ^ value >> 32;
}

} // namespace

EventSummer::EventSummer(const EventTypes& types)
{
    for (const auto& type : types)
        m_names.push_back(mix(std::hash<std::string>()(type->name)));
}

void EventSummer::add(EventSum& sum, const EventView& event, bool hasTime) const
{
    const EventRecord& record = *event.record;
    const auto time = hasTime ? static_cast<std::uint64_t>(nanoseconds(record.time)) : 0;
    const auto cpu = static_cast<std::uint64_t>(static_cast<std::uint32_t>(record.cpu));
    ++sum.events;
    const std::uint64_t head = mix(mix(time + cpu) ^ m_names[static_cast<std::size_t>(record.type)]);
    sum.heads += head;
    sum.contents += mix(head ^ hashOf(event));
}

StreamCut::StreamCut(const CtfTrace& trace, std::uint32_t stream, const StreamData& data, HostRange range)
    : m_trace(&trace)
    , m_stream(stream)
    , m_info(&trace.streams()[stream])
    , m_data(&data)
    , m_range(range)
    , m_events(data.packets.size())
{
}

/// True if the headers of the packets tell in which range their events are, and if the events of a packet can be read without the packets
/// before it.
bool StreamCut::isReliable() const
{
    return m_data->hasBoundaryLosses && isTimed() && m_data->shape->packet.beginBits == 64
        && std::ranges::all_of(m_info->packets, [](const PacketInfo& it) { return it.range.has_value(); });
}

/// True if the packet cannot have events in the range. LTTng may write an event after the end that the header of its packet claims, but not
/// after the begin of the next packet.
bool StreamCut::isOutside(std::size_t packet) const
{
    const auto& packets = m_info->packets;
    if (packets[packet].range->begin >= m_range.end)
        return true;
    return packet + 1 < packets.size() && packets[packet].range->end < m_range.begin && packets[packet + 1].range->begin < m_range.begin;
}

Status StreamCut::plan(const EventSummer& summer, const std::stop_token& stop)
{
    const std::size_t count = m_data->packets.size();
    if (isReliable()) {
        for (std::size_t i = 0; i < count;) {
            std::size_t end = i;
            while (end < count && !isOutside(end))
                ++end;
            if (end > i)
                if (auto read = readPackets(i, end, {static_cast<std::uint32_t>(i), 0, 0, 0, 0}, summer, stop); !read)
                    return read;
            i = std::max(end, i + 1);
        }
    } else if (auto read = readPackets(0, count, {}, summer, stop); !read) {
        return read;
    }
    const bool isWhole = !isTimed() || m_range == HostRange{HostTimestamp::min(), HostTimestamp::max()};
    std::size_t first = isWhole ? 0 : count;
    std::size_t last = isWhole ? count - 1 : 0;
    for (std::size_t i = 0; i < count && !isWhole; ++i)
        if (overlaps(i)) {
            first = std::min(first, i);
            last = i;
        }
    if (first == count)
        addGap();
    else
        addPackets(first, last);
    subtractEarlierLosses();
    return Done{};
}

Status StreamCut::readPackets(std::size_t first, std::size_t end, StreamPosition from, const EventSummer& summer,
                              const std::stop_token& stop)
{
    const auto stream = m_trace->openStream(m_stream, from);
    EventBatch batch;
    for (std::size_t packet = first; stream->next(batch) && batch.packetIndex < end;) {
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "the export was cancelled"};
        if (batch.records.empty())
            continue;
        packet = batch.packetIndex;
        PacketEvents& events = m_events[packet];
        if (events.all() == 0)
            events.start = batch.begin;
        for (const EventRecord& record : batch.records) {
            if (selects(record)) {
                ++events.inside;
                summer.add(m_sum, {&record, &m_trace->eventTypes()[record.type], batch.packet, m_stream}, isTimed());
            } else {
                ++(record.time < m_range.begin ? events.before : events.after);
            }
        }
        const EventRecord& last = batch.records.back();
        events.last = last.time;
        events.endBit = endOf({&last, &m_trace->eventTypes()[last.type], batch.packet, m_stream});
    }
    return Done{};
}

/// True if the packet has events in the range or on both sides of it, or claims to overlap it.
bool StreamCut::overlaps(std::size_t packet) const
{
    if (!m_data->packets[packet].isPacket())
        return false;
    const PacketEvents& events = m_events[packet];
    const auto& range = m_info->packets[packet].range;
    if (!range)
        return events.inside > 0 || (events.before > 0 && events.after > 0);
    return events.inside > 0 || (range->begin < m_range.end && range->end >= m_range.begin);
}

/// True if the packet has bytes after its last event that cannot be read as events.
bool StreamCut::hasTail(std::size_t packet) const
{
    const PacketDescription& it = m_data->packets[packet];
    const std::uint64_t end = std::max(m_events[packet].endBit, it.eventsBit);
    return it.isPacket() && alignUp(end, m_data->shape->header.alignment()) < it.contentBits;
}

/// Adds the packets from `first` to `last`, and what precedes and follows them.
void StreamCut::addPackets(std::size_t first, std::size_t last)
{
    addBefore(first);
    for (std::size_t i = first; i <= last; ++i) {
        const PacketDescription& packet = m_data->packets[i];
        const PacketEvents& events = m_events[i];
        PacketCut cut;
        cut.packet = static_cast<std::uint32_t>(i);
        cut.file = packet.file;
        cut.offset = packet.offset;
        cut.isUnreadable = !packet.isPacket();
        cut.start = events.start;
        cut.tailBit = std::max(events.endBit, packet.eventsBit);
        if (!cut.isUnreadable && isTimed()) {
            using enum PacketCut::Content;
            cut.content = events.inside == events.all() ? All : events.inside > 0 ? Selected : None;
            cut.hasTail = cut.content != All && events.last < m_range.end && hasTail(i);
            clampTimes(cut);
        }
        m_cuts.push_back(cut);
    }
    addAfter(last);
}

/// Limits the times in the header of a packet to the range.
void StreamCut::clampTimes(PacketCut& cut) const
{
    const PacketDescription& packet = m_data->packets[cut.packet];
    const StreamClassLayout& shape = *m_data->shape;
    if (!shape.packet.isTimed)
        return;
    if (packet.begin && shape.clock.at(*packet.begin) < m_range.begin)
        cut.begin = beginCycle(*packet.begin, packet.end);
    if (packet.end && shape.clock.at(*packet.end) >= m_range.end)
        cut.end = endCycle(packet.begin.value_or(0), *packet.end);
}

/// Adds empty packets for a range between two packets: nothing was recorded in it, or events were lost in it.
void StreamCut::addGap()
{
    const auto& packets = m_info->packets;
    std::optional<std::size_t> before, after;
    for (std::size_t i = 0; i < packets.size(); ++i) {
        if (!m_data->packets[i].isPacket() || !packets[i].range)
            continue;
        if (packets[i].range->end < m_range.begin)
            before = i;
        else if (!after)
            after = i;
    }
    if (!before || !after || *after < *before)
        return;
    const std::uint64_t low = *m_data->packets[*before].end;
    const std::uint64_t high = *m_data->packets[*after].begin;
    const std::uint64_t begin = beginCycle(low, high);
    const std::uint64_t end = std::max(begin, endCycle(low, high));
    if (!isLossBetween(*before, *after)) {
        m_cuts.push_back(makeMarker(*before, begin, end));
        m_cuts.back().hasLosses = isLossAfter(*before);
        return;
    }
    if (*after == *before + 1 && !isPacketMissing(*before, *after)) {
        // How many of the events were lost in the range is unknown, as for a packet whose previous packet is not known.
        m_cuts.push_back(makeMarker(*after, begin, end));
        m_cuts.back().hasLosses = true;
        return;
    }
    m_cuts.push_back(makeMarker(*before, begin, begin));
    addUnreadable(*before + 1, *after);
    PacketCut last = makeMarker(*after, end, end);
    last.file = m_cuts.back().file;
    last.offset = m_cuts.back().offset;
    last.side = 1;
    m_cuts.push_back(last);
}

/// If events or packets were lost between the begin of the range and the packet `first`, adds an empty packet before it, from which losses
/// are counted. Also adds the unreadable bytes between the two packets.
void StreamCut::addBefore(std::size_t first)
{
    const PacketDescription& packet = m_data->packets[first];
    const auto& range = m_info->packets[first].range;
    if (!isTimed() || (range ? range->begin <= m_range.begin : m_events[first].before > 0))
        return;
    const auto before = readableBefore(first);
    const std::size_t begin = before ? *before + 1 : 0;
    if (before && range && m_data->packets[*before].end && (isLossBetween(*before, first) || isLossAfter(*before))) {
        const std::uint64_t at = beginCycle(*m_data->packets[*before].end, *packet.begin);
        PacketCut marker = makeMarker(*before, at, at);
        marker.file = m_data->packets[begin].file;
        marker.offset = m_data->packets[begin].offset;
        marker.side = -1;
        marker.hasLosses = isLossAfter(*before);
        m_cuts.push_back(marker);
    }
    addUnreadable(begin, first);
}

/// If events or packets were lost between the packet `last` and the end of the range, adds the unreadable bytes after it, and an empty
/// packet with the counter of lost events.
void StreamCut::addAfter(std::size_t last)
{
    const auto& range = m_info->packets[last].range;
    if (!isTimed() || (range ? range->end >= m_range.end - Duration(1) : m_events[last].after > 0))
        return;
    const auto after = readableAfter(last);
    addUnreadable(last + 1, after.value_or(m_data->packets.size()));
    if (!after || !range || !m_data->packets[*after].begin || !(isLossBetween(last, *after) || isLossAfter(last)))
        return;
    const std::uint64_t at = endCycle(*m_data->packets[last].end, *m_data->packets[*after].begin);
    PacketCut marker = makeMarker(*after, at, at);
    marker.file = m_cuts.back().file;
    marker.offset = m_cuts.back().offset;
    marker.side = 1;
    m_cuts.push_back(marker);
}

/// Adds the unreadable bytes among the packets from `from` to before `to`.
void StreamCut::addUnreadable(std::size_t from, std::size_t to)
{
    for (std::size_t i = from; i < to; ++i) {
        const PacketDescription& packet = m_data->packets[i];
        if (packet.isPacket())
            continue;
        PacketCut cut;
        cut.packet = static_cast<std::uint32_t>(i);
        cut.isUnreadable = true;
        cut.file = packet.file;
        cut.offset = packet.offset;
        m_cuts.push_back(cut);
    }
}

/// Returns an empty packet with the header of `packet`, at its position.
PacketCut StreamCut::makeMarker(std::size_t packet, std::uint64_t begin, std::uint64_t end) const
{
    PacketCut cut;
    cut.packet = static_cast<std::uint32_t>(packet);
    cut.content = PacketCut::Content::None;
    cut.isMarker = true;
    cut.begin = begin;
    cut.end = std::max(begin, end);
    cut.file = m_data->packets[packet].file;
    cut.offset = m_data->packets[packet].offset;
    return cut;
}

/// Subtracts the events that were lost before the first packet of the cut-out from its counters of lost events. Otherwise, the losses
/// before the range would count as losses in the first packet.
void StreamCut::subtractEarlierLosses()
{
    const auto first = std::ranges::find(m_cuts, false, &PacketCut::isUnreadable);
    if (first == m_cuts.end() || !m_data->packets[first->packet].discarded)
        return;
    const unsigned bits = m_data->shape->packet.discardedBits;
    const std::uint64_t mask = bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t own = *m_data->packets[first->packet].discarded & mask;
    const auto before = readableBefore(first->packet);
    std::uint64_t earlier = 0;
    if (first->isMarker && !first->hasLosses)
        earlier = own;
    else if (before && m_data->packets[*before].discarded)
        earlier = (own - m_info->packets[first->packet].discarded) & mask; // Also right if the counter was reset between the packets.
    if (earlier == 0)
        return;
    for (PacketCut& cut : m_cuts)
        if (const auto& counter = m_data->packets[cut.packet].discarded; !cut.isUnreadable && counter)
            cut.discarded = (*counter - earlier) & mask;
}

std::optional<std::size_t> StreamCut::readableBefore(std::size_t packet) const
{
    while (packet-- > 0)
        if (m_data->packets[packet].isPacket())
            return packet;
    return {};
}

std::optional<std::size_t> StreamCut::readableAfter(std::size_t packet) const
{
    while (++packet < m_data->packets.size())
        if (m_data->packets[packet].isPacket())
            return packet;
    return {};
}

/// True if events or packets were lost between two readable packets that have only unreadable bytes between them, or within the second one.
bool StreamCut::isLossBetween(std::size_t before, std::size_t after) const
{
    return after > before + 1 || m_info->packets[after].discarded > 0 || m_data->hasUnknownLoss[after] || isPacketMissing(before, after);
}

/// True if LTTng may have lost events after the end of the packet that the counter of this packet includes: its last event closed it.
bool StreamCut::isLossAfter(std::size_t packet) const
{
    const auto& range = m_info->packets[packet].range;
    return m_data->hasBoundaryLosses && range && m_events[packet].last >= range->end
        && (m_info->packets[packet].discarded > 0 || m_data->hasUnknownLoss[packet]);
}

bool StreamCut::isPacketMissing(std::size_t before, std::size_t after) const
{
    const auto& first = m_data->packets[before].sequence;
    const auto& second = m_data->packets[after].sequence;
    return first && second && *second > *first + 1;
}

/// Returns the first clock value from `low` to `high` that is not before the time; `high` if there is none.
std::uint64_t StreamCut::cycleAt(HostTimestamp time, std::uint64_t low, std::uint64_t high) const
{
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (m_data->shape->clock.at(middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

/// Returns the first clock value from `low` to `high` that is in the range; `high` if there is none. Without `high`, returns `low` if no
/// later value is found.
std::uint64_t StreamCut::beginCycle(std::uint64_t low, std::optional<std::uint64_t> high) const
{
    if (high)
        return cycleAt(m_range.begin, low, *high);
    for (unsigned bits = 0; bits < 63 && low + (std::uint64_t{1} << bits) > low; ++bits)
        if (const std::uint64_t end = low + (std::uint64_t{1} << bits); m_data->shape->clock.at(end) >= m_range.begin)
            return cycleAt(m_range.begin, low, end);
    return low;
}

/// Returns the last clock value from `low` to `high` that is before the end of the range; `low` if there is none.
std::uint64_t StreamCut::endCycle(std::uint64_t low, std::uint64_t high) const
{
    if (high <= low || m_data->shape->clock.at(high) < m_range.end)
        return high <= low ? low : high;
    const std::uint64_t after = cycleAt(m_range.end, low, high);
    return after > low ? after - 1 : low;
}

} // namespace helio::ctf
