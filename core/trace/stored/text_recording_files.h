#pragma once

#include "core/io/text_source.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

// The readers of text formats share these functions: each finds its text, loads it, and describes its trace.

namespace helio {

/// Returns the file `path` as a trace source (Recognition::Structure) if `isRecording` accepts its text; else nothing. If `path` is a
/// folder, its files are not searched: beginTraces() does that, because a text beside a recording may be a printout of this recording.
std::vector<TraceSource> findText(const std::filesystem::path& path, bool (*isRecording)(const TextSource& text));

/// Opens and loads the text of a trace.
/// Errors: those of TextSource::open() and TextSource::load(), with the path of the trace.
Result<std::unique_ptr<TextSource>> loadText(const TraceSource& source, const std::stop_token& stop);

/// Returns path, name, format, size and identity of a loaded text's trace. `readerVersion` changes when the same text gives other events.
TraceInfo makeTextInfo(const TraceSource& source, const TextSource& text, std::string format, std::uint64_t readerVersion);

} // namespace helio
