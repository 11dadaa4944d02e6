#include "app/cli/commands/sample_difference.h"

#include "app/cli/selection/sample_selection.h"
#include "core/compare/off_cpu_stacks.h"
#include "core/compare/subject.h"
#include "core/compare/tree_difference_svg.h"
#include "core/profiling/samples/amount_text.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <fmt/format.h>

namespace helio {
namespace {

using Per = DifferenceBasis::Per;

/// Returns the samples of the runs' processes during the runs; all samples if no program is compared.
StackProfile samplesOf(const ComparedSamples& options, const ComparedRuns& side, const SampleKind& kind)
{
    const Timeline& timeline = *side.opened.timeline;
    const SampleFilter filter = sampleFilterOf(options.selection, side.opened, kind);
    return side.program.empty() ? collectStacks(timeline, filter) : collectRuns(timeline, {side.program, {}}, side.runs, filter);
}

SideNames namesOf(const ComparedSamples& options, const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b)
{
    return options.samples.expandsInlined ? nameSides(ofA, a, ofB, b) : SideNames{nameStacks(ofA, a, {false}), nameStacks(ofB, b, {false})};
}

CallTree treeOf(CallTreeOptions how, const ComparedRuns& side, const StackProfile& profile, const StackNames& names)
{
    how.base = side.program.empty() ? CallTreeOptions::Base::Command : CallTreeOptions::Base::None;
    return buildCallTree(profile, names, how);
}

/// Sample kinds of both sides to compare, and the basis of the comparison.
struct ComparedKinds {
    SampleKind a;
    SampleKind b;
    DifferenceBasis basis;
    std::string note; ///< If amounts are shown as shares although the user did not request shares: the reason. Otherwise empty.
};

ComparedKinds fitting(const ComparedSides& sides, SampleKind a, SampleKind b)
{
    const bool hasTimesA = hasTimes(*sides.a.opened.timeline);
    const bool hasTimesB = hasTimes(*sides.b.opened.timeline);
    ComparedKinds kinds{a, b, DifferenceBasis::fitting(a, hasTimesA, b, hasTimesB), {}};
    if (kinds.basis.per == Per::Share)
        kinds.note = (hasTimesA == hasTimesB ? fmt::format("{} in A and {} in B do not count the same thing", a.name, b.name)
                                             : fmt::format("{} has no times", hasTimesA ? "B" : "A"))
            + ": shares are compared";
    return kinds;
}

Result<ComparedKinds> kindsOf(const ComparedSamples& options, const ComparedSides& sides)
{
    auto kinds = comparedKinds(*sides.a.opened.timeline, *sides.b.opened.timeline);
    const auto choose = [&](const ComparedRuns& side, SampleKind& kind) -> Status {
        const auto chosen =
            findSampleKind(sampleKinds(*side.opened.timeline), options.samples.event.empty() ? kind.name : options.samples.event);
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
    // Compare the kinds, not their names, because one event may have several names, for example cycles:u and cycles:ppp.
    const bool isChosen = !options.samples.event.empty() && a.isTime == b.isTime;
    if (!options.difference.basis)
        return isChosen ? ComparedKinds{a, b, {}, {}} : fitting(sides, a, b);
    if (!isChosen && !options.difference.basis->canCompare(a, b))
        return Error{Error::Kind::Usage,
                     fmt::format("{} in A and {} in B do not count the same thing; choose with --event or compare shares with --per "
                                 "share",
                                 a.name, b.name)};
    return ComparedKinds{a, b, *options.difference.basis, {}};
}

DifferenceSvgOptions svgOptions(const DifferencePicture& picture, const SampleDifference& difference)
{
    DifferenceSvgOptions svg;
    svg.rootName = rootName(difference);
    svg.picture.title = "Differential flame graph: " + svg.rootName;
    svg.picture.subtitle = difference.subtitle;
    svg.picture.width = picture.width;
    svg.picture.isIcicle = picture.isIcicle || picture.isInverted;
    svg.widths = picture.difference.widths;
    svg.ofTotals = picture.difference.ofTotals || picture.isInverted;
    svg.byRatio = picture.difference.byRatio;
    svg.unit = difference.basis.unit(difference.kind);
    return svg;
}

} // namespace

std::string rootName(const SampleDifference& difference)
{
    const std::string name = difference.subject.empty() ? "all" : difference.subject;
    switch (difference.basis.per) {
    case Per::Share: return name + ", share of all";
    case Per::Samples: return name + ", samples";
    case Per::Unit: return name + ", per unit of work";
    case Per::Run: break;
    }
    if (difference.isOfAllThreads)
        return name + ", CPU time of all threads per process";
    return difference.subject.empty() ? name : name + (difference.isOfCalls ? ", per call" : ", per process");
}

Result<SampleDifference> sampleDifference(const ComparedSamples& options, const ComparedSides& sides)
{
    const auto kinds = kindsOf(options, sides);
    if (!kinds)
        return kinds.error();
    StackProfile ofA = samplesOf(options, sides.a, kinds->a);
    StackProfile ofB = samplesOf(options, sides.b, kinds->b);
    SideNames names = namesOf(options, ofA, *sides.a.opened.timeline, ofB, *sides.b.opened.timeline);
    const auto limitsA = describeLimits(ofA, names.a, *sides.a.opened.timeline, "A: ");
    const auto limitsB = describeLimits(ofB, names.b, *sides.b.opened.timeline, "B: ");
    bool isOfAllThreads = false;
    if (options.hasTimeOffCpu && !sides.a.program.empty() && kinds->basis.canAddOffCpuTime(kinds->a, kinds->b)) {
        const auto runs = makeSideRuns(*sides.a.opened.timeline, sides.a.runs, *sides.b.opened.timeline, sides.b.runs);
        isOfAllThreads = runs.first.basis != BreakdownBasis::FirstThread;
        addOffCpuStacks(computeOffCpuStacks(runs.first), ofA, names.a);
        addOffCpuStacks(computeOffCpuStacks(runs.second), ofB, names.b);
    }
    CallTreeOptions how = options.tree;
    setMergeOptions(how, kinds->a, names.a, kinds->b, names.b);
    const CallTree a = treeOf(how, sides.a, ofA, names.a);
    const CallTree b = treeOf(how, sides.b, ofB, names.b);
    const auto runs = [](const ComparedRuns& side) { return static_cast<std::uint32_t>(std::max<std::size_t>(1, side.runs.size())); };
    SampleDifference difference;
    difference.subject = sides.a.program;
    difference.runsA = static_cast<std::uint32_t>(sides.a.runs.size());
    difference.runsB = static_cast<std::uint32_t>(sides.b.runs.size());
    difference.kindA = kinds->a;
    difference.kind = kinds->b;
    difference.basis = kinds->basis;
    difference.isOfAllThreads = isOfAllThreads;
    difference.limits = limitsA;
    difference.limits.insert(difference.limits.end(), limitsB.begin(), limitsB.end());
    if (!kinds->note.empty() && options.isScaled)
        difference.notes.push_back(kinds->note);
    if (names.omitsInlined)
        difference.notes.push_back(fmt::format("inlined functions count for their callers: {} has none", names.isOfA ? "A" : "B"));
    difference.tree = compareTrees(a, b, kinds->basis.scale({a.kind, a.whole, runs(sides.a)}, {b.kind, b.whole, runs(sides.b)}));
    const std::string samplesA = exactCount(a.whole.samples, a.kind.divisor());
    const std::string samplesB = exactCount(b.whole.samples, b.kind.divisor());
    difference.subtitle = sides.a.program.empty()
        ? fmt::format("{} samples in A, {} in B", samplesA, samplesB)
        : fmt::format("{} samples of {} in A, {} of {} in B", samplesA,
                      runs(sides.a) == 1 ? std::string("1 run") : fmt::format("{} runs", runs(sides.a)), samplesB, runs(sides.b));
    for (const std::string& note : difference.notes)
        difference.subtitle += "; " + note;
    return difference;
}

void writeDifference(const DifferencePicture& picture, const SampleDifference& difference, const TextSink& write)
{
    writeDifferenceSvg(difference.tree, svgOptions(picture, difference), write);
}

} // namespace helio
