#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/selection_options.h"
#include "app/cli/selection/table_options.h"
#include "core/export/export_format.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace helio {
namespace {

/// Returns the names of all formats, e.g. "csv, sqlite".
std::string formatNames()
{
    std::string names;
    for (const ExportFormat* format : exportFormats())
        (names += names.empty() ? "" : ", ") += format->name;
    return names;
}

struct ExportOptions {
    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    SelectionOptions selection;
    std::string view;
    std::filesystem::path output;
    const ExportFormat* format = nullptr;

    void addTo(OptionList& options)
    {
        addTraces(options, traces);
        reading.addTo(options);
        selection.addTimesAndPlacesTo(options);
        options.value("--to", m_given.format, "FORMAT", "Format of the output; the formats are listed below");
        options.value("-o,--output", output, "FILE", "File to write, or folder for formats of several files");
        options.value("--view", view, "V", ViewHelp);
    }
    std::string missing() const
    {
        if (traces.empty())
            return missingTrace(traces);
        if (m_given.format.empty())
            return "--to FORMAT is missing; there are " + formatNames();
        return output.empty() ? "-o FILE is missing" : "";
    }
    Status read()
    {
        return runInOrder([&] { return reading.read(); }, [&] { return readFormat(); }, [&] { return selection.read(); });
    }

private:
    Status readFormat()
    {
        format = findExportFormat(m_given.format);
        if (!format && !m_given.format.empty())
            return makeUsageError("--to", "\"" + m_given.format + "\" is not one of " + formatNames());
        return Done{};
    }

    struct {
        std::string format;
    } m_given;
};

int run(const ExportOptions& options)
{
    OpeningOptions opening;
    if (!options.view.empty())
        opening.wanted = {options.view};
    const auto opened = openExperiment(options.traces, options.reading, options.selection, opening);
    if (!opened)
        return failWith(opened.error());
    const auto others = [&] { return findRequestableAnalyses(options.traces, options.reading, *opened->timeline, options.view).views; };
    if (const auto views = findRequestedViews(options.view, *opened->timeline, {}, others); !views)
        return failWith(views.error());
    Interrupts interrupts(Interrupts::Kind::First);
    const StopAtInterrupt interrupted(interrupts);
    std::atomic<double> share = 0;
    ExportRequest request;
    request.timeline = opened->timeline;
    request.selection = {opened->window,           options.selection.host, options.selection.process,
                         options.selection.thread, options.selection.cpu,  options.view};
    request.output = options.output;
    request.inputs = options.traces;
    request.stop = interrupted.token();
    request.progress = [&](double done) { share = done; };
    std::vector<std::string> notes;
    request.note = [&](const std::string& sentence) { notes.push_back(sentence); };
    const Status done = [&] {
        const ProgressLine line([&] { return fmt::format("exporting {:3.0f} %", share * 100); }, options.reading.isQuiet);
        return writeExport(*options.format, request);
    }();
    for (const std::string& note : notes)
        if (!options.reading.isQuiet)
            warn(note);
    if (!done)
        return Interrupts::exitStatusOr(failWith(done.error()));
    return opened->hasProblems ? ExitInput : ExitDone;
}

/// Returns the lines of the help that describe the formats.
std::string formatNotes()
{
    std::string notes = "The formats are:\n";
    for (const ExportFormat* format : exportFormats())
        notes += fmt::format("  {:12} {}\n", format->name, format->summary);
    return notes + R"(Times and places select rows that overlap the range; rows are not cut. A file is written
completely or not at all, and never replaces a file of the input.
)";
}

const std::string FormatNotes = formatNotes();

} // namespace

extern const Command exportCommand;
const Command exportCommand{88,
                            "export",
                            "Write the recording in the format of another tool",
                            callOf<ExportOptions, run>,
                            R"(heliograph export TRACE --to perfetto -o trace.perfetto-trace --begin +10s --end +20s
heliograph export TRACE --to csv -o tables --process mysqld
)",
                            FormatNotes.c_str()};

} // namespace helio
