// Reader for the text of ftrace: the files `trace` and `trace_pipe` of tracefs, the pages and texts of systrace and atrace, and the output
// of `trace-cmd report`. Texts may be compressed.
//
// Lines of the function graph tracer are read only if they contain a time (ftrace option funcgraph-abstime). Texts of ftrace's latency
// tracers have times since the start of the latency.

#include "core/formats/ftrace_text/ftrace_text_reader.h"
#include "core/trace/stored/text_recording_files.h"

namespace helio::ftracetext {
namespace {

/// Version of the reader; increment it when the same text gives other events, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 6;

bool isTrace(const TextSource& text)
{
    // The script of a page of systrace stands before its data.
    const bool isPage = text.head().starts_with("<!DOCTYPE") || text.head().starts_with("<html");
    return isPage ? isFtraceText(text.plainText(), true) : isFtraceText(text.head(), text.isHeadWhole());
}

TraceInfo makeInfo(const TraceSource& source, const TextSource& text, const FtraceText& read)
{
    TraceInfo info = makeTextInfo(source, text, "ftrace text", ReaderVersion);
    info.environment.emplace_back("domain", "kernel");
    for (const auto& [key, value] : read.facts)
        info.environment.emplace_back(key, value);
    info.clock.name = read.monotonic ? "mono" : "ftrace";
    info.clock.offset = read.wallClock ? *read.wallClock - read.monotonic.value_or(0) : 0;
    info.clock.isAbsolute = read.wallClock.has_value();
    info.clock.description = read.wallClock ? "anchored to the wall clock within 1 ms, by trace_event_clock_sync"
        : read.monotonic                    ? "CLOCK_MONOTONIC, by trace_event_clock_sync"
        : read.isRelative                   ? "since the start of the latency that the tracer measured, in us"
        : read.measuresTime                 ? "as printed; the text does not say which trace clock it is"
                                            : "as printed: counts or cycles, shown as ns";
    return info;
}

Result<std::unique_ptr<TraceOpening>> beginText(const TraceSource& source, const std::stop_token& stop)
{
    return openStoredText(source, stop, readFtraceText, makeInfo);
}

} // namespace
} // namespace helio::ftracetext

namespace helio {

extern const TraceFormat ftraceTextFormat{
    "ftrace text", [](const std::filesystem::path& path) { return findText(path, ftracetext::isTrace); },
    [](const TraceSource& source, std::stop_token stop) { return ftracetext::beginText(source, stop); }, "trace.dat"};

} // namespace helio
