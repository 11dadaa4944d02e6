#include "widgets/profiling/no_samples_page.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {

NoSamplesPage::NoSamplesPage(ViewContext& context, QWidget* parent)
    : EmptyPage(parent)
    , m_context(context)
    , m_samples(SampleModel::of(context))
{
    setInDock();
    connect(this, &EmptyPage::buttonClicked, this, [this] {
        if (const auto action = m_action)
            action();
    });
}

void NoSamplesPage::refresh()
{
    const CollectedSamples& shown = m_samples.shown();
    const auto timeline = m_context.timeline();
    m_action = nullptr;
    setButton({});
    if (!timeline)
        return setText(tr("No trace open."));
    const bool hasAny = std::ranges::any_of(m_samples.kinds(), [](const SampleKindFacts& it) { return it.samples > 0; });
    if (!hasAny && !isComplete(*timeline))
        return setText(tr("Reading \u2026"));
    if (!hasAny)
        return setText(tr("No samples or calls in this trace"),
                       QString::fromStdString(adviseRecording(RecordableData::Samples, timeline.get()).sentences()));
    const bool areCalls = m_samples.isOfCalls();
    if (!shown.profile)
        return setText(!m_samples.work().isEmpty() ? m_samples.work() + QStringLiteral(" \u2026") : tr("Nothing is selected."));
    const QString where = shown.isSelection ? tr("the selected range") : tr("the visible range");
    const QString length = durationText(shown.range.duration());
    if (!m_samples.scope().isEmpty()) {
        setText((areCalls ? tr("No calls of %1 in %2 (%3).") : tr("No samples of %1 in %2 (%3).")).arg(m_samples.scope(), where, length));
        setButton(tr("Show all threads"));
        m_action = [this] { m_samples.setOfAllThreads(true); };
        return;
    }
    setText((areCalls ? tr("No calls in %1 (%2).") : tr("No samples in %1 (%2).")).arg(where, length));
    const Duration wider = std::max<Duration>(std::chrono::milliseconds(10), 10 * shown.range.duration());
    setButton(tr("Widen to %1").arg(durationText(wider)));
    m_action = [this, wider, range = shown.range, isSelection = shown.isSelection] {
        const Timestamp middle = range.begin + range.duration() / 2;
        const TimeRange wide = TimeRange{middle - wider / 2, middle + wider / 2}.clippedTo(m_context.time().full());
        m_context.time().jump(isSelection ? TimeWindow::Target{.selection = wide} : TimeWindow::Target{.visible = wide});
    };
}

void NoSamplesPage::showAction(const QString& text, const QString& button, std::function<void()> action)
{
    setText(text);
    setButton(button);
    m_action = std::move(action);
}

QString samplesTitle(const CollectedSamples& shown)
{
    return shown.isSelection                           ? NoSamplesPage::tr("Selected range")
        : shown.timeline && !hasTimes(*shown.timeline) ? NoSamplesPage::tr("All samples")
                                                       : NoSamplesPage::tr("Visible range");
}

} // namespace helio
