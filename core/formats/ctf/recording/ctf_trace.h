#pragma once

#include "core/formats/ctf/recording/packet_scanner.h"
#include "core/trace/cut_out.h"
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
    /// Packets, parallel to StreamInfo::packets; `file` is an index into `files`. At least one packet is readable.
    std::vector<PacketDescription> packets;
    std::vector<std::uint64_t> missingPackets; ///< Number of missing packets after each packet, according to sequence numbers.
    std::vector<bool> hasUnknownLoss; ///< True for each packet in or before which an unknown number of events was lost.
    /// True if the tracer loses events only before the first event or after the last event of a packet (LTTng). False if it may lose events
    /// anywhere between the ends of two successive packets (barectf).
    bool hasBoundaryLosses = false;
    /// Reader for the headers of packets that were found by LTTng's packet index, to compare the headers with the index.
    PacketReader reader;
    HostTimestamp traceBegin{}; ///< Beginning of the trace: the beginning of the earliest packet of all streams.
    HostTimestamp traceEnd{}; ///< End of the last packet of all streams. Events missing in a truncated file may be as late as this time.
};

/// Returns a short name of the trace in the folder `path`: the folder's name. For a folder that LTTng made in a session, returns the
/// session's name and the domain or process. Examples: "session/kernel", "session/ust", "session/app-123".
std::string shortName(const std::filesystem::path& path);

/// Returns the hostname from the trace's environment; empty if there is none. This is the value of "hostname", or of "host" for
/// recordings that perf converted (tools/perf/util/data-convert-bt.c).
std::string findHostname(const TraceInfo& info);

/// Returns the clock description of a trace whose events have no times.
ClockInfo makeNoClockInfo();

/// A trace read by Heliograph's own reader; beginCtf() opens it.
class CtfTrace : public Trace, public CuttableTrace {
public:
    const TraceInfo& info() const override { return m_info; }
    const EventTypes& eventTypes() const override { return m_types; }
    std::span<const StreamInfo> streams() const override { return m_streams; }
    std::unique_ptr<EventStream> openStream(std::uint32_t stream, StreamPosition from) const override;
    std::span<const Diagnostic> diagnostics() const override { return m_diagnostics; }
    bool hasChanged() const override;
    bool keepsBytes() const override { return true; }
    Result<CutOut> writeCutOut(HostRange range, const std::filesystem::path& folder, std::stop_token stop) const override;

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
