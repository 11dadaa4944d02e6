#include "core/query/related/related.h"

#include "core/experiment/relation_answers.h"
#include "core/experiment/timeline_composer.h"

#include <string>

namespace helio {

Result<std::shared_ptr<const Timeline>> related(const Timeline& timeline, std::string_view relation, const RelationQuestion& question,
                                                std::stop_token stop)
{
    const auto kind = timeline.relationKinds->find(relation);
    if (!kind || !timeline.answers || timeline.relationKinds->all()[*kind]->when() != RelationKind::When::Asked)
        return Error{Error::Kind::NotFound, "there is no relation to ask about that is called \"" + std::string(relation) + '"'};
    auto answer = timeline.answers->answer(timeline, *kind, question, stop);
    if (!answer)
        return answer.error();
    auto with = std::make_shared<Timeline>(timeline);
    addRelation(*with, *kind, std::move(*answer));
    judgeClocks(*with);
    return std::shared_ptr<const Timeline>(std::move(with));
}

} // namespace helio
