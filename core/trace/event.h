#pragma once

#include "core/base/time.h"
#include "core/trace/fields/event_type.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// The bytes events are read from: one packet, or a reader's own buffer laid out like one.
struct PacketBytes {
    const std::byte* data = nullptr; ///< The packet's first byte.
    std::uint64_t contentBits = 0; ///< What may be read; every load is checked against it.
    std::uint64_t contextBit = 0; ///< Where the packet context starts; the packet header starts at 0.
};

/// One undecoded event. Bits are counted from the packet's first byte.
struct EventRecord {
    HostTimestamp time;
    std::uint64_t headerBit = 0; ///< Where the event header starts.
    std::uint32_t contextOffset = 0; ///< From headerBit to the stream context (after alignment), in bits.
    std::uint32_t payloadOffset = 0; ///< From headerBit to the payload (after alignment), in bits.
    EventTypeId type{};
    std::int32_t cpu = -1; ///< -1: not known.
};

/// A vector of records for being filled again and again: room that was made once is not cleared for each filling, which would cost a
/// decoder 8 instructions an event.
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

    /// Room for `count` records, with whatever was there before.
    EventRecord* room(std::size_t count)
    {
        if (m_room.size() < count)
            m_room.resize(count);
        return m_room.data();
    }
    /// The first `count` of the room are filled.
    void setSize(std::size_t count) { m_size = count; }

private:
    std::vector<EventRecord> m_room;
    std::size_t m_size = 0;
};

/// An event with all that is needed to read its fields. A view: valid as long as its batch.
struct EventView {
    const EventRecord* record = nullptr;
    const EventType* type = nullptr;
    PacketBytes packet;
    std::uint32_t stream = 0;

    HostTimestamp time() const { return record->time; }
    int cpu() const { return record->cpu; }
};

/// Consecutive events of one stream, all of one packet. A view: valid as long as their batch.
struct EventRun {
    std::span<const EventRecord> records;
    PacketBytes packet;
    std::uint32_t stream = 0;
    bool isOrdered = false; ///< As in its batch.
};

/// Events that the tracer dropped, or packets that are missing.
struct Loss {
    HostRange range; ///< Between the last event before the gap and the end of its packet; never empty.
    std::uint64_t events = 0; ///< 0: unknown how many (lost packets).
    std::uint64_t packets = 0;
    std::int32_t cpu = -1;
    std::uint32_t stream = 0;
};

/// Where a stream can be taken up again: before one of its events.
///
/// packet, bit, clock and event are those of the first event of a batch: only there a reader knows its clock. The event
/// that is meant is `skip` events later; who opens the stream there drops them (MergedEvents does). A reader ignores `skip`
/// and counts EventBatch::begin.event on from `event`.
struct StreamPosition {
    std::uint32_t packet = 0;
    std::uint64_t bit = 0; ///< In the packet; 0: its first event.
    std::uint64_t clock = 0; ///< The clock's running value before that event (partial time stamps extend it).
    std::uint64_t event = 0; ///< Number of the event at `bit` in the stream.
    std::uint32_t skip = 0; ///< Events to drop after opening the stream here.
};

/// A run of consecutive events of one stream, all of one packet. Refilled in place: its bytes and records are
/// valid until the next call that fills it.
struct EventBatch {
    static constexpr std::size_t Most = 512;
    /// How many records to read at a time from each of so many streams that are read together: all of them should stay in a core's
    /// cache, which makes 256 streams an eighth faster.
    static std::size_t mostFor(std::size_t streams) { return std::clamp<std::size_t>(8192 / std::max<std::size_t>(streams, 1), 64, Most); }

    std::size_t most = Most; ///< The reader's wish: no more records than that.
    PacketBytes packet;
    std::uint32_t packetIndex = 0;
    EventRecords records;
    bool isOrdered = false; ///< Known: no record's time is before that of the one before it.
    std::vector<Loss> losses; ///< That lie after these records.
    StreamPosition begin; ///< Of the first record.
    void clear()
    {
        records.clear();
        losses.clear();
        isOrdered = false;
    }
};

} // namespace helio
