#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/formats/perf_data/attribute.h"
#include "core/formats/perf_data/tracing_data.h"
#include "core/trace/cpu_topology.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace helio::perf {

/// The build-id of a file or kernel, recorded beside the mappings.
struct BuildId {
    std::string path;
    std::string id; ///< Hex digits.
    std::uint16_t cpuMode = 0;
};

/// What moment of the wall clock a moment of the recording's clock was.
struct ClockPair {
    std::int32_t clockId = 0;
    std::uint64_t wallClock = 0; ///< ns since the epoch.
    std::uint64_t clock = 0; ///< ns.
};

/// A place in the file.
struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// What a recording says of itself: the file's header and features, or in pipe mode the records that stand for them.
struct Description {
    ByteOrder order = ByteOrder::Little;
    bool isPipe = false;
    bool isDirectory = false; ///< Events lie in further files beside this one.
    bool isUnfinished = false; ///< The recorder did not live to write the data's size.
    Extent data; ///< The records.
    std::vector<Attribute> attributes;
    TracingData tracing;
    std::vector<BuildId> buildIds;
    std::vector<std::pair<std::string, std::string>> facts; ///< Of the environment: "hostname", "kernel_release", "machine", "command"...
    std::optional<ClockPair> clock;
    CpuTopology topology;
    std::uint32_t onlineCpus = 0; ///< 0: not recorded.
    std::uint32_t keptBranches = 32; ///< How many the processor keeps; where that is not recorded, as many as present ones keep.
    std::vector<Diagnostic> diagnostics;

    std::string fact(std::string_view key) const;

    /// Names attributes without a recorded name after their tracepoint or number, with modifiers if several would have one name; and sets
    /// labels that distinguish events of one name. Requires: all of the description was read.
    void nameAttributes();
};

/// Reads the header, the attributes and the features. Errors: Corrupt, Unsupported; the texts name offset and cause.
Result<Description> readDescription(std::span<const std::byte> file);

/// Whether a file that begins so is ours.
bool isPerfData(std::span<const std::byte> head);

/// Takes in one feature's bytes.
void readFeature(Description& description, Feature feature, std::span<const std::byte> bytes);

/// Build-ids: records of their own within the feature, and HEADER_BUILD_ID in pipe mode, of which this is the body.
void readBuildId(Description& description, std::uint16_t misc, std::span<const std::byte> body);

/// Lower-case hex digits.
std::string hexText(std::span<const std::byte> bytes);

} // namespace helio::perf
