#include "widgets/docks/source/source_view.h"

#include "widgets/controls/pages.h"
#include "widgets/flame/view/flame_part.h"
#include "widgets/profiling/sample_text.h"
#include "widgets/time/time_format.h"

namespace helio {

SourceView::SourceView(ViewContext& context, QWidget* parent)
    : CodeView(context, parent)
    , m_samples(SampleModel::of(context))
{
    setWidths(1000, 1000);
    m_samples.serve(this);
    connect(&m_samples, &SampleModel::shownChanged, this, &SourceView::ask);
    connect(&m_samples, &SampleModel::functionChosen, this, &SourceView::ask);
    connect(&m_samples, &SampleModel::sourceRequested, this, &SourceView::askAndReveal);
    connect(page(), &EmptyPage::buttonClicked, this, [&context] { context.showView("flame_graph"); });
    refresh();
}

void SourceView::fetch(const SourcePaths& paths)
{
    const CollectedSamples samples = m_samples.shown();
    const auto& function = m_samples.function();
    if (!samples.profile || !samples.names || !function || function->code == CodeKind::Thread) {
        m_job.cancel();
        return take(nullptr);
    }
    m_job.post([this, samples, function = *function, paths](std::stop_token stop) -> LatestTask::Delivery {
        auto code = std::make_shared<Code>();
        code->annotation = annotate(*samples.profile, *samples.names, *samples.timeline, function, stop);
        code->sources = readSources(code->annotation.files, paths);
        code->colours = tokenizeSources(code->sources, code->annotation.files);
        return [this, code] { take(code); };
    });
}

void SourceView::take(std::shared_ptr<const Code> code)
{
    m_shown = std::move(code);
    refresh();
}

CodeView::Shown SourceView::shown() const { return m_shown ? Shown{&m_shown->annotation, m_shown->sources} : Shown(); }

CodeView::Rows SourceView::rows() const
{
    const Annotation& it = m_shown->annotation;
    const ShareBasis choice{isWithCallees(), m_samples.by()};
    return {sourceRows(it, m_shown->sources, m_shown->colours, choice), instructionRows(it, choice), findJumps(it)};
}

QString SourceView::countsText() const
{
    const Annotation& it = m_shown->annotation;
    const auto share = [&](const SampleSum& sum) { return shareText(amount(sum, m_samples.by()), amount(it.whole, m_samples.by()), 2); };
    const SampleKind kind = m_samples.shown().profile ? m_samples.shown().profile->kind : SampleKind();
    if (!it.hasAddresses)
        return tr("%1 self").arg(headingText(it.sums.self, m_samples.by(), kind));
    if (!(it.taken == it.sums.self))
        return tr("%1 self, %2; with inlined code %3; with callees %4")
            .arg(headingText(it.sums.self, m_samples.by(), kind), share(it.sums.self), share(it.taken), share(it.sums.total));
    return tr("%1 self, %2; with callees %3")
        .arg(headingText(it.sums.self, m_samples.by(), kind), share(it.sums.self), share(it.sums.total));
}

QStringList SourceView::problems() const
{
    const Annotation& it = m_shown->annotation;
    if (!it.hasAddresses)
        return {tr("Calls are recorded by function only, so the time by line is unknown; samples have lines. Details shows the states of "
                   "the thread during a call.")};
    const QString noCode = QString::fromStdString(withoutPlaces(it.code.noCodeReason));
    const QString noLines = QString::fromStdString(withoutPlaces(it.code.noLinesReason));
    if (noCode == noLines)
        return noCode.isEmpty() ? QStringList() : QStringList(noCode);
    QStringList problems;
    if (!noLines.isEmpty() && it.files.empty())
        problems << tr("No source lines: %1").arg(noLines);
    if (!noCode.isEmpty())
        problems << tr("No instructions: %1").arg(noCode);
    return problems;
}

void SourceView::fillPage(EmptyPage& page) const
{
    page.setText(tr("No function is selected."), tr("Ctrl+click a frame of the flame graph, or double-click a function."));
    page.setButton(tr("Flame graph"));
}

} // namespace helio
