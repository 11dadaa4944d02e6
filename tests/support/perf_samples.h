#pragma once

#include "core/trace/trace.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// A sample as perf script prints it, and as our reader reports it.
struct PrintedSample {
    std::string comm;
    std::string event;
    std::int64_t time = 0; ///< ns; of a text in µs, cut to that.
    std::uint64_t period = 0; ///< 0: not printed.
    std::int32_t pid = -1;
    std::int32_t tid = -1;
    std::int32_t cpu = -1;
    std::vector<std::uint64_t> ips; ///< As offsets in what is mapped there, without markers; the ip alone where no chain was recorded.
    std::vector<std::pair<std::string, std::string>> fields; ///< Ours only: of the payload, as text.
};

/// The samples of a text by `perf script`, whatever fields it prints; lines it cannot make out fail the test.
std::vector<PrintedSample> readPerfScript(const QString& path);
std::vector<PrintedSample> parsePerfScript(const QByteArray& text);

/// All samples of a trace, in its order.
std::vector<PrintedSample> readSamples(const Trace& trace);

/// Null where it cannot be opened; `error` then says why.
std::shared_ptr<const Trace> openPerfData(const std::filesystem::path& path, std::string* error = nullptr);

} // namespace helio
