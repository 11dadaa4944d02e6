#include "app/cli/command.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/trace_options.h"
#include "core/xml_analysis/check.h"
#include "core/xml_analysis/event_pattern.h"
#include "core/xml_analysis/merged/merged_analysis.h"
#include "core/xml_analysis/reach/shown_by.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <vector>

namespace helio {

namespace {

using namespace xml;

std::string counted(std::size_t count, const char* one, const char* many) { return fmt::format("{} {}", count, count == 1 ? one : many); }

std::string contentOf(const File& file)
{
    std::string text;
    for (const Program& it : file.programs) {
        text += fmt::format("{} {}: ", it.isPattern ? "pattern" : "stateProvider", it.id);
        if (it.isPattern) {
            std::size_t transitions = 0;
            for (const Fsm& fsm : it.fsms)
                for (const FsmState& state : fsm.states)
                    transitions += state.transitions.size();
            text += counted(it.fsms.size(), "state machine", "state machines") + ", " + counted(transitions, "transition", "transitions");
        } else {
            text += counted(it.handlers.size(), "event handler", "event handlers");
        }
        text += '\n';
    }
    for (const View& view : file.views)
        text += fmt::format("{} {}\n", view.kind == View::Kind::Curves ? "xyView" : "timeGraphView", view.id);
    for (const CallStacks& stacks : file.callStacks)
        text += fmt::format("callstack {}\n", stacks.id);
    return text;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : ";") + word;
    return all;
}

/// Adds the counts of one trace, `from`, to the sums over all traces, `to`.
void add(const std::vector<RuleReport>& from, std::vector<RuleReport>& to)
{
    if (to.empty())
        to = from;
    else
        for (std::size_t i = 0; i < to.size(); ++i) {
            to[i].events += from[i].events;
            to[i].fired += from[i].fired;
            for (const std::string& field : from[i].missing)
                if (std::ranges::find(to[i].missing, field) == to[i].missing.end())
                    to[i].missing.push_back(field);
        }
}

/// Returns the results of running an analysis: one report for an analysis of all traces together, else one report per trace.
std::vector<CheckReport> reportsOf(const XmlAnalysisKind& kind, const Timeline& timeline)
{
    if (isForExperiments(kind.declaration().program))
        return {checkMergedAnalysis(kind, timeline)};
    std::vector<CheckReport> reports;
    for (const TimelineTrace& t : timeline.traces)
        reports.push_back(checkAnalysis(kind, *t.trace));
    return reports;
}

/// True if the traces have an event type that matches the names of a rule.
bool areRecorded(const EventNames& names, const Timeline& timeline)
{
    const EventNameFilter filter(names.patterns);
    return std::ranges::any_of(timeline.traces, [&](const TimelineTrace& t) {
        return std::ranges::any_of(t.trace->eventTypes(), [&](const auto& type) { return filter.fits(type->name); });
    });
}

/// If a rule of an analysis file probably had no effect because of a mistake in the file, returns the mistake as text: a name of an event
/// or field that the trace does not have. Otherwise returns an empty text.
std::string whySilent(const RuleReport& rule, const Timeline& timeline)
{
    if (rule.events == 0)
        return areRecorded(rule.names, timeline) ? std::string() : "no such event in the trace: " + rule.what;
    return rule.alwaysMissing.empty()
        ? std::string()
        : fmt::format("none of its {} events has a field {}", rule.asked, fmt::join(rule.alwaysMissing, ", "));
}

/// Returns warnings about rules that had no effect, most often because of a mistake in the analysis file.
std::vector<Problem> warningsOf(const File& file, const Program& program, const std::vector<RuleReport>& rules, const Timeline& timeline)
{
    std::vector<Problem> warnings;
    for (const RuleReport& rule : rules)
        if (const std::string why = whySilent(rule, timeline); !why.empty())
            warnings.push_back({rule.place, rule.element, why, true});
    for (const View& view : file.views)
        for (const UnsettableEntry& entry : findUnsettableEntries(program, view))
            warnings.push_back({entry.place, "entry", "nothing is shown: no rule sets " + entry.path, true});
    return warnings;
}

/// Checks an XML analysis file: writes its faults, one per line, or a description of its contents if it has none. With traces, also writes
/// how often each rule matched. Returns the exit status: ExitInput if the file cannot be used or a trace cannot be read.
int checkAnalysisFile(const std::filesystem::path& path, const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                      OutputFormat format)
{
    const AnalysisFile file = readAnalysisFile(path, AnalysisOrigin::Given);
    Output output;
    const bool isForPeople = traces.empty() || format == OutputFormat::Text;
    for (const Problem& problem : file.content.problems)
        isForPeople ? void(output.buffer() += textOf(problem, path.string()) + '\n') : warn(textOf(problem, path.string()));
    const auto listed = listAnalyses({file}, *Analyses::builtin());
    bool isGood = file.content.isUsable();
    for (const ListedAnalysis& it : listed)
        if (!it.kind) {
            isGood = false;
            const auto& programs = file.content.programs;
            const auto program = std::ranges::find(programs, it.id, &Program::id);
            output.buffer() += textOf({program->place, it.isPattern ? "pattern" : "stateProvider", it.whyNot, false}, path.string()) + '\n';
        }
    for (const ListedAnalysis& it : listed)
        for (const std::string& note : it.notes)
            isForPeople ? void(output.buffer() += path.string() + ": warning: " + note + '\n') : warn(note);
    if (!isGood) {
        output.flush();
        return ExitInput;
    }
    if (isForPeople)
        output.buffer() += contentOf(file.content);
    if (traces.empty()) {
        output.flush();
        return ExitDone;
    }
    // An analysis of all traces together needs the traces to be indexed, because the index gives the common order of their events.
    const bool needsStates = std::ranges::any_of(file.content.programs, isForExperiments);
    const auto opened = openExperiment(traces, reading, {}, {.needsStates = needsStates, .side = {}});
    if (!opened)
        return failWith(opened.error());
    std::vector<std::string> problems;
    {
        TableWriter table(output, format, {"line", "element", "events", "fired", "missing_fields"}, TimeStyle());
        for (const ListedAnalysis& it : listed) {
            std::vector<RuleReport> rules;
            for (const CheckReport& report : reportsOf(*it.kind, *opened->timeline)) {
                add(report.rules, rules);
                for (const Diagnostic& problem : report.problems)
                    problems.push_back(fmt::format("{}: {} ({} times)", path.string(), problem.what, problem.count));
            }
            for (const Problem& warning : warningsOf(file.content, it.kind->declaration().program, rules, *opened->timeline))
                problems.push_back(textOf(warning, path.string()));
            for (const RuleReport& rule : rules)
                table.row({Cell::integer(rule.place.line), isForPeople ? rule.element + " " + rule.what : rule.element,
                           Cell::integer(static_cast<std::int64_t>(rule.events)), Cell::integer(static_cast<std::int64_t>(rule.fired)),
                           joined(rule.missing)});
        }
    }
    output.flush();
    for (const std::string& problem : problems)
        warn(problem);
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

struct AnalysesOptions {
    std::vector<std::filesystem::path> words; ///< Positional arguments: "check" and a file, or traces.
    std::vector<std::filesystem::path> traces; ///< Traces on which `analyses check` runs the file's analyses.
    ReadingOptions reading;
    FormatOptions format{"analyses"};

    void addTo(OptionList& options)
    {
        options.list("TRACE", words, "", "Traces whose analyses to list, or `check FILE`: explain errors in an XML file");
        options.repeated("--trace", traces, "TRACE", "With check: run the analyses on TRACE and count the matches of each rule");
        reading.addTo(options);
        format.addTo(options);
    }
    std::string missing() const { return isCheck() && words.size() != 2 ? "check: exactly one FILE is needed" : ""; }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return reading.read(); },
                          [&]() -> Status {
                              if (!isCheck() && !traces.empty())
                                  return makeUsageError("--trace", "only valid with check");
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
            const std::string whyNot = !it.kind ? it.whyNot
                : opened                        ? explainNotApplicable(*it.kind, *opened->timeline)
                // An analysis file that the user named runs on every trace, so its "reason" column is empty.
                : file.origin == AnalysisOrigin::Given ? std::string()
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

using namespace xml;

extern const Command analysesCommand;
const Command analysesCommand{37, "analyses", "List XML analyses, or check a file and explain its errors", callOf<AnalysesOptions, run>,
                              R"(heliograph analyses TRACE
heliograph analyses check machine.xml --trace TRACE
)"};

} // namespace helio
