#include "widgets/workspace/example_hint.h"

#include "core/query/events/event_words.h"
#include "core/query/rows/facts.h"

namespace helio {

namespace {

constexpr int Delay = 300; ///< Delay in ms before the example is computed, because it is not urgent.

} // namespace

ExampleHint::ExampleHint(ViewContext& context, std::function<void(const QString&)> show)
    : m_context(context)
    , m_show(std::move(show))
    , m_answer(DebouncedQuery::Pace::Debounce, Delay, [this] { ask(); })
{
    take({});
    QObject::connect(&context, &ViewContext::timelineChanged, &m_answer, &DebouncedQuery::soon);
    m_answer.soon();
}

void ExampleHint::ask()
{
    const auto timeline = m_context.timeline();
    if (!timeline) {
        m_answer.cancel();
        return take({});
    }
    if (!isComplete(*timeline)) // The example is computed after reading has ended, because event counts change until then.
        return;
    m_answer.post([this, timeline](std::stop_token stop) -> LatestTask::Delivery {
        const QString example = QString::fromStdString(makeExampleFilter(timeline, stop));
        return [this, example] { take(example); };
    });
}

void ExampleHint::take(const QString& example)
{
    const QString shown = example.isEmpty() ? QStringLiteral("name == \"sched_switch\" && next_tid == 42") : example;
    if (shown == m_shown)
        return;
    m_shown = shown;
    m_show(shown);
}

} // namespace helio
