#pragma once

#include "core/trace/trace.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// A sample, as perf script prints it or as Heliograph's reader reports it.
struct PrintedSample {
    std::string comm;
    std::string event;
    std::int64_t time = 0; ///< In ns; truncated to the precision of a text in µs.
    std::uint64_t period = 0; ///< 0: not printed.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::vector<std::uint64_t> ips; ///< Offsets in the mapped files, without context markers; the ip alone if no call chain was recorded.
    std::vector<std::pair<std::string, std::string>> fields; ///< The payload's fields as text; set by readSamples() only.
};

/// Parses the output of `perf script`, whatever fields it prints; a line that cannot be parsed fails the test.
std::vector<PrintedSample> readPerfScript(const QString& path);
std::vector<PrintedSample> parsePerfScript(const QByteArray& text);

/// All samples of a trace, in its order.
std::vector<PrintedSample> readSamples(const Trace& trace);

/// Returns nullptr if the file cannot be opened; `error` then says why.
std::shared_ptr<const Trace> openPerfData(const std::filesystem::path& path, std::string* error = nullptr);

} // namespace helio
