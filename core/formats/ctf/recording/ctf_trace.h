#pragma once

#include "core/formats/ctf/recording/packet_scanner.h"
#include "core/trace/trace.h"

namespace helio::ctf {

/// Data of a stream that its reader needs in addition to StreamInfo.
struct StreamData {
    StreamData(const StreamClassLayout* itsShape, PacketReader itsReader)
        : shape(itsShape)
        , reader(itsReader)
    {
    }

    const StreamClassLayout* shape;
    std::vector<std::shared_ptr<const MappedFile>> files;
    std::vector<PacketDescription> packets; ///< Parallel to StreamInfo::packets; `file` is an index into `files`. At least one is readable.
    std::vector<std::uint64_t> missingPackets; ///< Number of packets that are missing after each packet, by sequence numbers.
    std::vector<bool> hasUnknownLoss; ///< True if events were lost in or before this packet, but their number is unknown.
    /// True if the tracer loses events only before a packet's first event or after its last one (LTTng); false if it may lose events
    /// anywhere between the ends of two consecutive packets (barectf).
    bool hasBoundaryLosses = false;
    PacketReader reader; ///< Reads the headers of packets that were taken from an index, to check them.
    HostTimestamp traceBegin{}; ///< Begin of the first packet of all streams.
    HostTimestamp traceEnd{}; ///< End of the last packet of all streams. The missing events of a truncated file may be as late as this.
};

/// Returns a trace's short name: the last folder's name, with the session's name before it if LTTng chose the last folder's name.
/// Examples: "session/kernel", "session/ust", "session/app-123".
std::string shortName(const std::filesystem::path& path);

/// Returns the hostname in the trace's environment: the value of "hostname", or of "host" if perf converted a recording
/// (tools/perf/util/data-convert-bt.c). Empty if there is none.
std::string findHostname(const TraceInfo& info);

/// Returns the clock description of a trace whose events have no times.
ClockInfo makeNoClockInfo();

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
    std::vector<StreamClassLayout> m_shapes;
    std::vector<StreamInfo> m_streams;
    std::vector<StreamData> m_data;
    std::vector<Diagnostic> m_diagnostics;
};

} // namespace helio::ctf
