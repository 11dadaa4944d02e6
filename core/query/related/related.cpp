#include "core/query/related/related.h"

#include "core/experiment/relation_answers.h"
#include "core/experiment/timeline_composer.h"

#include <algorithm>
#include <string>

namespace helio {
namespace {

/// The timeline and an answer of one of its relations.
std::shared_ptr<Timeline> with(const Timeline& timeline, std::size_t kind, RelationAnswers::Answer answer)
{
    auto made = std::make_shared<Timeline>(timeline);
    addRelation(*made, kind, std::move(answer));
    judgeClocks(*made);
    return made;
}

bool isShown(const RelationKind& kind, const Timeline& timeline)
{
    return kind.when() == RelationKind::When::Shown && kind.appliesTo(timeline);
}

} // namespace

Result<std::shared_ptr<const Timeline>> related(const Timeline& timeline, std::string_view relation, const RelationQuestion& question,
                                                std::stop_token stop)
{
    const auto kind = timeline.relationKinds->find(relation);
    if (!kind || !timeline.answers || timeline.relationKinds->all()[*kind]->when() != RelationKind::When::Asked)
        return Error{Error::Kind::NotFound, "there is no relation to ask about that is called \"" + std::string(relation) + '"'};
    auto answer = timeline.answers->answer(timeline, *kind, question, stop);
    if (!answer)
        return answer.error();
    return std::shared_ptr<const Timeline>(with(timeline, *kind, std::move(*answer)));
}

bool hasShownRows(const Timeline& timeline)
{
    return timeline.answers
        && std::ranges::any_of(timeline.relationKinds->all(), [&](const auto& kind) { return isShown(*kind, timeline); });
}

Result<std::shared_ptr<const Timeline>> withShownRows(const Timeline& timeline, std::stop_token stop)
{
    std::shared_ptr<Timeline> made;
    const auto kinds = timeline.relationKinds->all();
    for (std::size_t kind = 0; timeline.answers && kind < kinds.size(); ++kind) {
        if (!isShown(*kinds[kind], timeline))
            continue;
        auto answer = timeline.answers->answer(timeline, kind, {}, stop);
        if (!answer && answer.error().kind == Error::Kind::Cancelled)
            return answer.error();
        if (answer)
            made = with(made ? *made : timeline, kind, std::move(*answer));
        else
            (made = made ? made : std::make_shared<Timeline>(timeline))->diagnostics.push_back(notRelated(*kinds[kind], answer.error()));
    }
    return std::shared_ptr<const Timeline>(std::move(made));
}

} // namespace helio
