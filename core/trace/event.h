#pragma once

#include "core/base/time.h"
#include "core/trace/fields/event_type.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Bytes of one packet, from which events are read; some readers lay out a buffer of their own like a packet.
struct PacketBytes {
    const std::byte* data = nullptr; ///< The packet's first byte.
    std::uint64_t contentBits = 0; ///< Number of bits that may be read; every load is checked against it.
    std::uint64_t contextBit = 0; ///< First bit of the packet context; the packet header begins at bit 0.
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

/// Vector of records that is refilled many times. Its memory is not cleared for each filling, which would cost a decoder 8 instructions an
/// event.
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
    /// Sets the size after the first `count` records of room() were filled.
    void setSize(std::size_t count) { m_size = count; }

private:
    std::vector<EventRecord> m_room;
    std::size_t m_size = 0;
};

/// An event with everything that is needed to read its fields. A view: valid as long as its batch.
struct EventView {
    const EventRecord* record = nullptr;
    const EventType* type = nullptr;
    PacketBytes packet;
    std::uint32_t stream = 0;

    HostTimestamp time() const { return record->time; }
    int cpu() const { return record->cpu; }
};

/// Consecutive events of one stream, all in one packet. A view: valid as long as their batch.
struct EventRun {
    std::span<const EventRecord> records;
    PacketBytes packet;
    std::uint32_t stream = 0;
    bool isOrdered = false; ///< True if the times are known to ascend, see EventBatch::isOrdered.
};

/// Events that the tracer dropped, or packets that are missing.
struct Loss {
    HostRange range; ///< Gap from the last event before it to the end of the packet or to the next packet; never empty.
    std::uint64_t events = 0; ///< Number of lost events; 0 if unknown (lost packets).
    std::uint64_t packets = 0;
    std::int32_t cpu = -1;
    std::uint32_t stream = 0;
};

/// Position before an event at which reading of a stream can resume.
///
/// packet, bit, clock and event describe the first event of a batch, because a reader knows its clock only there. The event itself comes
/// `skip` events later: the code that opens the stream drops these events (MergedEvents does). A reader ignores `skip` and counts
/// EventBatch::begin.event on from `event`.
struct StreamPosition {
    std::uint32_t packet = 0;
    std::uint64_t bit = 0; ///< First bit of the event in the packet; 0 for the packet's first event.
    std::uint64_t clock = 0; ///< Full value of the clock before that event (partial time stamps extend it).
    std::uint64_t event = 0; ///< Number of the event at `bit`, counted from the stream's begin.
    std::uint32_t skip = 0; ///< Number of events to drop after opening the stream here.
};

/// Batch of consecutive events of one stream, all in one packet. Refilled in place: its bytes and records are valid until the call that
/// refills it.
struct EventBatch {
    static constexpr std::size_t Most = 512;
    /// Number of records to read at a time from each of `streams` streams that are read together. All batches should fit in a core's cache;
    /// with 256 streams this is an eighth faster.
    static std::size_t batchSizeFor(std::size_t streams)
    {
        return std::clamp<std::size_t>(8192 / std::max<std::size_t>(streams, 1), 64, Most);
    }

    std::size_t most = Most; ///< Maximum number of records that the reader of the batch wants.
    PacketBytes packet;
    std::uint32_t packetIndex = 0;
    EventRecords records;
    bool isOrdered = false; ///< True if no record's time is before its predecessor's; false if that is not known.
    std::vector<Loss> losses; ///< Losses after these records.
    StreamPosition begin; ///< Position of the first record.
    void clear()
    {
        records.clear();
        losses.clear();
        isOrdered = false;
    }
};

} // namespace helio
