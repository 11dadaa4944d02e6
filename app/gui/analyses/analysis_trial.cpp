#include "app/gui/analyses/xml_analyses.h"
#include "core/xml_analysis/merged/merged_analysis.h"

#include <algorithm>

namespace helio {

using namespace xml;

namespace {

void add(const std::vector<RuleReport>& from, std::vector<RuleFacts>& to)
{
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[i].line = int(from[i].place.line);
        to[i].element = QString::fromStdString(from[i].element);
        to[i].what = QString::fromStdString(from[i].what);
        to[i].events += from[i].events;
        to[i].fired += from[i].fired;
        for (const std::string& field : from[i].missing)
            if (const QString name = QString::fromStdString(field); !to[i].missing.contains(name))
                to[i].missing << name;
    }
}

} // namespace

AnalysisTrial runTrial(const XmlAnalysisKind& kind, const Timeline& timeline, std::optional<std::size_t> rule, std::stop_token stop)
{
    const auto kept = rule ? std::optional(FiringTimesRequest{*rule, AnalysisTrial::MostTimes}) : std::nullopt;
    AnalysisTrial trial;
    const auto take = [&](const CheckReport& report, const ClockTransform& clock) {
        add(report.rules, trial.rules);
        for (const HostTimestamp at : report.times)
            trial.times.push_back(clock(at));
        for (const Diagnostic& problem : report.problems)
            trial.problems << QString::fromStdString(problem.what);
    };
    if (isForExperiments(kind.declaration().program))
        take(checkMergedAnalysis(kind, timeline, stop, kept), {});
    else
        for (const TimelineTrace& t : timeline.traces)
            if (!stop.stop_requested() && t.trace && kind.appliesTo(*t.trace))
                take(checkAnalysis(kind, *t.trace, stop, kept), t.clock);
    std::ranges::sort(trial.times);
    if (trial.times.size() > AnalysisTrial::MostTimes)
        trial.times.resize(AnalysisTrial::MostTimes);
    return trial;
}

} // namespace helio
