#include "widgets/view/path_choice.h"

#include "core/query/path/path.h"
#include "widgets/view/view_context.h"

#include <utility>

namespace helio {

PathChoice::PathChoice(ViewContext& context)
    : QObject(&context)
    , m_context(context)
{
}

PathChoice& PathChoice::of(ViewContext& context)
{
    auto* known = context.findChild<PathChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new PathChoice(context);
}

void PathChoice::setQuestion(std::optional<PathQuestion> question)
{
    if (std::exchange(m_question, question) != question)
        emit changed();
}

void PathChoice::follow(TrackRef row)
{
    const auto timeline = m_context.timeline();
    const TimeRange selected = m_context.time().selection();
    const TrackRef thread =
        timeline ? pathThread(*timeline, row, selected.isEmpty() ? m_context.time().cursor() : selected.begin) : TrackRef();
    if (!thread.isValid())
        return m_context.say(tr("A critical path is of a thread whose switches and wake-ups were recorded: select its row"));
    setQuestion(PathQuestion{thread, selected});
}

} // namespace helio
