#pragma once

#include "core/formats/ctf/recording/ctf_trace.h"

namespace helio::ctf {

/// Reads the events of one stream.
///
/// Pages of the file far behind the current position are released, so that resident memory does not grow with the trace. Later readers find
/// these pages in the page cache.
///
/// Ownership: the trace must outlive the stream.
class CtfEventStream : public EventStream {
public:
    /// `streams` is the number of streams that are read at the same time.
    CtfEventStream(const StreamInfo& info, const StreamData& data, std::uint32_t index, StreamPosition from, std::size_t streams);

    bool next(EventBatch& batch) override;
    std::vector<Diagnostic> diagnostics() const override { return m_diagnostics; }

    /// Reason why the reader stops reading a packet.
    enum class StopReason : std::uint8_t { None, Padding, InHeader, InEvent, UnknownEvent, LargeContext, EmptyEvent };

private:
    using Kind = EventHeader::Kind;

    bool hasFileShrunk() const;
    bool abortStream(EventBatch& batch);
    void enterPacket();
    PacketFault faultOf(const PacketDescription& packet) const;
    void leavePacket(EventBatch& batch);
    void releasePages();
    bool fill(EventBatch& batch);
    template <Kind K, bool HasQuick> bool fillAs(EventBatch& batch);
    static void readOtherFields(const EventClassLayout& event, const FieldScope& scope, EventRecord& record, std::uint64_t& clock);
    std::string causeWithin(FieldScope scope, const EventClassLayout& event, std::uint64_t bit) const;
    void stopPacket(StopReason stop, std::string cause);
    void noteBackwardTime(EventBatch& batch, const EventRecord& record);
    bool hasLostEvents(std::size_t packet) const;
    HostTimestamp endOf(std::size_t packet) const;
    HostTimestamp firstEventTime(std::size_t packet) const;
    std::size_t nextPacket();
    bool isBeforeAllPackets();
    HostTimestamp findTruncationEnd();
    void addLoss(EventBatch& batch, std::size_t packet, HostRange range, bool isCounted) const;
    bool isCountedBefore(std::size_t packet) const;
    void addLossBefore(EventBatch& batch, std::size_t packet) const;
    void addLossAfter(EventBatch& batch) const;
    HostTimestamp findDamageEnd();
    void addFault(EventBatch& batch);
    HostRange findFaultRange();

    const StreamInfo& m_info;
    const StreamData& m_data;
    const StreamClassLayout& m_shape;
    std::uint32_t m_index;

    /// Number of bytes of the mapped stream file that are released from memory in one step (MADV_DONTNEED). The same number of bytes before
    /// the reading position stays in memory.
    std::uint64_t m_releaseBytes;
    std::uint32_t m_residentFile = 0;
    std::uint64_t m_residentBegin = 0; ///< Offset in m_residentFile; pages before this offset were released or never touched.

    std::size_t m_packet = 0;
    /// Index of the first readable packet after m_packet, from nextPacket(); not computed yet if it is at most m_packet.
    std::size_t m_nextPacket = 0;
    std::optional<std::size_t> m_firstPacket; ///< Index of the first readable packet; nullopt until isBeforeAllPackets() is called.
    bool m_isBegun = false; ///< True once next() was called.
    bool m_isInside = false; ///< True while the reader is inside m_packet, so that m_scope describes this packet.
    PacketFault m_fault = PacketFault::None; ///< Reason why m_packet cannot be read.
    bool m_isBroken = false; ///< True if the rest of m_packet cannot be read.
    FieldScope m_scope;
    std::uint64_t m_bit = 0; ///< Bit after the last event, counted from the start of the packet.
    std::uint64_t m_clock = 0;
    std::uint64_t m_event = 0;
    std::int32_t m_cpu = -1;
    HostTimestamp m_last; ///< Time of the last event in m_packet; time of the packet's start before its first event.
    /// Time of the last event in all packets so far. In contrast, m_last is set to the start time at the start of each packet.
    HostTimestamp m_latest = HostTimestamp::min();
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::ctf
