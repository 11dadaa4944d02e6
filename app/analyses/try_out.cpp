#include "app/analyses/declared_analyses.h"
#include "core/declared/check.h"

#include <algorithm>

namespace helio {

using namespace declared;

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

std::shared_ptr<const AnalysisTrial> tryOut(const Timeline& timeline, const std::string& id, std::optional<std::size_t> rule,
                                            std::stop_token stop)
{
    const auto* kind = dynamic_cast<const DeclaredKind*>(timeline.analyses->find(id));
    if (!kind)
        return nullptr;
    auto trial = std::make_shared<AnalysisTrial>();
    for (const TimelineTrace& t : timeline.traces) {
        if (stop.stop_requested() || !t.trace || !kind->appliesTo(*t.trace))
            continue;
        const CheckReport report =
            checkOn(*kind, *t.trace, stop, rule ? std::optional(RuleTimes{*rule, AnalysisTrial::MostTimes}) : std::nullopt);
        add(report.rules, trial->rules);
        for (const HostTimestamp at : report.times)
            trial->times.push_back(t.clock(at));
        for (const Diagnostic& problem : report.problems)
            trial->problems << QString::fromStdString(problem.what);
    }
    std::ranges::sort(trial->times);
    if (trial->times.size() > AnalysisTrial::MostTimes)
        trial->times.resize(AnalysisTrial::MostTimes);
    return trial;
}

} // namespace helio
