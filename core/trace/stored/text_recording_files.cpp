#include "core/trace/stored/text_recording_files.h"

#include <system_error>

namespace helio {

std::vector<TraceSource> findText(const std::filesystem::path& path, bool (*isRecording)(const TextSource& text))
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return {};
    const auto text = TextSource::open(path);
    if (!text || !isRecording(**text))
        return {};
    return {{path, {path}, Recognition::Structure}};
}

Result<std::unique_ptr<TextSource>> loadText(const TraceSource& source, const std::stop_token& stop)
{
    auto text = TextSource::open(source.parts.front());
    if (!text)
        return text.error();
    if (auto loaded = (*text)->load(stop); !loaded)
        return Error{loaded.error().kind, source.path.string() + ": " + loaded.error().what};
    return text;
}

TraceInfo makeTextInfo(const TraceSource& source, const TextSource& text, std::string format, std::uint64_t readerVersion)
{
    TraceInfo info;
    info.path = source.path;
    info.name = source.path.filename().string();
    info.format = std::move(format);
    info.reader = "heliograph";
    info.recognition = source.recognition;
    info.bytes = text.fileSize();
    info.identity = text.identity(readerVersion);
    return info;
}

} // namespace helio
