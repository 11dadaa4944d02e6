#pragma once

#include <cstddef>
#include <cstdint>

namespace helio::perf {

// Constants of the perf.data format and of perf_event_open(2), under Heliograph's own names.

constexpr std::uint64_t FileMagic = 0x32454c4946524550; ///< The text "PERFILE2" as a little-endian word.
constexpr std::uint64_t FileHeaderSize = 104;
constexpr std::uint64_t PipeHeaderSize = 16;
constexpr std::uint64_t RecordHeaderSize = 8;

enum class RecordType : std::uint32_t {
    Mmap = 1,
    Lost = 2,
    Comm = 3,
    Exit = 4,
    Throttle = 5,
    Unthrottle = 6,
    Fork = 7,
    Read = 8,
    Sample = 9,
    Mmap2 = 10,
    Aux = 11,
    ItraceStart = 12,
    LostSamples = 13,
    Switch = 14,
    SwitchCpuWide = 15,
    Namespaces = 16,
    Ksymbol = 17,
    BpfEvent = 18,
    Cgroup = 19,
    TextPoke = 20,
    AuxOutputHwId = 21,
    CallchainDeferred = 22,
    HeaderAttr = 64,
    HeaderEventType = 65,
    HeaderTracingData = 66,
    HeaderBuildId = 67,
    FinishedRound = 68,
    IdIndex = 69,
    AuxtraceInfo = 70,
    Auxtrace = 71,
    AuxtraceError = 72,
    ThreadMap = 73,
    CpuMap = 74,
    EventUpdate = 78,
    TimeConv = 79,
    HeaderFeature = 80,
    Compressed = 81,
    FinishedInit = 82,
    Compressed2 = 83,
    LastKnown = 86,
};

namespace misc {
constexpr std::uint16_t CpuMode = 7;
constexpr std::uint16_t CommExec = 1 << 13;
constexpr std::uint16_t SwitchOut = 1 << 13;
constexpr std::uint16_t MmapData = 1 << 13;
constexpr std::uint16_t MmapBuildId = 1 << 14;
constexpr std::uint16_t BuildIdSize = 1 << 15;
constexpr std::uint16_t LostByFilter = 1 << 15; ///< Flag of LOST_SAMPLES: the user's filter (perf record --filter) dropped the samples.
} // namespace misc

enum CpuMode : std::uint16_t { UnknownMode, KernelMode, UserMode, HypervisorMode, GuestKernelMode, GuestUserMode };

/// Bits of perf_event_attr::sample_type: the fields of a sample.
namespace sample {
constexpr std::uint64_t Ip = 1u << 0;
constexpr std::uint64_t Tid = 1u << 1;
constexpr std::uint64_t Time = 1u << 2;
constexpr std::uint64_t Addr = 1u << 3;
constexpr std::uint64_t Read = 1u << 4;
constexpr std::uint64_t Callchain = 1u << 5;
constexpr std::uint64_t Id = 1u << 6;
constexpr std::uint64_t Cpu = 1u << 7;
constexpr std::uint64_t Period = 1u << 8;
constexpr std::uint64_t StreamId = 1u << 9;
constexpr std::uint64_t Raw = 1u << 10;
constexpr std::uint64_t BranchStack = 1u << 11;
constexpr std::uint64_t RegsUser = 1u << 12;
constexpr std::uint64_t StackUser = 1u << 13;
constexpr std::uint64_t Weight = 1u << 14;
constexpr std::uint64_t DataSrc = 1u << 15;
constexpr std::uint64_t Identifier = 1u << 16;
constexpr std::uint64_t Transaction = 1u << 17;
constexpr std::uint64_t RegsIntr = 1u << 18;
constexpr std::uint64_t PhysAddr = 1u << 19;
constexpr std::uint64_t Aux = 1u << 20;
constexpr std::uint64_t Cgroup = 1u << 21;
constexpr std::uint64_t DataPageSize = 1u << 22;
constexpr std::uint64_t CodePageSize = 1u << 23;
constexpr std::uint64_t WeightStruct = 1u << 24;
constexpr std::uint64_t Known = (1u << 25) - 1;
} // namespace sample

/// Bits of perf_event_attr::read_format: the fields of a counter reading.
namespace readformat {
constexpr std::uint64_t TimeEnabled = 1;
constexpr std::uint64_t TimeRunning = 2;
constexpr std::uint64_t Id = 4;
constexpr std::uint64_t Group = 8;
constexpr std::uint64_t Lost = 16;
} // namespace readformat

/// Bits of perf_event_attr::branch_sample_type, and the size of a branch.
namespace branch {
constexpr std::uint64_t CallStack = 1u << 11; ///< The branches are calls that have not returned, innermost first.
constexpr std::uint64_t HwIndex = 1u << 17;
constexpr std::uint64_t Counters = 1u << 19;
constexpr std::size_t Size = 24; ///< Size of a branch in bytes: three 64-bit words (from, to, flags).
} // namespace branch

/// Values of perf_event_attr::type.
enum class EventSource : std::uint32_t { Hardware, Software, Tracepoint, HardwareCache, Raw, Breakpoint };

/// Numbers of feature sections in the file header.
enum class Feature : std::uint32_t {
    TracingData = 1,
    BuildId = 2,
    HostName = 3,
    OsRelease = 4,
    Version = 5,
    Arch = 6,
    CpuCount = 7,
    CpuDescription = 8,
    CpuId = 9,
    CommandLine = 11,
    EventDescription = 12,
    CpuTopology = 13,
    NumaTopology = 14,
    Stat = 19,
    Cache = 20,
    SampleTime = 21,
    ClockId = 23,
    DirectoryFormat = 24,
    Compressed = 27,
    CpuPmuCapabilities = 28,
    ClockData = 29,
};
constexpr unsigned FeatureBits = 256;

} // namespace helio::perf
