#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::perfetto {

/// Fields of a packet (message TracePacket) that do not depend on the kind of its payload. The string views refer to the bytes of the
/// packet.
struct PacketHead {
    std::optional<std::uint64_t> timestamp;
    std::optional<std::uint32_t> clock; ///< Number of the clock of `timestamp`; nullopt if the packet does not contain it.
    /// ID of the packet's sequence. A sequence contains the packets of one writer. 0 if the packet belongs to no sequence.
    std::uint32_t sequence = 0;
    /// True if the packet has SEQ_INCREMENTAL_STATE_CLEARED: earlier interned data and defaults of the sequence become invalid.
    bool clearsState = false;
    /// True if the packet has SEQ_NEEDS_INCREMENTAL_STATE: it cannot be read without the sequence's interned data and defaults.
    bool needsState = false;
    /// True if packets of the sequence were lost before this packet, or if this packet is the first of its sequence.
    bool isAfterLoss = false;
    std::uint32_t machine = 0; ///< ID of the machine that wrote the packet; 0 for the machine on which the tracing service ran.
    std::string_view internedData;
    std::string_view defaults; ///< Defaults for the following packets of the sequence (message TracePacketDefaults).
    bool hasDefaults = false;
    std::uint32_t payload = 0; ///< Field number of the payload in TracePacket; 0 if the packet has no payload.
    std::string_view payloadBytes;
    bool isDamaged = false; ///< True if the packet is damaged. The fields before the damage are set.
};

PacketHead readHead(std::string_view packet);

/// Returns the name of the TracePacket field `number`, e.g. "track_event"; empty if it is not known as a payload.
std::string_view payloadName(std::uint32_t number);

/// Field numbers in TracePacket of the payloads that this reader uses.
namespace payload {
constexpr std::uint32_t Ftrace = 1;
constexpr std::uint32_t ProcessTree = 2;
constexpr std::uint32_t ChromeEvents = 5;
constexpr std::uint32_t ClockSnapshot = 6;
constexpr std::uint32_t SysStats = 7;
constexpr std::uint32_t ProcessStats = 9;
constexpr std::uint32_t TrackEvent = 11;
constexpr std::uint32_t TraceConfig = 33;
constexpr std::uint32_t Synchronization = 36;
constexpr std::uint32_t Battery = 38;
constexpr std::uint32_t ProcessDescriptor = 43;
constexpr std::uint32_t ThreadDescriptor = 44;
constexpr std::uint32_t SystemInfo = 45;
constexpr std::uint32_t Compressed = 50;
constexpr std::uint32_t StreamingProfile = 54;
constexpr std::uint32_t TrackDescriptor = 60;
constexpr std::uint32_t PerfSample = 66;
constexpr std::uint32_t TraceUuid = 89;
constexpr std::uint32_t RemoteClockSync = 107;
constexpr std::uint32_t GenericTaskState = 117;
constexpr std::uint32_t GenericCpuFrequency = 118;
constexpr std::uint32_t GenericTaskRename = 120;
constexpr std::uint32_t GenericProcessTree = 122;
constexpr std::uint32_t ZstdCompressed = 133;
} // namespace payload

} // namespace helio::perfetto
