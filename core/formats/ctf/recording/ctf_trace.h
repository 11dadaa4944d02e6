#pragma once

#include "core/formats/ctf/recording/packet_scan.h"
#include "core/trace/trace.h"

namespace helio::ctf {

/// What a stream's reader needs beside StreamInfo.
struct StreamData {
    StreamData(const StreamShape* itsShape, PacketReader itsReader)
        : shape(itsShape)
        , reader(itsReader)
    {
    }

    const StreamShape* shape;
    std::vector<std::shared_ptr<const MappedFile>> files;
    std::vector<PacketFacts> packets; ///< Parallel to StreamInfo::packets; `file` is an index into `files`. At least one is a packet.
    std::vector<std::uint64_t> missingPackets; ///< Between a packet and the next one.
    std::vector<bool> isDiscardUnknown; ///< Events were lost in or before this packet, nobody knows how many.
    /// Where the tracer loses events. True (LTTng): before a packet's first event or after its last one. False (barectf): anywhere between
    /// the ends of two consecutive packets.
    bool losesAroundEvents = false;
    PacketReader reader; ///< Checks packets that an index described.
    HostTimestamp traceBegin{}; ///< Begin of the first packet of all streams.
    HostTimestamp traceEnd{}; ///< Of the last packet of all streams; what a file that was cut off lacks may be of any time until then.
};

/// "session/kernel", "session/ust", "session/app-123": the last folder's name and, where a tracer made that up, more.
std::string shortName(const std::filesystem::path& path);

/// As its environment says: "hostname", or "host" where perf converted a recording (tools/perf/util/data-convert-bt.c).
std::string hostnameIn(const TraceInfo& info);

/// That a trace's events have no times.
ClockInfo noClock();

/// A trace read by our own reader; beginCtf() opens it.
class CtfTrace : public Trace {
public:
    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override;
    std::span<const Diagnostic> diagnostics() const override { return m_diagnostics; }
    bool hasChanged() const override;
    bool keepsBytes() const override { return true; }

private:
    friend class CtfOpening;

    TraceInfo m_info;
    EventTypes m_types;
    std::vector<StreamShape> m_shapes;
    std::vector<StreamInfo> m_streams;
    std::vector<StreamData> m_data;
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::ctf
