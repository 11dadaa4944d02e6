#include "app/cli/command.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/table_options.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/findings/finder.h"
#include "core/findings/findings.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"

#include <fmt/format.h>

namespace helio {
namespace {

struct FindingsOptions {
    TableOptions table{"findings", {"text", "json"}};

    void addTo(OptionList& options)
    {
        addTraces(options, table.traces);
        table.reading.addTo(options);
        table.selection.addTimesAndPlacesTo(options);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read() { return table.read(); }
};

/// Writes the id of a row; null if no view shows the row.
void writeRow(JsonWriter& json, const Timeline& timeline, TrackRef ref)
{
    const auto row = rowOf(timeline, ref);
    row ? json.value(row->id) : json.null();
}

void writeFinding(JsonWriter& json, const Finding& finding, const Timeline& timeline, TimeRange window)
{
    json.beginObject();
    json.member("finder", finding.finder);
    json.member("text", finding.text);
    json.member("detail", finding.detail);
    json.member("explained_ns", std::int64_t(finding.explained.count()));
    json.member("share", shareOf(finding, window));
    json.member("begin_ns", nanoseconds(finding.range.begin));
    json.member("end_ns", nanoseconds(finding.range.end));
    json.key("host");
    finding.host ? json.value(timeline.hosts[*finding.host].shownName()) : json.null();
    json.key("rows").beginArray();
    for (const TrackRef row : finding.rows)
        writeRow(json, timeline, row);
    json.endArray();
    json.member("occurrences", finding.occurrences);
    json.key("evidence").beginArray();
    for (const Evidence& it : finding.evidence) {
        json.beginObject();
        json.member("time_ns", nanoseconds(it.range.begin));
        json.member("duration_ns", std::int64_t(it.range.duration().count()));
        json.key("row");
        writeRow(json, timeline, it.row);
        json.key("trace");
        it.row.isValid() ? json.value(traceOf(timeline, it.row)) : json.null();
        json.member("text", it.text);
        json.endObject();
    }
    json.endArray();
    json.member("check", finding.check);
    json.key("actions").beginArray();
    json.value("show");
    if (finding.isWait)
        json.value("explain");
    json.endArray();
    json.endObject();
}

void writeJson(std::string& out, const Findings& findings, const Timeline& timeline, TimeRange window)
{
    JsonWriter json(out);
    json.beginObject();
    json.key("findings").beginArray();
    for (const Finding& finding : findings.all)
        writeFinding(json, finding, timeline, window);
    json.endArray();
    json.key("quality").beginArray();
    for (const QualityNote& note : findings.quality) {
        json.beginObject();
        json.member("text", note.text);
        json.member("problem", note.isProblem);
        json.member("command", note.command);
        json.endObject();
    }
    json.endArray();
    json.key("finders").beginObject();
    json.member("run", std::uint64_t(findings.finders));
    json.member("without", std::uint64_t(findings.without));
    json.key("unable").beginArray();
    for (const std::string& title : findings.unable)
        json.value(title);
    json.endArray();
    json.endObject();
    json.endObject();
    out += '\n';
}

void writeLine(std::string& out, const std::string& text)
{
    appendPrintable(out, text);
    out += '\n';
}

void writeText(std::string& out, const Findings& findings, const Timeline& timeline, TimeRange window)
{
    const TimeStyle times(hasEpoch(timeline));
    if (findings.all.empty())
        out +=
            fmt::format("Nothing stands out. {} looked at {}.\n", countText(findings.finders, "finder"), shortDuration(window.duration()));
    for (std::size_t i = 0; i < findings.all.size(); ++i) {
        const Finding& it = findings.all[i];
        writeLine(out, fmt::format("{:2}. {}", i + 1, it.text));
        if (!it.detail.empty())
            writeLine(out, "    " + it.detail);
        std::string place = fmt::format("    {}, {} of the range; from ", shortDuration(it.explained), shareText(shareOf(it, window)));
        times.append(place, nanoseconds(it.range.begin));
        place += " to ";
        times.append(place, nanoseconds(it.range.end));
        writeLine(out, place);
        if (!it.check.empty())
            writeLine(out, "    check: " + it.check);
    }
    if (findings.more > 0)
        out += fmt::format("    and {} that explain less\n", countText(findings.more, "finding"));
    out += "\nRecording quality\n";
    for (const QualityNote& note : findings.quality) {
        writeLine(out, "    " + note.text);
        if (!note.command.empty())
            writeLine(out, "    record with: " + note.command);
    }
    out += fmt::format("\n{}, {} without a finding", countText(findings.finders, "finder"), findings.without);
    if (!findings.unable.empty())
        out += fmt::format("; not recorded what these need: {}", fmt::join(findings.unable, ", "));
    out += '\n';
}

int run(const FindingsOptions& options)
{
    OpeningOptions opening;
    for (const Finder* const finder : builtinFinders())
        if (finder->view)
            opening.wanted.emplace_back(finder->view);
    auto opened = openExperiment(options.table.traces, options.table.reading, options.table.selection, opening);
    if (!opened)
        return failWith(opened.error());
    if (const Status added = addCorrelatedRows(*opened); !added)
        return failWith(added.error());
    const SelectionOptions& chosen = options.table.selection;
    const RowSelection selection(chosen, *opened->timeline);
    FindingRequest request{opened->timeline, opened->window};
    if (!chosen.host.empty() || !chosen.process.empty() || chosen.thread || chosen.cpu)
        request.accepts = [&](const Row& row) { return selection.isChosen(row); };
    const Findings findings = collectFindings(request);
    const TimeRange window = FindingScope(request).window();
    Output output;
    if (options.table.format.output == OutputFormat::Json)
        writeJson(output.buffer(), findings, *opened->timeline, window);
    else
        writeText(output.buffer(), findings, *opened->timeline, window);
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command findingsCommand;
const Command findingsCommand{12,
                              "findings",
                              "Print what stands out: findings ranked by the time that they explain, with evidence",
                              callOf<FindingsOptions, run>,
                              R"(heliograph findings TRACE
heliograph findings TRACE --begin 12:00:01 --end 12:00:03 --json
heliograph findings TRACE --process mysqld
)",
                              R"(A finding explains at least 0.5 % of the range (leaks may explain less). Its time is the time in which
it applied to at least one thread or device: times of threads are not added up. Hot functions and
interrupts have CPU time instead, leaks their share of the memory. "Probable" marks what is inferred.
)"};

} // namespace helio
