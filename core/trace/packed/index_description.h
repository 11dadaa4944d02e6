#pragma once

#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace helio {

/// Description of a trace without its events: all that is needed to show the trace from its stores.
struct IndexDescription {
    TraceInfo info; ///< TraceInfo::identity is that of the recording, so that its stores are found.
    std::vector<EventType> types; ///< Event types in the order of their ids, without layouts.
    std::vector<StreamInfo> streams;
    std::vector<Diagnostic> diagnostics;
    std::vector<Module> modules;
    std::vector<ProcessRecord> processRecords;
    std::optional<CpuTopology> topology;
    std::vector<SampleEvent> samples; ///< Event types whose events are samples, in ascending order of SampleEvent::type.
    std::string machine; ///< See SampleReader::machine().
    std::vector<RecordedFrame> stacks; ///< See SampleReader::stacks().
};

/// First bytes of a file with a description.
constexpr std::string_view IndexMagic = "HELIOIDX";
/// Version of the description, which follows the first bytes; raise it when a structure in it changes (also in core/trace/trace_parts.h).
constexpr std::uint32_t IndexVersion = 1;

/// Returns the description of `trace` as the bytes of a file.
std::vector<std::byte> describeIndex(const Trace& trace);

/// Reads the bytes of describeIndex(). They are not trusted: all numbers that refer to something else are checked.
/// Errors: Unsupported if another version of Heliograph wrote the description; Corrupt.
Result<IndexDescription> readIndexDescription(std::span<const std::byte> bytes);

} // namespace helio
