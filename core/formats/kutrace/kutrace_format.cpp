// Reader for the timeline files of KUtrace: JSON that KUtrace's tools eventtospan3 and spantotrim write, or the HTML page with this JSON
// that its tool makeself writes. The files may be compressed.

#include "core/formats/kutrace/kutrace_reader.h"
#include "core/trace/stored/text_recording_files.h"

#include <charconv>

namespace helio::kutrace {
namespace {

/// Version of the reader. Increment it when the reader makes other events from the same file, so that existing stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 2;

bool isRecording(const TextSource& text)
{
    // The JSON of an HTML page comes after long scripts, so that the head of the file does not contain it.
    const bool isPage = text.head().starts_with("<!DOCTYPE") || text.head().starts_with("<html");
    return isTimeline(isPage ? text.plainText() : text.head());
}

EnvironmentValue valueOf(const std::string& text)
{
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size())
        return number;
    return text;
}

TraceInfo makeInfo(const TraceSource& source, const TextSource& text, const TimelineFile& read)
{
    TraceInfo info = makeTextInfo(source, text, "KUtrace JSON", ReaderVersion);
    info.environment.emplace_back("domain", "kernel");
    info.environment.emplace_back("tracer_name", "kutrace");
    std::string base;
    for (const auto& [name, value] : read.header) {
        if (name == "hostName")
            info.hostname = value;
        else if (name == "tracebase")
            base = value;
        info.environment.emplace_back(name, valueOf(value));
    }
    info.clock.name = "kutrace";
    info.clock.description = base.empty() ? "since the start of an unknown minute"
                                          : "since " + base + " in the local time of the traced machine, whose time zone is unknown";
    return info;
}

Result<std::unique_ptr<TraceOpening>> beginText(const TraceSource& source, const std::stop_token& stop)
{
    return openStoredText(source, stop, readTimeline, makeInfo);
}

} // namespace
} // namespace helio::kutrace

namespace helio {

extern const TraceFormat kutraceFormat{"KUtrace JSON",
                                       [](const std::filesystem::path& path) { return findText(path, kutrace::isRecording); },
                                       [](const TraceSource& source, std::stop_token stop) { return kutrace::beginText(source, stop); }};

} // namespace helio
