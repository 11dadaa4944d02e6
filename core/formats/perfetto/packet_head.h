#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::perfetto {

/// Fields of a packet (TracePacket) that do not depend on its payload. Views of the packet.
struct PacketHead {
    std::optional<std::uint64_t> timestamp;
    std::optional<std::uint32_t> clock; ///< Id of the clock of `timestamp`.
    std::uint32_t sequence = 0; ///< Id of the packet's sequence: the packets of one writer; 0 if the packet belongs to none.
    bool clearsState = false; ///< True if interned data and defaults of the sequence are invalid from here on.
    bool needsState = false; ///< True if the packet is meaningless without the interned data or defaults of its sequence.
    bool isAfterLoss = false; ///< True if packets of the sequence were lost before this one, or if it is the sequence's first.
    std::uint32_t machine = 0; ///< Id of the machine that wrote the packet; 0 for the machine that recorded the trace.
    std::string_view internedData;
    std::string_view defaults; ///< TracePacketDefaults.
    bool hasDefaults = false;
    std::uint32_t payload = 0; ///< Number of the payload's field; 0 if the packet has none.
    std::string_view payloadBytes;
    bool isDamaged = false; ///< True if the packet's fields are damaged; those before the damage are set.
};

PacketHead readHead(std::string_view packet);

/// Returns the name of a field of TracePacket that holds a payload; empty if unknown.
std::string_view payloadName(std::uint32_t number);

/// Numbers of the fields of TracePacket that this reader uses.
namespace payload {
constexpr std::uint32_t Ftrace = 1;
constexpr std::uint32_t ProcessTree = 2;
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
constexpr std::uint32_t GenericTaskState = 117;
constexpr std::uint32_t GenericCpuFrequency = 118;
constexpr std::uint32_t GenericTaskRename = 120;
constexpr std::uint32_t GenericProcessTree = 122;
constexpr std::uint32_t ZstdCompressed = 133;
} // namespace payload

} // namespace helio::perfetto
