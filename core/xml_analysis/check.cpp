#include "core/xml_analysis/check.h"

#include "core/trace/merged_events.h"

#include <algorithm>

namespace helio::xml {
namespace {

void addRules(const Program& program, std::vector<RuleReport>& rules)
{
    for (const EventHandler& handler : program.handlers)
        rules.push_back({handler.place, "eventHandler", handler.name, 0, 0, 0, {}, handler.events});
    for (const Fsm& fsm : program.fsms) {
        for (const Transition& it : fsm.preconditions)
            rules.push_back({it.place, "precondition", fsm.id + ": " + it.text, 0, 0, 0, {}, it.events});
        for (const FsmState& state : fsm.states)
            for (const Transition& it : state.transitions)
                rules.push_back({it.place, "transition", fsm.id + "." + state.id + ": " + it.text, 0, 0, 0, {}, it.events});
    }
}

void takeCounts(const Program& program, const std::vector<RuleStatistics>& counts, std::vector<RuleReport>& rules)
{
    for (std::size_t i = 0; i < std::min(counts.size(), rules.size()); ++i) {
        rules[i].events = counts[i].events;
        rules[i].asked = counts[i].asked;
        rules[i].fired = counts[i].fired;
        for (const auto& [field, missing] : counts[i].missing) {
            rules[i].missing.push_back(program.fields[field]);
            if (missing.events >= counts[i].asked)
                rules[i].alwaysMissing.push_back(program.fields[field]);
        }
    }
}

} // namespace

std::vector<RuleReport> makeRuleReports(const Program& program, const std::vector<RuleStatistics>& counts)
{
    std::vector<RuleReport> rules;
    addRules(program, rules);
    takeCounts(program, counts, rules);
    return rules;
}

CheckReport makeCheckReport(const XmlAnalysisKind& kind, XmlAnalysis& analysis, std::optional<FiringTimesRequest> times)
{
    CheckReport report;
    const Program& program = kind.declaration().program;
    const auto& counts = analysis.run().counts();
    report.rules = makeRuleReports(program, counts);
    if (times && times->rule < counts.size())
        report.times = counts[times->rule].times;
    report.problems = analysis.diagnostics();
    return report;
}

CheckReport checkAnalysis(const XmlAnalysisKind& kind, const Trace& trace, std::stop_token stop, std::optional<FiringTimesRequest> times)
{
    const Program& program = kind.declaration().program;
    const auto builder = makeUnnamedStoreBuilder({}, stop);
    XmlAnalysis analysis(kind.declaration(), trace, *builder, stop);
    if (times)
        analysis.keepTimes(times->rule, times->most);
    MergedEvents events(trace, {}, stop);
    HostTimestamp last;
    bool isBegun = false;
    for (EventRun run = events.nextRun(4096); !run.records.empty() && !stop.stop_requested(); run = events.nextRun(4096)) {
        if (!isBegun)
            analysis.begin(run.records.front().time);
        isBegun = true;
        last = run.records.back().time;
        analysis.onEvents(run);
        if (events.hasLosses())
            for (const Loss& loss : events.takeLosses())
                analysis.onLoss(loss);
    }
    if (isBegun)
        analysis.finish(last);
    CheckReport report = makeCheckReport(kind, analysis, times);
    if (const auto store = builder->finish({})) {
        report.attributes = static_cast<std::uint64_t>(std::ranges::count((*store)->tracks(), program.id, &Track::view));
        for (std::size_t i = 0; i < (*store)->segments().kinds().size(); ++i)
            if ((*store)->segments().kinds()[i].id == program.id)
                report.segments = (*store)->segments().sum(SegmentKindId(static_cast<std::uint8_t>(i))).count;
    }
    return report;
}

} // namespace helio::xml
