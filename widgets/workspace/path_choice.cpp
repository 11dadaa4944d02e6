#include "widgets/workspace/path_choice.h"

#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "widgets/workspace/view_context.h"

#include <utility>

namespace helio {

namespace {

TrackRef threadIn(const Timeline& timeline, const NamedPathRequest& named)
{
    for (const Row& row : rows(timeline, named.view))
        if (int(row.trace) == named.trace && row.id == named.id)
            return row.ref;
    return {};
}

} // namespace

PathChoice::PathChoice(ViewContext& context)
    : QObject(&context)
    , m_context(context)
{
    connect(&context, &ViewContext::timelineChanged, this, &PathChoice::lookForThread);
}

PathChoice& PathChoice::of(ViewContext& context)
{
    auto* known = context.findChild<PathChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new PathChoice(context);
}

void PathChoice::setQuestion(std::optional<PathRequest> question)
{
    m_wanted.reset();
    m_job.cancel();
    const bool wereTogether = std::exchange(m_shownGroup, nullptr) != nullptr;
    const bool isOther = std::exchange(m_question, question) != question;
    if (isOther)
        emit changed();
    if (isOther || wereTogether)
        emit togetherChanged();
}

void PathChoice::show(const PathRequest& request, const QString& name)
{
    if (m_question == request) // Repeated request: the computation may have been stopped, so it is restarted.
        emit changed();
    setQuestion(request);
    if (!name.isEmpty())
        showGroup({name, {request}});
    m_context.showView(QStringLiteral("waited_for"));
}

void PathChoice::showGroup(PathGroup set)
{
    m_shownGroup = std::make_shared<const PathGroup>(std::move(set));
    emit togetherChanged();
}

void PathChoice::clearGroup()
{
    if (std::exchange(m_shownGroup, nullptr))
        emit togetherChanged();
}

void PathChoice::follow(TrackRef row)
{
    const auto timeline = m_context.timeline();
    const TimeRange selected = m_context.time().selection();
    const TrackRef thread =
        timeline ? findPathThread(*timeline, row, selected.isEmpty() ? m_context.time().cursor() : selected.begin) : TrackRef();
    if (!thread.isValid())
        return m_context.say(tr("Select a thread whose context switches and wake-ups were recorded"));
    const PathRequest question{thread, selected};
    if (m_question == question) // Repeated request: the computation may have been stopped, so it is restarted.
        emit changed();
    setQuestion(question);
}

std::optional<NamedPathRequest> PathChoice::named() const
{
    const auto timeline = m_context.timeline();
    const auto row = timeline && m_question ? rowOf(*timeline, m_question->thread) : std::nullopt;
    if (!row)
        return m_wanted;
    return NamedPathRequest{int(row->trace), std::string(viewOf(*timeline, m_question->thread)), row->id, m_question->range};
}

void PathChoice::setNamed(std::optional<NamedPathRequest> named)
{
    setQuestion({});
    m_wanted = std::move(named);
    lookForThread();
}

/// Searches for the row of the thread that m_wanted names. The search runs in the background, because there may be a hundred thousand rows.
void PathChoice::lookForThread()
{
    const auto timeline = m_context.timeline();
    if (!m_wanted || !timeline || (m_job.isBusy() && !isComplete(*timeline))) // A running search is not restarted while the timeline grows.
        return;
    m_job.post([this, timeline, wanted = *m_wanted](std::stop_token) -> LatestTask::Delivery {
        const TrackRef thread = threadIn(*timeline, wanted);
        return [this, thread, range = wanted.range, isLast = isComplete(*timeline) && !hasMissingRows(*timeline)] {
            if (thread.isValid())
                setQuestion(PathRequest{thread, range});
            else if (isLast)
                m_wanted.reset();
        };
    });
}

} // namespace helio
