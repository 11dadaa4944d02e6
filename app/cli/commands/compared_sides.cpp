#include "app/cli/commands/compared_sides.h"

#include "app/cli/selection/sample_selection.h"
#include "core/compare/subject.h"
#include "core/query/rows/facts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace helio {
namespace {

bool isOn(const Timeline& timeline, const ProcessRun& run, const std::string& host)
{
    return timeline.hosts[run.leader.host].label == host;
}

/// Finds the runs of a program in an opened side; only runs on `host` if `host` is not empty.
ComparedRuns runsOf(OpenedExperiment opened, const std::string& program, const std::string& host)
{
    ComparedRuns side;
    side.program = program;
    if (!program.empty())
        side.runs = processRuns(*opened.timeline, program, opened.window);
    if (!host.empty())
        std::erase_if(side.runs, [&](const ProcessRun& it) { return !isOn(*opened.timeline, it, host); });
    side.opened = std::move(opened);
    return side;
}

} // namespace

Result<ComparedSides> openSides(const SideOptions& traces, const ReadingOptions& reading, const SelectionOptions& selection,
                                bool usesAllSamples)
{
    if (const auto done = checkSampleFilter(selection); !done)
        return done.error();
    auto a = openExperiment(traces.a, reading, selection, {.needsStates = true, .side = "A: "});
    if (!a)
        return a.error();
    auto b = openExperiment(traces.b.empty() ? traces.a : traces.b, reading, selection, {.needsStates = true, .side = "B: "});
    if (!b)
        return b.error();
    for (auto* side : {&*a, &*b}) {
        const auto done = addCorrelatedRows(*side);
        if (!done)
            return done.error();
    }
    if (traces.b.empty() && !areCountColumns(*a->timeline, *b->timeline))
        return Error{Error::Kind::Usage, "compare: --b TRACE... is missing; only folded stacks with two counts contain both A and B"};
    ComparedSides sides;
    sides.hasProblems = a->hasProblems || b->hasProblems;
    const bool isOfAll = usesAllSamples || !hasTimes(*a->timeline) || !hasTimes(*b->timeline);
    std::string program = isOfAll ? std::string() : selection.process;
    if (program.empty() && !isOfAll) {
        const auto common = commonPrograms(*a->timeline, a->window, *b->timeline, b->window);
        if (common.empty())
            return Error{Error::Kind::Unreadable,
                         "compare: no program ran in both A and B; select one with --process or compare all samples with --all"};
        const auto ranThere = [&](const std::string& name) {
            return selection.host.empty() || std::ranges::all_of(std::array{&*a, &*b}, [&](const OpenedExperiment* side) {
                       const auto runs = processRuns(*side->timeline, name, side->window);
                       return std::ranges::any_of(runs, [&](const ProcessRun& it) { return isOn(*side->timeline, it, selection.host); });
                   });
        };
        const auto there = std::ranges::find_if(common, ranThere);
        program = there != common.end() ? *there : common.front();
    }
    if (!program.empty() && (selection.filter || selection.thread || !selection.row.empty()))
        return Error{Error::Kind::Usage,
                     "compare: --filter, --thread and --row select threads, but a program is compared as a whole; use "
                     "--all to compare the selected samples"};
    sides.a = runsOf(std::move(*a), program, selection.host);
    sides.b = runsOf(std::move(*b), program, selection.host);
    for (const auto& [side, letter] : {std::pair(&sides.a, "A"), std::pair(&sides.b, "B")})
        if (!program.empty() && side->runs.empty())
            return Error{Error::Kind::Unreadable,
                         fmt::format("compare: no process \"{}\" ran in {}{}", program, letter,
                                     selection.host.empty() ? "" : " on " + selection.host)};
    return sides;
}

} // namespace helio
