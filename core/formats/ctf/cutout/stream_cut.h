#pragma once

#include "core/formats/ctf/recording/ctf_trace.h"

#include <optional>
#include <stop_token>
#include <vector>

namespace helio::ctf {

/// Part of a stream file that a cut-out contains.
struct PacketCut {
    enum class Content : std::uint8_t {
        All, ///< All events and the bytes after them. For unreadable bytes, these bytes.
        Selected, ///< The events in the range.
        None, ///< No events: a packet that carries the counter of lost events.
    };
    std::uint32_t packet = 0; ///< Index into StreamData::packets.
    Content content = Content::All;
    bool isUnreadable = false; ///< True for bytes that cannot be read as a packet.
    bool isMarker = false; ///< True if the packet is outside of the range and only carries the counter of lost events.
    /// True if events that were lost before or in the packet may have been lost in the range, although the packet is a marker.
    bool hasLosses = false;
    /// True if `content` is not All, but the unreadable bytes after the last event belong to the range.
    bool hasTail = false;
    // New values of the packet's header; nullopt to keep the recorded values.
    std::optional<std::uint64_t> begin;
    std::optional<std::uint64_t> end;
    std::optional<std::uint64_t> discarded;

    StreamPosition start; ///< Position of the packet's first event.
    std::uint64_t tailBit = 0; ///< Bit after the last readable event of the packet.

    // Position in the cut-out: file and offset of the packet before or after which this packet is written, and -1 for before, 1 for after;
    // 0 if the packet keeps its position.
    std::uint32_t file = 0;
    std::uint64_t offset = 0;
    int side = 0;
};

/// Number of events, and sums over them by which a cut-out is compared with the original.
struct EventSum {
    std::uint64_t events = 0;
    std::uint64_t heads = 0; ///< Sum over time, type and CPU.
    std::uint64_t contents = 0; ///< Sum over all fields.
    bool operator==(const EventSum&) const = default;
    void add(const EventSum& other)
    {
        events += other.events;
        heads += other.heads;
        contents += other.contents;
    }
};

/// Adds up events by time, type, CPU and all fields, in any order.
class EventSummer {
public:
    explicit EventSummer(const EventTypes& types);
    /// `hasTime`: false if the event's time is not recorded, so that it is no property of the event.
    void add(EventSum& sum, const EventView& event, bool hasTime) const;

private:
    std::vector<std::uint64_t> m_names; ///< Hash of the name of each event type.
};

/// Chooses the packets and events of a stream that a cut-out contains.
class StreamCut {
public:
    StreamCut(const CtfTrace& trace, std::uint32_t stream, const StreamData& data, HostRange range);

    /// Reads the stream and makes the list of packets, in the order of the cut-out.
    ///
    /// Cost: reads all events of the packets that may overlap the range. Packets of LTTng that claim to be outside of the range are
    /// skipped. Errors: Cancelled.
    Status plan(const EventSummer& summer, const std::stop_token& stop);

    const std::vector<PacketCut>& packets() const { return m_cuts; }
    const EventSum& sum() const { return m_sum; } ///< Sum of the events in the range.

    const StreamInfo& info() const { return *m_info; }
    const StreamData& data() const { return *m_data; }
    std::uint32_t stream() const { return m_stream; }
    bool isTimed() const { return m_info->hasTimes && m_trace->info().hasTimes; }
    bool selects(const EventRecord& record) const { return !isTimed() || m_range.contains(record.time); }

private:
    /// Facts about the events of a packet.
    struct PacketEvents {
        StreamPosition start;
        std::uint64_t before = 0; ///< Number of events before the range.
        std::uint64_t inside = 0; ///< Number of events in the range.
        std::uint64_t after = 0; ///< Number of events after the range.
        std::uint64_t endBit = 0; ///< Bit after the last event; 0 if the packet has no events.
        HostTimestamp last = HostTimestamp::min(); ///< Time of the last event in the packet.
        std::uint64_t all() const { return before + inside + after; }
    };

    bool isReliable() const;
    bool isOutside(std::size_t packet) const;
    Status readPackets(std::size_t first, std::size_t end, StreamPosition from, const EventSummer& summer, const std::stop_token& stop);
    bool overlaps(std::size_t packet) const;
    bool hasTail(std::size_t packet) const;
    void addPackets(std::size_t first, std::size_t last);
    void addGap();
    void addBefore(std::size_t first);
    void addAfter(std::size_t last);
    void addUnreadable(std::size_t from, std::size_t to);
    PacketCut makeMarker(std::size_t packet, std::uint64_t begin, std::uint64_t end) const;
    void subtractEarlierLosses();
    std::optional<std::size_t> readableBefore(std::size_t packet) const;
    std::optional<std::size_t> readableAfter(std::size_t packet) const;
    bool isLossBetween(std::size_t before, std::size_t after) const;
    bool isLossAfter(std::size_t packet) const;
    bool isPacketMissing(std::size_t before, std::size_t after) const;
    std::uint64_t cycleAt(HostTimestamp time, std::uint64_t low, std::uint64_t high) const;
    std::uint64_t beginCycle(std::uint64_t low, std::optional<std::uint64_t> high) const;
    std::uint64_t endCycle(std::uint64_t low, std::uint64_t high) const;
    void clampTimes(PacketCut& cut) const;

    const CtfTrace* m_trace;
    std::uint32_t m_stream;
    const StreamInfo* m_info;
    const StreamData* m_data;
    HostRange m_range;
    std::vector<PacketEvents> m_events; ///< Facts by packet.
    std::vector<PacketCut> m_cuts;
    EventSum m_sum;
};

} // namespace helio::ctf
