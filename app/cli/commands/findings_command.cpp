#include "app/cli/command.h"
#include "app/cli/output/output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/table_options.h"
#include "core/base/json.h"
#include "core/base/utf8.h"
#include "core/findings/finder_views.h"
#include "core/findings/finding_changes.h"
#include "core/findings/findings.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <memory>

namespace helio {
namespace {

struct FindingsOptions {
    TableOptions table{"findings", {"text", "json"}};
    std::vector<std::filesystem::path> baseline; ///< Traces of the earlier recording; empty if nothing is compared.

    void addTo(OptionList& options)
    {
        addTraces(options, table.traces);
        options.list("--against", baseline, "TRACE...", "Print what changed since this recording: folders, files or archives");
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

/// An opened recording and the findings in it.
struct FoundIn {
    OpenedExperiment opened;
    FindingRequest request{};
    WindowFindings found{};

    const Timeline& timeline() const { return *opened.timeline; }
};

void writeChanges(JsonWriter& json, const std::vector<FindingChange>& changes, const FoundIn& before, const FoundIn& after)
{
    json.key("changes").beginArray();
    for (const FindingChange& it : changes) {
        const FoundIn& side = it.after ? after : before;
        json.beginObject();
        json.member("change", it.word());
        json.member("share_before", it.shareBefore);
        json.member("share_after", it.shareAfter);
        json.key("finding");
        writeFinding(json, it.shown(), side.timeline(), side.found.window);
        json.endObject();
    }
    json.endArray();
}

void writeJson(std::string& out, const FoundIn& found, const std::function<void(JsonWriter&)>& writeMore)
{
    const Findings& findings = found.found.findings;
    JsonWriter json(out);
    json.beginObject();
    if (writeMore)
        writeMore(json);
    json.key("findings").beginArray();
    for (const Finding& finding : findings.all)
        writeFinding(json, finding, found.timeline(), found.found.window);
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
    for (const UnableFinder& it : findings.unable)
        json.value(it.title);
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

void writePlace(std::string& out, const Finding& finding, const FoundIn& found)
{
    const TimeStyle times(hasEpoch(found.timeline()));
    std::string place =
        fmt::format("    {}, {} of the range; from ", shortDuration(finding.explained), shareText(shareOf(finding, found.found.window)));
    times.append(place, nanoseconds(finding.range.begin));
    place += " to ";
    times.append(place, nanoseconds(finding.range.end));
    writeLine(out, place);
}

void writeFindings(std::string& out, const FoundIn& found)
{
    const Findings& findings = found.found.findings;
    if (findings.all.empty())
        out += fmt::format("Nothing stands out. {} looked at {}.\n", countText(findings.finders, "finder"),
                           shortDuration(found.found.window.duration()));
    for (std::size_t i = 0; i < findings.all.size(); ++i) {
        const Finding& it = findings.all[i];
        writeLine(out, fmt::format("{:2}. {}", i + 1, it.text));
        if (!it.detail.empty())
            writeLine(out, "    " + it.detail);
        writePlace(out, it, found);
        if (!it.check.empty())
            writeLine(out, "    check: " + it.check);
    }
    if (findings.more > 0)
        out += fmt::format("    and {} that explain less\n", countText(findings.more, "finding"));
}

void writeChanges(std::string& out, const std::vector<FindingChange>& changes, const FoundIn& before, const FoundIn& after)
{
    if (changes.empty())
        out += fmt::format("Nothing changed. {} looked at {} and at {} of the other recording.\n",
                           countText(after.found.findings.finders, "finder"), shortDuration(after.found.window.duration()),
                           shortDuration(before.found.window.duration()));
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const FindingChange& it = changes[i];
        writeLine(out, fmt::format("{:2}. {}: {}", i + 1, it.word(), it.shown().text));
        if (!it.shown().detail.empty())
            writeLine(out, "    " + it.shown().detail);
        if (it.before && it.after)
            writeLine(
                out,
                fmt::format("    {} of the range, before {}: {}", shareText(it.shareAfter), shareText(it.shareBefore), it.before->text));
        else
            writePlace(out, it.shown(), it.after ? after : before);
    }
}

void writeQuality(std::string& out, const Findings& findings)
{
    out += "\nRecording quality\n";
    for (const QualityNote& note : findings.quality) {
        writeLine(out, "    " + note.text);
        if (!note.command.empty())
            writeLine(out, "    record with: " + note.command);
    }
    out += fmt::format("\n{}, {} without a finding", countText(findings.finders, "finder"), findings.without);
    std::string titles;
    for (const UnableFinder& it : findings.unable)
        titles += (titles.empty() ? "" : ", ") + it.title;
    if (!titles.empty())
        out += "; not recorded what these need: " + titles;
    out += '\n';
}

/// Opens the traces and looks for findings in the selection. `side`: prefix of messages; empty if there is only one recording.
Result<FoundIn> findIn(const std::vector<std::filesystem::path>& traces, const FindingsOptions& options, const std::string& side)
{
    OpeningOptions opening;
    opening.side = side;
    opening.wanted = viewsOfFinders();
    const SelectionOptions& chosen = options.table.selection;
    auto opened = openExperiment(traces, options.table.reading, chosen, opening);
    if (!opened)
        return opened.error();
    if (const Status added = addCorrelatedRows(*opened); !added)
        return added.error();
    FoundIn found{std::move(*opened)};
    found.request = {found.opened.timeline, found.opened.window};
    if (!chosen.host.empty() || !chosen.process.empty() || chosen.thread || chosen.cpu)
        found.request.accepts = [selection = std::make_shared<const RowSelection>(chosen, found.timeline())](const Row& row) {
            return selection->isChosen(row);
        };
    found.found = {collectFindings(found.request), FindingScope(found.request).window()};
    return found;
}

/// Returns what changed from `before` to `after`. Adds the program that became slower, if any, to the findings of `after`.
std::vector<FindingChange> changesOf(const FindingsOptions& options, const FoundIn& before, FoundIn& after)
{
    const FindingScope a(before.request), b(after.request);
    if (auto slower = findSlowerProgram(a, b, options.table.selection.process)) {
        std::vector<Finding>& all = after.found.findings.all;
        all.insert(std::ranges::lower_bound(all, slower->explained, std::ranges::greater(), &Finding::explained), std::move(*slower));
    }
    return compareFindings(before.found, after.found);
}

int run(const FindingsOptions& options)
{
    const bool isComparison = !options.baseline.empty();
    auto after = findIn(options.table.traces, options, {});
    if (!after)
        return failWith(after.error());
    const auto before = isComparison ? findIn(options.baseline, options, "baseline: ") : Result<FoundIn>(FoundIn{});
    if (!before)
        return failWith(before.error());
    const auto changes = isComparison ? changesOf(options, *before, *after) : std::vector<FindingChange>();
    Output output;
    if (options.table.format.output == OutputFormat::Json) {
        const auto writeMore = [&](JsonWriter& json) { writeChanges(json, changes, *before, *after); };
        writeJson(output.buffer(), *after, isComparison ? std::function<void(JsonWriter&)>(writeMore) : nullptr);
    } else {
        isComparison ? writeChanges(output.buffer(), changes, *before, *after) : writeFindings(output.buffer(), *after);
        writeQuality(output.buffer(), after->found.findings);
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return after->opened.hasProblems || before->opened.hasProblems ? ExitInput : ExitDone;
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
heliograph findings TRACE --against BASELINE
)",
                              R"(A finding explains at least 0.5 % of the range (leaks may explain less). Its time is the time in which
it applied to at least one thread or device: times of threads are not added up. Hot functions and
interrupts have CPU time instead, leaks their share of the memory. "Probable" marks what is inferred.
--against compares shares of the range; findings that changed by less than 0.5 % of it are left out.
)"};

} // namespace helio
