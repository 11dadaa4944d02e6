// Reader for the Trace Event Format: traces in JSON of Chrome, and of the many programs that write the same format. Texts may be
// compressed.

#include "core/formats/chrome_json/chrome_json_reader.h"
#include "core/formats/chrome_json/object_splitter.h"
#include "core/trace/stored/text_recording_files.h"
#include "core/trace/stored/track_events.h"

#include <algorithm>

namespace helio::chromejson {
namespace {

/// Version of the reader; increment it when the same text gives other events, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 4;

/// True if the events may begin behind `head`: behind other members of the trace's object, or with an event that is longer than the head.
bool mayBeginBehind(std::string_view head)
{
    constexpr std::string_view Blanks = " \t\r\n";
    const std::size_t first = std::min(head.find_first_not_of(Blanks), head.size());
    head.remove_prefix(first);
    if (!head.starts_with('['))
        return head.starts_with('{');
    const std::size_t second = head.find_first_not_of(Blanks, 1);
    std::string_view event;
    return second != std::string_view::npos && head[second] == '{' && !ObjectSplitter(head).next(event);
}

bool isTrace(const TextSource& text)
{
    return isChromeJson(!text.isHeadWhole() && mayBeginBehind(text.head()) ? text.plainText() : text.head());
}

TraceInfo makeInfo(const TraceSource& source, const TextSource& text, const ChromeTrace& read)
{
    TraceInfo info = makeTextInfo(source, text, "Chrome JSON", ReaderVersion);
    info.clock.name = "ts";
    info.clock.description = "as written; the format does not say which clock it is";
    for (const auto& [name, value] : read.facts)
        // The prefix "json." avoids names that have a meaning for other code, e.g. "domain".
        info.environment.emplace_back("json." + name, value);
    return info;
}

Result<std::unique_ptr<TraceOpening>> beginJson(const TraceSource& source, const std::stop_token& stop)
{
    return openStoredText(source, stop, readChromeJson, makeInfo);
}

} // namespace
} // namespace helio::chromejson

namespace helio {

extern const TraceFormat chromeJsonFormat{
    "Chrome JSON", [](const std::filesystem::path& path) { return findText(path, chromejson::isTrace); },
    [](const TraceSource& source, std::stop_token stop) { return chromejson::beginJson(source, stop); }};

} // namespace helio
