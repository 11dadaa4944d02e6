#include "core/query/related/related.h"

#include "core/analysis/track_view.h"
#include "core/experiment/correlation_cache.h"
#include "core/experiment/timeline_composer.h"

#include <algorithm>
#include <string>

namespace helio {
namespace {

/// Returns a copy of the timeline with the result of one correlator added.
std::shared_ptr<Timeline> with(const Timeline& timeline, std::size_t kind, CorrelationCache::CorrelationPtr answer)
{
    auto made = std::make_shared<Timeline>(timeline);
    addCorrelation(*made, kind, std::move(answer));
    assessClocks(*made);
    return made;
}

/// True if the correlator runs only when its rows are shown, and has rows in `view` (empty: in any view).
bool isShown(const Correlator& kind, const Timeline& timeline, std::string_view view)
{
    return kind.when() == Correlator::When::Shown && (view.empty() || std::ranges::count(kind.views(), view, &TrackView::id) > 0)
        && kind.appliesTo(timeline);
}

} // namespace

Result<std::shared_ptr<const Timeline>> related(const Timeline& timeline, std::string_view relation, const CorrelatorRequest& question,
                                                std::stop_token stop)
{
    const auto kind = timeline.correlatorRegistry->find(relation);
    if (!kind || !timeline.answers || timeline.correlatorRegistry->all()[*kind]->when() != Correlator::When::Asked)
        return Error{Error::Kind::NotFound, "there is no on-demand correlator named \"" + std::string(relation) + '"'};
    auto answer = timeline.answers->answer(timeline, *kind, question, stop);
    if (!answer)
        return answer.error();
    return std::shared_ptr<const Timeline>(with(timeline, *kind, std::move(*answer)));
}

bool isPart(const Timeline& timeline, std::string_view relation)
{
    const auto kind = timeline.correlatorRegistry->find(relation);
    return kind && *kind < timeline.relations.size() && timeline.relations[*kind] && timeline.relations[*kind]->isPart;
}

bool hasMissingRows(const Timeline& timeline)
{
    const auto kinds = timeline.correlatorRegistry->all();
    for (std::size_t kind = 0; timeline.answers && kind < kinds.size(); ++kind)
        if (const bool isThere = kind < timeline.relations.size() && timeline.relations[kind];
            !isThere && isShown(*kinds[kind], timeline, {}))
            return true;
    return false;
}

namespace {

/// Returns the timeline with the rows of all correlators for which isWanted(kind) is true; nullptr if there are no such correlators.
template <typename IsWanted>
Result<std::shared_ptr<const Timeline>> withRows(const Timeline& timeline, const IsWanted& isWanted, const std::stop_token& stop)
{
    std::shared_ptr<Timeline> made;
    const auto kinds = timeline.correlatorRegistry->all();
    for (std::size_t kind = 0; timeline.answers && kind < kinds.size(); ++kind) {
        if (!isWanted(*kinds[kind]))
            continue;
        auto answer = timeline.answers->answer(timeline, kind, {}, stop);
        if (!answer && answer.error().kind == Error::Kind::Cancelled)
            return answer.error();
        if (answer)
            made = with(made ? *made : timeline, kind, std::move(*answer));
        else
            (made = made ? made : std::make_shared<Timeline>(timeline))
                ->diagnostics.push_back(correlatorFailure(*kinds[kind], answer.error()));
    }
    return std::shared_ptr<const Timeline>(std::move(made));
}

} // namespace

Result<std::shared_ptr<const Timeline>> withShownRows(const Timeline& timeline, std::stop_token stop, std::string_view view)
{
    return withRows(
        timeline, [&](const Correlator& kind) { return isShown(kind, timeline, view); }, stop);
}

Result<std::shared_ptr<const Timeline>> withRowsOfStates(std::shared_ptr<const Timeline> timeline, std::string_view view,
                                                         std::stop_token stop)
{
    const auto haveStates = [&](const Correlator& kind) {
        return isShown(kind, *timeline, view) && !std::ranges::all_of(kind.views(), &TrackView::areCalls);
    };
    auto made = withRows(*timeline, haveStates, stop);
    return made && !*made ? std::move(timeline) : std::move(made);
}

std::shared_ptr<const Timeline> withCopiedRows(std::shared_ptr<const Timeline> timeline, const Timeline& before)
{
    const auto kinds = timeline->correlatorRegistry->all();
    std::shared_ptr<Timeline> made;
    if (timeline->clockSettings.guests != before.clockSettings.guests)
        // The user changed the virtual machines, so the rows of the previous timeline are wrong. Copy none of them.
        return timeline;
    for (std::size_t kind = 0; timeline->correlatorRegistry == before.correlatorRegistry && kind < kinds.size(); ++kind) {
        const bool isThere = kind < timeline->relations.size() && timeline->relations[kind];
        if (isThere || kind >= before.relations.size() || !before.relations[kind] || !isShown(*kinds[kind], *timeline, {}))
            continue;
        made = with(made ? *made : *timeline, kind, before.relations[kind]);
    }
    return made ? std::shared_ptr<const Timeline>(std::move(made)) : timeline;
}

} // namespace helio
