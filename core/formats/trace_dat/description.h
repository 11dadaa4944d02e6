#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/formats/trace_dat/host_clock.h"
#include "core/trace/trace.h"
#include "core/trace/tracepoint/tracing_data.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Everything in a trace.dat file except the events. Sources: trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5) of trace-cmd 3.

namespace helio::tracedat {

/// Location of a CPU's ring buffer pages in the file.
struct CpuPages {
    std::int32_t cpu = -1;
    std::uint64_t offset = 0; ///< Offset in bytes from the start of the file.
    std::uint64_t size = 0; ///< Size in bytes in the file; the compressed size if Buffer::isCompressed.
};

/// Ring buffer of one trace instance.
struct Buffer {
    std::string name; ///< Name of the instance; empty for the top instance.
    std::string clock; ///< Trace clock of the instance, for example "mono"; empty if not recorded.
    std::uint32_t pageSize = 0; ///< Size of a ring buffer page in bytes.
    bool isCompressed = false; ///< True if each CPU's pages are stored as compressed chunks.
    std::vector<CpuPages> cpus;
};

/// Conversion of time stamps from cycles of the x86 TSC to ns: (cycles * multiplier) >> shift. The file also contains an offset. It is not
/// added, because trace-cmd does not add it either.
struct TscConversion {
    std::uint32_t multiplier = 0;
    std::uint32_t shift = 0;
};

struct Description {
    int version = 0; ///< Version of the file format, 6 or 7.
    std::string compression; ///< Compression algorithm of version 7: "none", "zstd" or "zlib".
    tracepoint::TracingData tracing;
    std::vector<Buffer> buffers; ///< The top instance's buffer first, if it exists.
    std::uint32_t cpuCount = 0; ///< Number of CPUs of the machine; 0 if not recorded.
    std::string hostname; ///< From uname; empty if not recorded.
    std::vector<std::pair<std::string, std::string>> facts; ///< Environment: kernel_release, machine, tracer_version, trace_clock.
    std::int64_t timeOffset = 0; ///< Offset in ns that the user of trace-cmd asked to add to all times (--date, --ts-offset).
    bool hasDate = false; ///< True if the offset leads to the wall clock (--date).
    std::optional<TscConversion> tsc;
    std::optional<HostClock> hostClock; ///< Conversion of a guest's times to its host's clock; nullopt unless a guest recorded.
    RecordingSession session; ///< Relation to the recordings that trace-cmd made together with this one.
    std::uint64_t overrun = 0; ///< Events that the kernel overwrote or dropped, summed over all CPUs.
    std::vector<Diagnostic> diagnostics;
};

/// True if the bytes begin like a trace.dat file. Twelve bytes are enough.
bool isTraceDat(std::span<const std::byte> bytes);

/// Reads the description of a complete file.
/// Errors: Unsupported for another version, Corrupt if no buffer can be found.
Result<Description> readDescription(std::span<const std::byte> bytes);

} // namespace helio::tracedat
