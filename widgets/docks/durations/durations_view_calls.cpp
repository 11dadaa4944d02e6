#include "core/profiling/calls/function_calls.h"
#include "core/query/segments/segments.h"
#include "widgets/controls/pages.h"
#include "widgets/docks/durations/call_steps.h"
#include "widgets/docks/durations/duration_chart.h"
#include "widgets/docks/durations/durations_view.h"
#include "widgets/profiling/sample_model.h"

#include <algorithm>
#include <utility>

// Calls of one function: the function of the call at the cursor, or the function that another view selected. The more recent of these two
// choices applies.
namespace helio {

namespace {

std::optional<SegmentKind> callSegments(const Timeline& timeline)
{
    const std::vector<SegmentKind> kinds = segmentKinds(timeline);
    const auto calls = std::ranges::find_if(kinds, &SegmentKind::areCalls);
    return calls != kinds.end() ? std::optional(*calls) : std::nullopt;
}

} // namespace

IntervalKind IntervalDurationsView::callsOfFunction()
{
    return {{}, tr("Calls of a function").toStdString(), tr("Function").toStdString()};
}

void IntervalDurationsView::follow(bool chosen)
{
    m_followsChosen = chosen;
    if (isOfFunction())
        m_answer.soon();
}

/// Queries the calls of the selected function, otherwise of the function whose call is at the cursor. Without both, the shown function is
/// kept, so that the user can compare its calls in several time ranges.
void IntervalDurationsView::fetchCalls(const Question& question)
{
    if (!callSegments(*question.timeline)) {
        m_function.reset();
        return showNothing();
    }
    const auto chosen = m_followsChosen ? m_samples.function() : std::nullopt;
    const auto before = m_function;
    const bool isAnswered = question == m_answered;
    m_answer.post([this, question, chosen, before, isAnswered, row = m_context.time().row(),
                   at = m_context.time().cursor()](std::stop_token stop) -> LatestTask::Delivery {
        const Timeline& timeline = *question.timeline;
        const auto names = callNamesOf(question.timeline, stop);
        const auto own = callAt(timeline, row, at);
        const auto function = chosen ? chosen : own ? std::optional(FunctionCalls(timeline, *names, *own).function()) : before;
        if (!function)
            return [this, question] { answer(question, nullptr); };
        const FunctionCalls calls(timeline, *names, *function);
        const auto ownLength = own && calls.contains(*own) ? std::optional(lengthOf(own->range)) : std::nullopt;
        if (isAnswered && before && calls.hasSameFunction({timeline, *names, *before}))
            return [this, ownLength] { m_chart->setOwn(ownLength); };
        auto lines = std::make_shared<const std::vector<DurationStats>>(
            durationStats(question.timeline, {{}, question.range, function}, MostBuckets, stop));
        return [this, question, function, lines, ownLength] {
            m_function = function;
            answer(question, lines);
            m_chart->setOwn(ownLength);
        };
    });
}

void IntervalDurationsView::showNoCalls()
{
    const auto timeline = m_context.timeline();
    if (m_function)
        m_nothing->setText(tr("%1 was never called").arg(QString::fromStdString(m_function->label())));
    else if (timeline && !callSegments(*timeline))
        m_nothing->setText(tr("No function calls were recorded"),
                           tr("LTTng records them for programs built with -finstrument-functions, and for Python"));
    else
        m_nothing->setText(tr("Select a call in a call stack panel or a function in the Functions dock"));
}

ShownCommand IntervalDurationsView::callsCommand() const
{
    if (!m_answered || !m_chosen || !m_function)
        return ShownCommand::none(tr("No function's durations are shown."));
    if (m_function->name.empty() && !m_chosen->name.starts_with("0x"))
        return ShownCommand::none(tr("No command selects the calls of a function without a symbol."));
    return {QStringList{"latency"} + optionWords("--of", QString::fromStdString(callSegments(*m_answered->timeline)->id))
                + optionWords("--filter", makeNameFilter(m_chosen->name)),
            {},
            {}};
}

void IntervalDurationsView::showSteps() { m_steps->setCalls(isOfFunction() && m_marks.areShown() ? m_bucket : nullptr, m_marks.current()); }

} // namespace helio
