#include "app/cli/command.h"
#include "app/cli/commands/analysis_check.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/option_reading.h"
#include "app/cli/selection/requested_analyses.h"
#include "core/xml_analysis/merged/merged_analysis.h"

#include <algorithm>

namespace helio {

using namespace xml;

namespace {

struct AnalysesOptions {
    std::vector<std::filesystem::path> words; ///< "check" and a file, or traces.
    std::vector<std::filesystem::path> traces; ///< Traces of `analyses check`.
    ReadingOptions reading;
    FormatOptions format{"analyses"};

    void addTo(OptionList& options)
    {
        options.list("TRACE", words, "", "Traces whose analyses to list, or `check FILE`: explain errors in an XML file");
        options.repeated("--trace", traces, "TRACE", "With check: run the analyses on TRACE and count the matches of each rule");
        reading.addTo(options);
        format.addTo(options);
    }
    std::string missing() const { return isCheck() && words.size() != 2 ? "check: a FILE is missing, or there are several" : ""; }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return reading.read(); },
                          [&]() -> Status {
                              if (!isCheck() && !traces.empty())
                                  return makeUsageError("--trace", "it is for check");
                              return Done{};
                          },
                          [&] { return format.read(); });
    }
    bool isCheck() const { return !words.empty() && words.front() == "check"; }
};

int list(const AnalysesOptions& options)
{
    std::optional<OpenedExperiment> opened;
    if (!options.words.empty()) {
        auto experiment = openExperiment(options.words, options.reading, {}, {.needsStates = false, .side = {}});
        if (!experiment)
            return failWith(experiment.error());
        opened = std::move(*experiment);
    }
    const FoundAnalyses found = findAnalyses(options.words, options.reading);
    bool hasProblems = opened && opened->hasProblems;
    for (const AnalysisFile& file : found.files)
        for (const Problem& problem : file.content.problems)
            if (!problem.isWarning) {
                warn(textOf(problem, file.path.string()));
                hasProblems = hasProblems || file.origin == AnalysisOrigin::Given;
            }
    Output output;
    {
        TableWriter table(output, options.format.output, {"id", "kind", "label", "file", "applies", "reason", "on"}, TimeStyle());
        for (const ListedAnalysis& it : found.listed) {
            const AnalysisFile& file = found.files[it.file];
            const std::string whyNot = !it.kind        ? it.whyNot
                : opened                               ? explainNotApplicable(*it.kind, *opened->timeline)
                : file.origin == AnalysisOrigin::Given ? std::string() // A file that the user named runs on every trace.
                                                       : explainUnreadableTypes(it.kind->declaration().program);
            table.row({it.id, it.isPattern ? "pattern" : "stateProvider", it.label,
                       file.origin == AnalysisOrigin::Builtin ? "built-in: " + file.path.string() : file.path.string(),
                       whyNot.empty() ? opened ? "yes" : "" : "no", whyNot, it.kind && isRunByDefault(found, it) ? "yes" : "no"});
        }
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return hasProblems ? ExitInput : ExitDone;
}

int run(const AnalysesOptions& options)
{
    return options.isCheck() ? checkAnalysisFile(options.words[1], options.traces, options.reading, options.format.output) : list(options);
}

} // namespace

extern const Command analysesCommand;
const Command analysesCommand{37, "analyses", "List XML analyses, or check a file and explain its errors", callOf<AnalysesOptions, run>,
                              R"(heliograph analyses TRACE
heliograph analyses check machine.xml --trace TRACE
)"};

} // namespace helio
