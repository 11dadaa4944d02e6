// Reader for the text of ftrace: the files `trace` and `trace_pipe` of tracefs, the pages and texts of systrace and atrace, and the output
// of `trace-cmd report`. Texts may be compressed.
//
// The function graph and latency tracers print other lines, which are counted and not read.

#include "core/formats/ftrace_text/ftrace_text_reader.h"
#include "core/io/text_source.h"

#include <system_error>

namespace helio::ftracetext {
namespace {

/// Version of the reader; increment it when the same text gives other events, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 1;

/// Returns `path` if it is a text of ftrace. Folders are not searched, because a text beside a recording is usually the printed recording.
std::vector<TraceSource> findText(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    const auto text = TextSource::open(path);
    if (!text)
        return {};
    // The script of a page of systrace stands before its data.
    const bool isPage = (*text)->head().starts_with("<!DOCTYPE") || (*text)->head().starts_with("<html");
    if (isPage ? !isFtraceText((*text)->plainText(), true) : !isFtraceText((*text)->head(), (*text)->isHeadWhole()))
        return {};
    return {{path, {path}}};
}

TraceInfo makeInfo(const TraceSource& source, const TextSource& text, const FtraceText& read)
{
    TraceInfo info;
    info.path = source.path;
    info.name = source.path.filename().string();
    info.format = "ftrace text";
    info.reader = "heliograph";
    info.environment.emplace_back("domain", "kernel");
    info.bytes = text.fileSize();
    info.identity = text.identity(ReaderVersion);
    info.clock.name = "ftrace";
    info.clock.offset = read.wallClock.value_or(0);
    info.clock.isAbsolute = read.wallClock.has_value();
    info.clock.description = read.wallClock ? "anchored to the wall clock within 1 ms, by trace_event_clock_sync"
        : read.measuresTime                 ? "as printed; the text does not say which trace clock it is"
                                            : "as printed: counts or cycles, shown as ns";
    return info;
}

Result<std::unique_ptr<TraceOpening>> beginText(const TraceSource& source, const std::stop_token& stop)
{
    auto text = TextSource::open(source.parts.front());
    if (!text)
        return text.error();
    const auto failed = [&](const Error& error) { return Error{error.kind, source.path.string() + ": " + error.what}; };
    if (auto loaded = (*text)->load(stop); !loaded)
        return failed(loaded.error());
    auto read = readFtraceText((*text)->text(), source.path.string(), stop);
    if (!read)
        return failed(read.error());
    if (auto damage = (*text)->damage())
        read->recording->events.diagnostics().push_back(std::move(*damage));
    TraceInfo info = makeInfo(source, **text, *read);
    return makeFinishedOpening(std::make_shared<StoredTrace>(std::move(info), std::move(read->recording), ContextSize));
}

} // namespace
} // namespace helio::ftracetext

namespace helio {

extern const TraceFormat ftraceTextFormat{"ftrace text", ftracetext::findText, [](const TraceSource& source, std::stop_token stop) {
                                              return ftracetext::beginText(source, stop);
                                          }};

} // namespace helio
