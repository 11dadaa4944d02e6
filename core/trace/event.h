#pragma once

#include "core/base/time.h"
#include "core/trace/fields/event_type.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Bytes of one packet, from which events are decoded. Some readers build such a buffer themselves.
struct PacketBytes {
    const std::byte* data = nullptr; ///< The packet's first byte.
    std::uint64_t contentBits = 0; ///< Number of valid bits in `data`; every load is checked against this limit.
    std::uint64_t contextBit = 0; ///< First bit of the packet context. (The packet header begins at bit 0.)
};

/// One undecoded event. Bits are counted from the packet's first byte.
struct EventRecord {
    HostTimestamp time;
    std::uint64_t headerBit = 0; ///< First bit of the event header.
    std::uint32_t contextOffset = 0; ///< Distance from headerBit to the stream context (after alignment), in bits.
    std::uint32_t payloadOffset = 0; ///< Distance from headerBit to the payload (after alignment), in bits.
    EventTypeId type{};
    std::int32_t cpu = -1; ///< CPU that recorded the event; -1 if unknown.
};

/// Vector of records that is refilled many times. Its memory is not cleared before a refill, because clearing would cost a decoder 8
/// instructions per event.
class EventRecords {
public:
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const EventRecord* data() const { return m_room.data(); }
    const EventRecord* begin() const { return data(); }
    const EventRecord* end() const { return data() + m_size; }
    EventRecord& operator[](std::size_t i) { return m_room[i]; }
    const EventRecord& operator[](std::size_t i) const { return m_room[i]; }
    EventRecord& back() { return m_room[m_size - 1]; }

    void clear() { m_size = 0; }
    EventRecord& emplace_back()
    {
        if (m_size == m_room.size())
            m_room.resize(2 * m_size + 16);
        return m_room[m_size++] = {};
    }
    void push_back(const EventRecord& record) { emplace_back() = record; }

    /// Returns memory for `count` records, with arbitrary contents.
    EventRecord* room(std::size_t count)
    {
        if (m_room.size() < count)
            m_room.resize(count);
        return m_room.data();
    }
    /// Sets the size to `count`, after the first `count` records of room() were filled.
    void setSize(std::size_t count) { m_size = count; }

private:
    std::vector<EventRecord> m_room;
    std::size_t m_size = 0;
};

/// An event together with its packet and type, from which its fields can be read. A view: valid as long as its EventBatch.
struct EventView {
    const EventRecord* record = nullptr;
    const EventType* type = nullptr;
    PacketBytes packet;
    std::uint32_t stream = 0;

    HostTimestamp time() const { return record->time; }
    int cpu() const { return record->cpu; }
};

/// Consecutive events of one stream, all in one packet. A view: valid as long as their EventBatch.
struct EventRun {
    std::span<const EventRecord> records;
    PacketBytes packet;
    std::uint32_t stream = 0;
    bool isOrdered = false; ///< True if the times are known to ascend (see EventBatch::isOrdered).
};

/// Events that the tracer dropped, or packets that are missing.
struct Loss {
    /// Time range of the loss: from the last event before the gap to the end of the packet or to the next packet; never empty.
    HostRange range;
    std::uint64_t events = 0; ///< Number of lost events; 0 if unknown (lost packets).
    std::uint64_t packets = 0;
    std::int32_t cpu = -1;
    std::uint32_t stream = 0;
};

/// Position before an event at which reading of a stream can resume.
///
/// `packet`, `bit`, `clock` and `event` describe the first event of a batch, because a reader knows its clock only at the start of a batch.
/// The wanted event comes `skip` events later. Readers ignore `skip` and number EventBatch::begin.event from `event` on; the code that
/// opens the stream (for example MergedEvents) drops the `skip` events.
struct StreamPosition {
    std::uint32_t packet = 0;
    std::uint64_t bit = 0; ///< First bit of the event in the packet; 0 stands for the first event of the packet.
    std::uint64_t clock = 0; ///< Full clock value before the event at `bit`. Events with shortened time stamps extend it to full times.
    std::uint64_t event = 0; ///< Number of the event at `bit`, counted from 0 at the stream's start.
    std::uint32_t skip = 0; ///< Number of events that are dropped after opening the stream at this position.
};

/// Batch of consecutive events of one stream, all in one packet. A reader refills the same batch again and again; its bytes and records are
/// valid until the next refill.
struct EventBatch {
    static constexpr std::size_t Most = 512;
    /// Returns the number of records to read at a time from each stream, if `streams` streams are read together. The number is
    /// limited so that all batches fit in a core's cache; with 256 streams this is an eighth faster.
    static std::size_t batchSizeFor(std::size_t streams)
    {
        return std::clamp<std::size_t>(8192 / std::max<std::size_t>(streams, 1), 64, Most);
    }

    std::size_t most = Most; ///< Maximum number of records per refill that the user of the batch wants.
    PacketBytes packet;
    std::uint32_t packetIndex = 0;
    EventRecords records;
    bool isOrdered = false; ///< True if the times of the records are known never to decrease; false if times may decrease.
    std::vector<Loss> losses; ///< Losses that follow the last record of the batch.
    StreamPosition begin; ///< Position of the batch's first record in the stream.
    void clear()
    {
        records.clear();
        losses.clear();
        isOrdered = false;
    }
};

} // namespace helio
