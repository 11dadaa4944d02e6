#pragma once

#include "core/trace/trace.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// A sample, as printed by perf script or as returned by Heliograph's reader.
struct PrintedSample {
    std::string comm;
    std::string event;
    std::int64_t time = 0; ///< Time in ns; truncated to the precision of a text in µs.
    std::uint64_t period = 0; ///< Sampling period; 0 if it was not printed.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    /// Call chain as offsets in the mapped files, innermost first, without context markers; only the ip if no call chain was recorded.
    std::vector<std::uint64_t> ips;
    /// Names and texts of the payload's fields; empty in samples that readPerfScript() returns.
    std::vector<std::pair<std::string, std::string>> fields;
};

/// Parses the output of `perf script` with any selection of fields. A line that cannot be parsed fails the test.
std::vector<PrintedSample> readPerfScript(const QString& path);
std::vector<PrintedSample> parsePerfScript(const QByteArray& text);

/// Reads all samples of a trace, in the order of its events.
std::vector<PrintedSample> readSamples(const Trace& trace);

/// Opens a perf.data file; returns nullptr on failure, with the reason in `error`.
std::shared_ptr<const Trace> openPerfData(const std::filesystem::path& path, std::string* error = nullptr);

} // namespace helio
