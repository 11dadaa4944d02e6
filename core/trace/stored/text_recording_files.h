#pragma once

#include "core/io/text_source.h"
#include "core/trace/stored/stored_trace.h"
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

/// Opens a text whose events the reader of its format stores.
/// `read(text, file, stop)`: the reader; returns a Result of a structure with the member `recording`, a std::unique_ptr<StoredRecording>,
/// and, in formats that can contain other recordings, the member `embedded`, a std::vector<EmbeddedText>.
/// `makeInfo(source, text, result)`: returns the facts about the trace; `result` is that structure.
/// Errors: those of loadText() and of the reader, with the path of the trace.
template <typename Read, typename MakeInfo>
Result<std::unique_ptr<TraceOpening>> openStoredText(const TraceSource& source, const std::stop_token& stop, const Read& read,
                                                     const MakeInfo& makeInfo)
{
    auto text = loadText(source, stop);
    if (!text)
        return text.error();
    auto result = read((*text)->text(), source.path.string(), stop);
    if (!result)
        return Error{result.error().kind, source.path.string() + ": " + result.error().what};
    if (auto damage = (*text)->damage())
        result->recording->events.diagnostics().push_back(std::move(*damage));
    TraceInfo info = makeInfo(source, **text, *result);
    std::vector<EmbeddedText> embedded;
    if constexpr (requires { result->embedded; })
        embedded = std::move(result->embedded);
    return makeFinishedOpening(std::make_shared<StoredTrace>(std::move(info), std::move(result->recording)), std::move(embedded));
}

} // namespace helio
