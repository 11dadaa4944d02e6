// Reader for the text output of strace, ltrace and `perf trace`. The files may be compressed. The files that strace -ff writes, one for
// each thread, are read as one trace. Summary tables (-c) contain no calls and are rejected.

#include "core/formats/call_log/call_log_reader.h"
#include "core/io/fingerprint.h"
#include "core/io/text_source.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <system_error>

namespace helio::calllog {
namespace {

namespace fs = std::filesystem;

/// Version of the reader; increment it when the same text gives other events, so that stores are rebuilt.
constexpr std::uint64_t ReaderVersion = 5;
constexpr std::size_t MostFiles = 10'000;

/// Returns the thread of a file of strace -ff, whose name ends with ".TID"; nullopt for other names.
std::optional<std::int32_t> tidInName(const fs::path& file)
{
    const std::string ending = file.extension().string();
    std::int32_t tid = 0;
    if (ending.size() < 2)
        return {};
    const auto read = std::from_chars(ending.data() + 1, ending.data() + ending.size(), tid);
    return read.ec == std::errc() && read.ptr == ending.data() + ending.size() && tid > 0 ? std::optional(tid) : std::nullopt;
}

Tool toolOf(const fs::path& file)
{
    const auto text = TextSource::open(file);
    return text ? findTool((*text)->head(), (*text)->isHeadWhole()) : Tool::None;
}

/// Returns the files in a folder that strace -ff wrote, keyed by their name without ".TID" and sorted by TID. If `stem` is not empty, only
/// the files with this name.
std::map<std::string, std::vector<fs::path>> logFilesIn(const fs::path& folder, const std::string& stem = {})
{
    std::map<std::string, std::vector<fs::path>> logs;
    std::error_code error;
    std::size_t files = 0;
    for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end && files < MostFiles;
         it.increment(error)) {
        const fs::path name = it->path().filename();
        if (!tidInName(name) || (!stem.empty() && name.stem() != stem))
            continue;
        ++files;
        std::error_code ignored;
        if (it->is_regular_file(ignored) && toolOf(it->path()) == Tool::Strace)
            logs[name.stem().string()].push_back(folder / name);
    }
    for (auto& [name, parts] : logs)
        std::ranges::sort(parts, {}, [](const fs::path& path) { return tidInName(path).value_or(0); });
    return logs;
}

/// Returns the files that strace -ff wrote together with `file`, sorted; only `file` if it is of another kind.
std::vector<fs::path> filesWith(const fs::path& file)
{
    const std::string stem = file.stem().string();
    if (!tidInName(file))
        return {file};
    std::vector<fs::path> files = logFilesIn(file.parent_path(), stem)[stem];
    return files.empty() ? std::vector{file} : files;
}

/// Returns the logs in a folder that strace -ff wrote. Files that have the same name before their suffix ".TID" belong to one log.
std::vector<TraceSource> logsIn(const fs::path& folder)
{
    std::vector<TraceSource> logs;
    for (auto& [stem, parts] : logFilesIn(folder))
        logs.push_back({parts.front(), std::move(parts)});
    return logs;
}

/// Returns the log in the file `path`, or all logs of strace -ff in the folder `path`. Other logs in a folder are not returned here,
/// because a user usually wants to open such a file alone.
std::vector<TraceSource> findLog(const fs::path& path)
{
    std::error_code error;
    if (fs::is_directory(path, error))
        return logsIn(path);
    if (!fs::is_regular_file(path, error) || toolOf(path) == Tool::None)
        return {};
    std::vector<fs::path> files = filesWith(path);
    const fs::path first = files.front(); // The trace has the same path whichever of its files is opened.
    return {{first, std::move(files), Recognition::Structure}};
}

std::string describeClock(TimeKind kind)
{
    switch (kind) {
    case TimeKind::Epoch: return "wall clock of the traced machine";
    case TimeKind::TimeOfDay: return "local time of day, without the date; strace -ttt prints the date, too";
    case TimeKind::SinceStart: return "time since the start of the recording";
    default: return "sum of the printed differences, from the first line";
    }
}

TraceInfo makeInfo(const TraceSource& source, Tool tool, TimeKind kind)
{
    TraceInfo info;
    info.path = source.path;
    info.name = source.path.filename().string();
    info.format = tool == Tool::Strace ? "strace" : tool == Tool::Ltrace ? "ltrace" : "perf trace";
    info.reader = "heliograph";
    info.recognition = source.recognition;
    info.environment.emplace_back("tracer_name", info.format);
    info.clock.name = kind == TimeKind::Epoch ? "realtime" : kind == TimeKind::TimeOfDay ? "time of day" : "printed";
    info.clock.isAbsolute = kind == TimeKind::Epoch;
    info.clock.description = describeClock(kind);
    return info;
}

Result<std::unique_ptr<TraceOpening>> beginLog(const TraceSource& source, const std::stop_token& stop)
{
    std::vector<std::unique_ptr<TextSource>> files;
    std::vector<LogText> texts;
    Tool tool = Tool::None;
    bool isTimed = false;
    for (const fs::path& path : source.parts) {
        auto file = TextSource::open(path);
        if (!file)
            return file.error();
        if (tool == Tool::None)
            tool = findTool((*file)->head(), (*file)->isHeadWhole());
        isTimed = isTimed || hasTimes((*file)->head(), tool);
        if (auto loaded = (*file)->load(stop); !loaded)
            return Error{loaded.error().kind, path.string() + ": " + loaded.error().what};
        texts.push_back({(*file)->text(), tidInName(path).value_or(-1), path.string()});
        files.push_back(std::move(*file));
    }
    if (isSummary(files.front()->head()))
        return Error{Error::Kind::Unsupported,
                     source.path.string()
                         + (tool == Tool::PerfTrace
                                ? ": a summary of calls (-s), which has no times of calls; record them with perf trace without -s"
                                : ": a summary of calls (-c), which has no times of calls; record them with strace -f -ttt -T, or ltrace "
                                  "-f -ttt -T")};
    if (!isTimed)
        return Error{Error::Kind::Unsupported,
                     source.path.string() + ": the calls have no times; record them with strace -f -ttt -T, or ltrace -f -ttt -T"};
    auto log = readCallLog(texts, tool, stop);
    if (!log)
        return Error{log.error().kind, source.path.string() + ": " + log.error().what};
    TraceInfo info = makeInfo(source, tool, log->timeKind);
    Fingerprint print;
    for (const LogText& text : texts)
        print.add(static_cast<std::uint64_t>(text.tid)); // The names of files tell the threads of their lines.
    for (const auto& file : files) {
        info.bytes += file->fileSize();
        print.add(std::string_view(file->identity(ReaderVersion)));
        if (auto damage = file->damage())
            log->recording->events.diagnostics().push_back(std::move(*damage));
    }
    info.identity = print.text();
    return makeFinishedOpening(std::make_shared<StoredTrace>(std::move(info), std::move(log->recording)));
}

} // namespace
} // namespace helio::calllog

namespace helio {

extern const TraceFormat callLogFormat{"call log", calllog::findLog,
                                       [](const TraceSource& source, std::stop_token stop) { return calllog::beginLog(source, stop); }};

} // namespace helio
