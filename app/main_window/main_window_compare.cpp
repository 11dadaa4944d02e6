// From one experiment to two: what the next place, or another recording, is compared with.

#include "app/compare/compare_window.h"
#include "app/main_window/main_window.h"
#include "app/window/open_dialog.h"
#include "app/window/restore_place.h"
#include "core/query/samples/collect_calls.h"
#include "widgets/compare/calls/call_comparison.h"
#include "widgets/sampling/sample_model.h"
#include "widgets/shell/status_bar.h"

#include <QFileDialog>

namespace helio {

void MainWindow::bindCompareActions()
{
    m_actions->on("compare.with-files", [this] { compareWith(OpenDialog::ask(tr("Compare with these, as B"), this)); });
    m_actions->on("compare.with-folder", [this] {
        if (const QString folder = QFileDialog::getExistingDirectory(this, tr("Compare with a folder of traces, as B")); !folder.isEmpty())
            compareWith({folder});
    });
    m_actions->on("compare.hold", [this] { holdForComparison(); });
    m_actions->on("compare.with-held", [this] { compareWithHeld(); });
    connect(&SampleModel::of(context()), &SampleModel::callComparisonRequested, this, &MainWindow::compareCalls);
}

void MainWindow::compareWith(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    if (session().paths().isEmpty())
        return m_status->say(tr("Open what it is compared with first: it is A"));
    showComparison(comparisonOf(session().paths(), paths), m_options);
}

void MainWindow::compareCalls(const SampledFunction& function)
{
    const SampleModel& samples = SampleModel::of(context());
    const ShownSamples& shown = samples.shown();
    const auto kind = shown.timeline ? callKind(*shown.timeline, samples.kind()) : std::nullopt;
    if (!kind)
        return;
    const auto range = shown.isSelection ? std::optional(shown.range) : std::nullopt;
    (new CallComparison(shown.timeline, kind->segments, function, range, this))->show();
}

void MainWindow::holdForComparison()
{
    const SessionState place = placeOf(*m_pane);
    if (place.selection.isEmpty() && place.rowTrace < 0)
        return m_status->say(tr("Select a range or a thread first: it is held as A"));
    m_held = place;
    m_status->say(place.selection.isEmpty() ? tr("The thread is held as A: choose another one and compare it")
                                            : tr("The range is held as A: select another one and compare it"));
    updateActions();
}

void MainWindow::compareWithHeld()
{
    if (!m_held)
        return m_status->say(tr("Hold a range or a thread as A first"));
    if (const auto comparison = comparisonOfPlaces(*m_held, placeOf(*m_pane)))
        return showComparison(*comparison, m_options);
    m_status->say(tr("This is what is held as A: select another range or thread"));
}

} // namespace helio
