#include "app/cli/commands/compare_samples.h"

#include "app/cli/output/json_writer.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/sample_selection.h"
#include "core/compare/off_cpu_frames.h"
#include "core/compare/program_samples.h"
#include "core/compare/side_names.h"
#include "core/compare/tree_difference_svg.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace helio {
namespace {

using Per = DifferenceBasis::Per;

Result<OpenedExperiment> openSide(CommandOptions options, const std::vector<std::filesystem::path>& traces, const std::string& side)
{
    options.traces = traces;
    return openExperiment(options, true, side);
}

ComparedRuns runsOf(OpenedExperiment opened, const std::string& program)
{
    ComparedRuns side;
    side.program = program;
    if (!program.empty())
        side.runs = processRuns(*opened.timeline, program, opened.window);
    side.opened = std::move(opened);
    return side;
}

/// Of all that the runs' processes did while they ran; all samples without a program.
StackProfile samplesOf(const CommandOptions& options, const ComparedRuns& side, const SampleKind& kind)
{
    const Timeline& timeline = *side.opened.timeline;
    const SampleFilter filter = sampleFilterOf(options, side.opened, kind);
    return side.program.empty() ? collectStacks(timeline, filter) : collectRuns(timeline, {side.program, {}}, side.runs, filter);
}

SideNames namesOf(const CommandOptions& options, const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b)
{
    return options.flame.expandsInlined ? nameSides(ofA, a, ofB, b) : SideNames{nameStacks(ofA, a, {false}), nameStacks(ofB, b, {false})};
}

CallTree treeOf(const CommandOptions& options, const ComparedRuns& side, const StackProfile& profile, const StackNames& names,
                bool isOfNamesAlone)
{
    CallTreeOptions how = options.flame.tree;
    how.mergesModules = isOfNamesAlone;
    how.base = side.program.empty() ? CallTreeOptions::Base::Command : CallTreeOptions::Base::None;
    return buildCallTree(profile, names, how);
}

/// The kinds of samples that are compared, and how.
struct ComparedKinds {
    SampleKind a;
    SampleKind b;
    DifferenceBasis basis;
    std::string note; ///< Why it is by shares, where nobody asked for them.
};

ComparedKinds fitting(const ComparedSides& sides, SampleKind a, SampleKind b)
{
    const bool hasTimesA = hasTimes(*sides.a.opened.timeline);
    const bool hasTimesB = hasTimes(*sides.b.opened.timeline);
    ComparedKinds kinds{a, b, DifferenceBasis::fitting(a, hasTimesA, b, hasTimesB), {}};
    if (kinds.basis.per == Per::Share)
        kinds.note = (hasTimesA == hasTimesB ? fmt::format("{} of A and {} of B do not count the same", a.name, b.name)
                                             : fmt::format("{} has no times", hasTimesA ? "B" : "A"))
            + ": shares of all are compared";
    return kinds;
}

Result<ComparedKinds> kindsOf(const CommandOptions& options, const ComparedSides& sides)
{
    auto kinds = comparedKinds(*sides.a.opened.timeline, *sides.b.opened.timeline);
    const auto choose = [&](const ComparedRuns& side, SampleKind& kind) -> Status {
        const auto chosen = chosenKind(sampleKinds(*side.opened.timeline), options.flame.event.empty() ? kind.name : options.flame.event);
        if (!chosen)
            return chosen.error();
        kind = *chosen;
        return Done{};
    };
    if (const auto done = choose(sides.a, kinds.first); !done)
        return done.error();
    if (const auto done = choose(sides.b, kinds.second); !done)
        return done.error();
    const auto& [a, b] = kinds;
    const bool isChosen = !options.flame.event.empty() && a.isTime == b.isTime; // One event under several names: cycles:u, cycles:ppp.
    if (!options.difference.basis)
        return isChosen ? ComparedKinds{a, b, {}, {}} : fitting(sides, a, b);
    if (!isChosen && !options.difference.basis->canCompare(a, b))
        return Error{Error::Kind::Usage,
                     fmt::format("{} of A and {} of B do not count the same; --event chooses, --per share compares them", a.name, b.name)};
    return ComparedKinds{a, b, *options.difference.basis, {}};
}

/// Of one run, in whole units; of a unit of work as small as it may be; shares as they are.
Cell scaled(double value, Per per)
{
    constexpr double Most = 9.2e18;
    if (per == Per::Share)
        return Cell::real(value, fmt::format("{:.6f}", value));
    if (per == Per::Unit)
        return Cell::real(value, std::abs(value) < 1e6 ? fmt::format("{:.6g}", value) : fmt::format("{:.0f}", value));
    return Cell::integer(std::llround(std::clamp(value, -Most, Most)));
}

void writeFunctions(const DifferenceTree& tree, Per per, TableWriter& table)
{
    const auto count = [](std::uint64_t samples) { return Cell::integer(static_cast<std::int64_t>(samples)); };
    const auto amount = [per](double value) { return scaled(value, per); };
    for (const FunctionDifference& it : functionDifferences(tree)) {
        const SampledFunction& function = tree.functions[static_cast<std::size_t>(it.function)];
        table.row({function.label(), function.module, amount(it.self.scaledA(tree.scale)), amount(it.self.scaledB(tree.scale)),
                   amount(it.self.difference(tree.scale)), amount(it.total.scaledA(tree.scale)), amount(it.total.scaledB(tree.scale)),
                   amount(it.total.difference(tree.scale)), count(it.self.a.samples), count(it.self.b.samples),
                   Cell::real(it.self.z(tree.scale), fmt::format("{:.1f}", it.self.z(tree.scale)))});
    }
}

/// "ns", "share", "samples", or what the samples count.
std::string unitName(const DifferenceUnit& unit)
{
    return unit.kind == DifferenceUnit::Kind::Time ? "ns" : unit.kind == DifferenceUnit::Kind::Share ? "share" : unit.word;
}

/// What the amounts are of, and their sums: those of all runs counted as `basis` says.
void writeHead(JsonWriter& json, const ComparedSides& sides, const SampleDifference& difference)
{
    const auto perName = [](Per per) {
        return per == Per::Run ? "process" : per == Per::Share ? "share" : per == Per::Samples ? "samples" : "unit";
    };
    const DifferenceTree& tree = difference.tree;
    const double a = tree.whole.scaledA(tree.scale);
    const double b = tree.whole.scaledB(tree.scale);
    json.key("program");
    sides.a.program.empty() ? json.null() : json.value(sides.a.program);
    json.member("per", perName(difference.basis.per));
    json.member("unit", unitName(difference.basis.unit(difference.kind)));
    json.member("runs_a", std::uint64_t(sides.a.runs.size()));
    json.member("runs_b", std::uint64_t(sides.b.runs.size()));
    json.member("samples_a", tree.whole.a.samples);
    json.member("samples_b", tree.whole.b.samples);
    json.member("whole_a", a);
    json.member("whole_b", b);
    json.member("difference", b - a);
    json.member("ratio", a > 0 ? std::optional(b / a) : std::nullopt);
    json.key("notes").beginArray();
    for (const std::string& note : difference.notes)
        json.value(note);
    json.endArray();
}

/// What folded stacks count: of either side what it usually does.
WeightBy countedBy(const CommandOptions& options, const SampleDifference& difference)
{
    if (options.flame.isWeightChosen)
        return options.flame.tree.by;
    SampleKind both = difference.kind;
    if (both.origin == difference.kindA.origin) // Else one side knows of samples alone.
        both.takeWeights(difference.kindA.leastWeight, difference.kindA.mostWeight);
    return usualWeight(both);
}

DifferenceSvgOptions svgOptions(const CommandOptions& options, const ComparedSides& sides, const SampleDifference& difference)
{
    DifferenceSvgOptions svg;
    svg.rootName = rootName(sides, difference.basis);
    svg.picture.title = "Differential flame graph: " + svg.rootName;
    svg.picture.subtitle = difference.subtitle;
    svg.picture.width = static_cast<std::uint32_t>(options.width);
    svg.picture.isIcicle = options.flame.isIcicle || options.flame.tree.shape == CallTreeOptions::Shape::Inverted;
    svg.widths = options.difference.widths;
    svg.ofTotals = options.difference.ofTotals || options.flame.tree.shape == CallTreeOptions::Shape::Inverted;
    svg.byRatio = options.difference.byRatio;
    svg.unit = difference.basis.unit(difference.kind);
    return svg;
}

} // namespace

Result<ComparedSides> openSides(const CommandOptions& options)
{
    if (const auto done = checkSampleFilter(options); !done)
        return done.error();
    auto a = openSide(options, options.tracesA, "A: ");
    if (!a)
        return a.error();
    auto b = openSide(options, options.tracesB.empty() ? options.tracesA : options.tracesB, "B: ");
    if (!b)
        return b.error();
    if (options.tracesB.empty() && !areColumns(*a->timeline, *b->timeline))
        return Error{Error::Kind::Usage, "compare: --b TRACE... is missing: only folded stacks with two counts are both A and B"};
    ComparedSides sides;
    sides.hasProblems = a->hasProblems || b->hasProblems;
    const bool isOfAll = options.difference.isOfAll || !hasTimes(*a->timeline) || !hasTimes(*b->timeline);
    std::string program = isOfAll ? std::string() : options.process;
    if (program.empty() && !isOfAll) {
        const auto common = commonPrograms(*a->timeline, a->window, *b->timeline, b->window);
        if (common.empty())
            return Error{Error::Kind::Unreadable,
                         "compare: no program ran in both A and B; --process chooses one, --all compares all samples"};
        program = common.front();
    }
    if (!program.empty() && (options.filter || options.thread || !options.row.empty() || !options.host.empty()))
        return Error{Error::Kind::Usage,
                     "compare: --filter, --thread, --row and --host choose threads, and a program is compared whole; --all compares all "
                     "samples they leave"};
    sides.a = runsOf(std::move(*a), program);
    sides.b = runsOf(std::move(*b), program);
    for (const auto& [side, letter] : {std::pair(&sides.a, "A"), std::pair(&sides.b, "B")})
        if (!program.empty() && side->runs.empty())
            return Error{Error::Kind::Unreadable, fmt::format("compare: no process \"{}\" ran in {}", program, letter)};
    return sides;
}

std::string rootName(const ComparedSides& sides, const DifferenceBasis& basis)
{
    const std::string name = sides.a.program.empty() ? "all" : sides.a.program;
    switch (basis.per) {
    case Per::Share: return name + ", share of all";
    case Per::Samples: return name + ", samples";
    case Per::Unit: return name + ", per unit of work";
    case Per::Run: break;
    }
    return sides.a.program.empty() ? name : name + ", per process";
}

Result<SampleDifference> sampleDifference(const CommandOptions& options, const ComparedSides& sides)
{
    const auto kinds = kindsOf(options, sides);
    if (!kinds)
        return kinds.error();
    const bool isOfNamesAlone = comparesNamesAlone(kinds->a, kinds->b);
    StackProfile ofA = samplesOf(options, sides.a, kinds->a);
    StackProfile ofB = samplesOf(options, sides.b, kinds->b);
    SideNames names = namesOf(options, ofA, *sides.a.opened.timeline, ofB, *sides.b.opened.timeline);
    const auto limitsA = limitsOf(ofA, names.a, *sides.a.opened.timeline, "A: ");
    const auto limitsB = limitsOf(ofB, names.b, *sides.b.opened.timeline, "B: ");
    const bool isOfFunctions =
        options.flame.format == FlameOptions::Format::Functions || options.flame.format == FlameOptions::Format::Folded;
    if (!isOfFunctions && !sides.a.program.empty() && kinds->basis.isOfWallTime(kinds->a, kinds->b)) {
        addTimeOffCpu(timeOffCpu(*sides.a.opened.timeline, sides.a.runs), ofA, names.a);
        addTimeOffCpu(timeOffCpu(*sides.b.opened.timeline, sides.b.runs), ofB, names.b);
    }
    const CallTree a = treeOf(options, sides.a, ofA, names.a, isOfNamesAlone);
    const CallTree b = treeOf(options, sides.b, ofB, names.b, isOfNamesAlone);
    const auto runs = [](const ComparedRuns& side) { return static_cast<std::uint32_t>(std::max<std::size_t>(1, side.runs.size())); };
    SampleDifference difference;
    difference.kindA = kinds->a;
    difference.kind = kinds->b;
    difference.basis = kinds->basis;
    difference.limits = limitsA;
    difference.limits.insert(difference.limits.end(), limitsB.begin(), limitsB.end());
    if (!kinds->note.empty() && options.flame.format != FlameOptions::Format::Folded) // Which is as counted.
        difference.notes.push_back(kinds->note);
    if (names.foldsInlined)
        difference.notes.push_back(fmt::format("inlined functions count for their callers: {} tells none", names.isOfA ? "A" : "B"));
    difference.tree = compareTrees(a, b, kinds->basis.scale(a.whole, runs(sides.a), b.whole, runs(sides.b)));
    difference.subtitle = sides.a.program.empty()
        ? fmt::format("{} samples in A, {} in B", a.whole.samples, b.whole.samples)
        : fmt::format("{} samples of {} in A, {} of {} in B", a.whole.samples,
                      runs(sides.a) == 1 ? std::string("1 run") : fmt::format("{} runs", runs(sides.a)), b.whole.samples, runs(sides.b));
    for (const std::string& note : difference.notes)
        difference.subtitle += "; " + note;
    return difference;
}

void writeDifference(const CommandOptions& options, const ComparedSides& sides, const SampleDifference& difference, const TextSink& write)
{
    writeDifferenceSvg(difference.tree, svgOptions(options, sides, difference), write);
}

int printSampleDifference(const CommandOptions& options, const ComparedSides& sides)
{
    using Format = FlameOptions::Format;
    auto difference = sampleDifference(options, sides);
    if (!difference)
        return failWith(difference.error());
    Output output;
    const auto write = [&](std::string_view text) {
        output.buffer() += text;
        output.flushIfFull();
        return !output.hasFailed();
    };
    if (options.flame.format == Format::Folded) {
        difference->tree.scale.by = countedBy(options, *difference);
        writeDifferentialFolded(difference->tree, write);
    } else if (options.flame.format == Format::Svg) {
        writeDifference(options, sides, *difference, write);
    } else {
        TableWriter table(output, options.format,
                          {"function", "module", "self_a", "self_b", "self_difference", "total_a", "total_b", "total_difference",
                           "samples_a", "samples_b", "z"},
                          TimeStyle(), [&](JsonWriter& json) { writeHead(json, sides, *difference); });
        writeFunctions(difference->tree, difference->basis.per, table);
    }
    output.flush();
    report(options, difference->notes);
    report(options, difference->limits);
    return output.hasFailed() ? failWith({Error::Kind::Unreadable, output.problem()}) : ExitDone;
}

} // namespace helio
