#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/output/output.h"
#include "app/cli/output/picture.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/output/redirection.h"
#include "app/cli/report/report.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/base/shell_words.h"
#include "core/query/filters/time_text.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace helio {
namespace {

/// Options that select a part of the recording. Keeps their texts, which the commands of the report's parts get.
class SelectionWords {
public:
    SelectionOptions options; ///< Valid after read().

    void addTo(OptionList& list)
    {
        OptionList selected = list.group("Selection");
        selected.value("--begin", m_begin, "T", "Start: ns since the epoch, HH:MM:SS.nnnnnnnnn, or +1.5s after the start");
        selected.value("--end", m_end, "T", "End, exclusive; same forms as --begin");
        selected.value("--row", options.row, "PATTERN", "Only rows whose ID or label matches, for example tid:12* or worker-?");
        selected.value("--process", options.process, "NAME", "Only threads of processes that ever had this name");
        selected.value("--thread", options.thread, "TID", "Only the thread with this TID");
        selected.value("--cpu", options.cpu, "N", "Only this CPU");
        selected.value("--host", options.host, "NAME", "Only this host");
    }
    Status read()
    {
        return runInOrder([&] { return readTimeOption("--begin", m_begin, options.begin); },
                          [&] { return readTimeOption("--end", m_end, options.end); });
    }

    /// Returns the given options as words of a command line: each with its value.
    std::vector<std::vector<std::string>> words() const
    {
        std::vector<std::vector<std::string>> all;
        const auto numberText = [](const std::optional<std::int64_t>& it) { return it ? std::to_string(*it) : std::string(); };
        for (const auto& [option, value] :
             std::initializer_list<std::pair<const char*, std::string>>{{"--begin", m_begin},
                                                                        {"--end", m_end},
                                                                        {"--row", options.row},
                                                                        {"--process", options.process},
                                                                        {"--thread", numberText(options.thread)},
                                                                        {"--cpu", numberText(options.cpu)},
                                                                        {"--host", options.host}})
            if (!value.empty())
                all.push_back({option, value});
        return all;
    }

private:
    std::string m_begin, m_end;
};

struct ReportOptions {
    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    SelectionWords selection;
    std::filesystem::path output;
    std::string title;
    ReportTheme theme = ReportTheme::Auto;
    std::vector<ReportSection> sections; ///< Sections of --section; empty for all sections that the recording has data for.

    /// A bookmark as given: its times may be relative to the first event.
    struct BookmarkText {
        TimeText begin;
        std::optional<TimeText> end;
        std::string note;
    };
    std::vector<BookmarkText> bookmarks;

    void addTo(OptionList& options)
    {
        addTraces(options, traces);
        options.value("-o,--output", output, "FILE", "Output file: .html");
        options.value("--title", title, "TEXT", "Title of the report (default: the names of the traces)");
        options.value("--theme", m_given.theme, "NAME", "Theme: auto, light or dark (default: auto, as the reader's desktop)");
        options.repeated("--section", m_given.sections, "COMMAND", "Only these: 'COMMAND' or 'TITLE: COMMAND', without traces");
        options.repeated("--bookmark", m_given.bookmarks, "TEXT", "Add a bookmark: 'TIME NOTE' or 'BEGIN..END NOTE'");
        reading.addTo(options);
        selection.addTo(options);
    }
    std::string missing() const { return traces.empty() ? missingTrace(traces) : output.empty() ? "-o FILE is missing" : ""; }
    Status read()
    {
        return runInOrder([&] { return reading.read(); }, [&] { return selection.read(); }, [&] { return readTheme(); },
                          [&] { return readSections(); }, [&] { return readBookmarks(); });
    }

private:
    Status readTheme()
    {
        const auto read = readChoice<ReportTheme>(
            "--theme", m_given.theme, {{"auto", ReportTheme::Auto}, {"light", ReportTheme::Light}, {"dark", ReportTheme::Dark}});
        if (!read)
            return read.error();
        theme = *read;
        return Done{};
    }

    Status readSections()
    {
        for (const std::string& line : m_given.sections) {
            // A title ends where a command begins, because the title may contain colons, too.
            std::string title = line;
            auto words = splitShellLine(line);
            for (auto colon = line.find(": "); colon != std::string::npos && !isCommand(words); colon = line.find(": ", colon + 1)) {
                title = line.substr(0, colon);
                words = splitShellLine(std::string_view(line).substr(colon + 2));
            }
            if (!words)
                return makeUsageError("--section", words.error().what);
            if (!isCommand(words))
                return makeUsageError("--section", "\"" + line + "\" has no command that prints a table or picture of a recording");
            ReportPart part{{}, std::move(*words)};
            part.isRequired = true;
            if (sections.empty() || sections.back().title != title)
                sections.push_back({title, {}});
            sections.back().parts.push_back(std::move(part));
        }
        return Done{};
    }

    static bool isCommand(const Result<std::vector<std::string>>& words)
    {
        return words && !words->empty() && isReportCommand(words->front());
    }

    Status readBookmarks()
    {
        for (const std::string& given : m_given.bookmarks) {
            const std::string times = given.substr(0, given.find(' '));
            const auto dots = times.find("..");
            const auto begin = parseTime(times.substr(0, dots));
            if (!begin)
                return makeUsageError("--bookmark", begin.error().what);
            BookmarkText bookmark{*begin, {}, given.find(' ') == std::string::npos ? std::string() : given.substr(given.find(' ') + 1)};
            if (dots != std::string::npos) {
                const auto end = parseTime(times.substr(dots + 2));
                if (!end)
                    return makeUsageError("--bookmark", end.error().what);
                bookmark.end = *end;
            }
            bookmarks.push_back(std::move(bookmark));
        }
        return Done{};
    }

    struct {
        std::string theme = "auto";
        std::vector<std::string> sections, bookmarks;
    } m_given;
};

int run(const ReportOptions& options)
{
    OpeningOptions opening;
    for (const ReportSection& section : options.sections) // A section may name a view whose analysis runs only on request.
        for (const ReportPart& part : section.parts)
            opening.wanted.insert(opening.wanted.end(), part.words.begin(), part.words.end());
    auto opened = openExperiment(options.traces, options.reading, options.selection.options, opening);
    if (!opened)
        return failWith(opened.error());
    const auto plain = opened->timeline; // Commands add the rows of correlators that they need.
    if (const Status done = addCorrelatedRows(*opened); !done)
        return failWith(done.error());
    const OffscreenApplication app;
    ReportRequest request;
    request.timeline = opened->timeline;
    request.opened = plain;
    request.traces = options.traces;
    request.isSynchronized = options.reading.experiment.synchronize;
    for (const GivenOption& option : givenReadingOptions()) {
        request.reading.push_back(option.name);
        if (option.value)
            request.reading.push_back(*option.value);
    }
    request.title = options.title;
    request.range = opened->window;
    request.selection = options.selection.words();
    request.theme = options.theme;
    request.command = "heliograph " + shellLine(givenArguments());
    for (const ReportOptions::BookmarkText& it : options.bookmarks) {
        const Timestamp begin = resolve(it.begin, opened->timeline->range.begin);
        request.bookmarks.push_back({{begin, it.end ? std::max(begin, resolve(*it.end, opened->timeline->range.begin)) : begin}, it.note});
    }
    request.sections = options.sections.empty() ? reportSections(opened->timeline) : options.sections;
    if (opened->timeline->range.clippedTo(opened->window).isEmpty() && hasTimes(*opened->timeline))
        return failWith({Error::Kind::Usage, "--begin, --end: nothing was recorded in this range"});
    std::atomic<std::size_t> done = 0;
    std::atomic<std::size_t> parts = 0;
    const auto report = [&](std::size_t partsDone, std::size_t total) {
        done = partsDone;
        parts = total;
    };
    const Status saved = [&] {
        const ProgressLine line([&] { return fmt::format("report: part {} of {}", done + 1, parts.load()); }, options.reading.isQuiet);
        return saveReport(request, options.output, report, commandStop());
    }();
    if (!saved)
        return failWith(saved.error());
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command reportCommand;
const Command reportCommand{115,
                            "report",
                            "Save pictures, tables and facts of a recording as one HTML file",
                            callOf<ReportOptions, run>,
                            R"(heliograph report TRACE -o report.html
heliograph report HOST GUEST --begin +1s --end +2s --title 'Slow boot' -o report.html
heliograph report perf.data --section 'flame --table --group module' -o modules.html
)",
                            R"(The file loads nothing from elsewhere and needs no scripts. Below each picture and table is the
command that prints it; tables show as many rows as are useful and say how many there are.
)"};

} // namespace helio
