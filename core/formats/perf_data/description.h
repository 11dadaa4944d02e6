#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/formats/perf_data/attribute.h"
#include "core/trace/cpu_topology.h"
#include "core/trace/tracepoint/tracing_data.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace helio::perf {

/// Build-id of a file or kernel that was recorded in addition to the mappings.
struct BuildId {
    std::string path;
    std::string id; ///< Build-id as lower-case hexadecimal digits.
    std::uint16_t cpuMode = 0;
};

/// Values of the recording's clock and of the wall clock at the same time.
struct ClockPair {
    std::int32_t clockId = 0;
    std::uint64_t wallClock = 0; ///< Wall clock in ns since the Unix epoch.
    std::uint64_t clock = 0; ///< Time of the recording's clock in ns, read at the same moment as `wallClock`.
};

struct FileRange {
    std::uint64_t offset = 0; ///< Offset in bytes from the start of the file.
    std::uint64_t size = 0; ///< Size in bytes.
};

/// Description of a recording, from the file's header and features: what perf was to record, and on which machine. In pipe mode, the
/// description comes from records that replace the header and features.
struct RecordingDescription {
    ByteOrder order = ByteOrder::Little;
    bool isPipe = false;
    bool isDirectory = false; ///< True if the records are in other files of the same folder.
    bool isUnfinished = false; ///< True if the recorder ended before it wrote the size of the data.
    FileRange data; ///< Range of the records.
    std::vector<Attribute> attributes;
    tracepoint::TracingData tracing;
    std::vector<BuildId> buildIds;
    /// Environment of the recording: pairs of a name, for example "hostname" or "kernel_release", and its value.
    std::vector<std::pair<std::string, std::string>> facts;
    std::optional<ClockPair> clock;
    CpuTopology topology;
    std::uint32_t onlineCpus = 0; ///< Number of CPUs that were online; 0 if not recorded.
    std::uint32_t branchStackDepth = 32; ///< Depth of the processor's branch stack; the typical depth 32 if not recorded.
    std::vector<Diagnostic> diagnostics;

    /// Returns the value of an entry of `facts`; empty if it is not recorded.
    std::string fact(std::string_view key) const;

    /// Sets names and labels of `attributes`. An attribute without a recorded name is named after its tracepoint or number, with modifiers
    /// if several would have the same name. Labels distinguish events with the same name. Requires: the description was read completely.
    void nameAttributes();
};

/// Reads the header, the attributes and the features.
/// Errors: Corrupt or Unsupported; the messages contain the offset and the cause.
Result<RecordingDescription> readDescription(std::span<const std::byte> file);

/// True if a file that begins with these bytes is a perf.data file.
bool isPerfData(std::span<const std::byte> head);

/// Adds the content of a feature section to the description.
void readFeature(RecordingDescription& description, Feature feature, std::span<const std::byte> bytes);

/// Adds a build-id to the description. `body` is the body of a record in the feature BuildId or, in pipe mode, of a HEADER_BUILD_ID record.
void readBuildId(RecordingDescription& description, std::uint16_t misc, std::span<const std::byte> body);

/// Returns the bytes as lower-case hexadecimal digits.
std::string hexText(std::span<const std::byte> bytes);

} // namespace helio::perf
