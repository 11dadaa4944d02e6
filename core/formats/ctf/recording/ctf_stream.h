#pragma once

#include "core/formats/ctf/recording/ctf_trace.h"

namespace helio::ctf {

/// Reads one stream's events. The trace must outlive it.
///
/// Pages of the file that lie well behind are let go, so that what is resident does not grow with the trace; who reads there again finds
/// them in the page cache.
class CtfEventStream : public EventStream {
public:
    /// `streams`: how many are read together.
    CtfEventStream(const StreamInfo& info, const StreamData& data, std::uint32_t index, StreamPosition from, std::size_t streams);

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override { return m_diagnostics; }

    /// Why reading a packet ends.
    enum class Stop : std::uint8_t { None, Padding, InHeader, InEvent, UnknownEvent, LargeContext, EmptyEvent };

private:
    using Kind = EventHeader::Kind;

    bool hasFileShrunk() const;
    bool stopStream(EventBatch& batch);
    void enterPacket();
    PacketFault faultOf(const PacketFacts& packet) const;
    void leavePacket(EventBatch& batch);
    void dropPagesBehind();
    bool fill(EventBatch& batch);
    template <Kind K, bool HasQuick> bool fillAs(EventBatch& batch);
    static void readOtherFields(const EventShape& event, const FieldScope& scope, EventRecord& record, std::uint64_t& clock);
    std::string causeWithin(FieldScope scope, const EventShape& event, std::uint64_t bit) const;
    void stopPacket(Stop stop, std::string cause);
    void noteBackwardTime(EventBatch& batch, const EventRecord& record);
    bool hasLost(std::size_t packet) const;
    HostTimestamp endOf(std::size_t packet) const;
    HostTimestamp firstEventTime(std::size_t packet) const;
    std::size_t nextPacket();
    bool isBeforeAllPackets();
    HostTimestamp cutUntil();
    void addLoss(EventBatch& batch, std::size_t packet, HostRange range, bool isCounted) const;
    bool isCountedBefore(std::size_t packet) const;
    void loseBefore(EventBatch& batch, std::size_t packet) const;
    void loseAfter(EventBatch& batch) const;
    HostTimestamp brokenUntil();
    void noteFault(EventBatch& batch);
    HostRange faultRange();

    const StreamInfo& m_info;
    const StreamData& m_data;
    const StreamShape& m_shape;
    std::uint32_t m_index;

    std::uint64_t m_dropStep; ///< Bytes.
    std::uint32_t m_residentFile = 0;
    std::uint64_t m_residentBegin = 0; ///< In that file: the pages before were let go, or never touched.

    std::size_t m_packet = 0;
    std::size_t m_nextPacket = 0; ///< Answer of the last nextPacket(); an answer for m_packet while it is greater.
    std::optional<std::size_t> m_firstPacket; ///< First that is a packet. Empty until isBeforeAllPackets() is called.
    bool m_isBegun = false; ///< next() was called.
    bool m_isInside = false; ///< m_scope is m_packet's.
    PacketFault m_fault = PacketFault::None; ///< Why m_packet has no events.
    bool m_isBroken = false; ///< The rest of m_packet cannot be read.
    FieldScope m_scope;
    std::uint64_t m_bit = 0; ///< After the last event.
    std::uint64_t m_clock = 0;
    std::uint64_t m_event = 0;
    std::int32_t m_cpu = -1;
    HostTimestamp m_last; ///< Of the last event, or the packet's begin.
    HostTimestamp m_latest = HostTimestamp::min(); ///< Of the last event, whatever packets say.
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::ctf
