// Starts comparisons of an experiment with another position of it or with another recording.

#include "app/gui/common/open_dialog.h"
#include "app/gui/common/session_position.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/main_window/main_window.h"
#include "core/compare/subject.h"
#include "core/profiling/samples/collect_calls.h"
#include "core/query/rows/frame_text.h"
#include "core/query/segments/segments.h"
#include "widgets/compare/calls/call_comparison.h"
#include "widgets/controls/status_bar.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/workspace/go_to_call.h"

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
    connect(&SampleModel::of(context()), &SampleModel::callComparisonRequested, this, &MainWindow::compareShownCalls);
    m_actions->on("compare.calls", [this] { compareCallsOfSelected(); });
}

void MainWindow::compareWith(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    if (session().paths().isEmpty())
        return m_status->say(tr("Open what it is compared with first: it is A"));
    Comparison comparison = comparisonOf(session().paths(), paths);
    comparison.a.clocks = context().clocks().choice();
    showWith(comparison);
}

/// Removes the analyses of files, which the comparison window finds itself.
void MainWindow::showWith(const Comparison& comparison)
{
    ExperimentOptions options = m_options;
    m_analyses.removeFrom(options);
    showComparison(comparison, options, m_analyses.given());
}

/// Compares the calls that the docks show; only those in the selected range if the range is more than a single call.
void MainWindow::compareShownCalls(const SampledFunction& function)
{
    const SampleModel& samples = SampleModel::of(context());
    const CollectedSamples& shown = samples.shown();
    const auto kind = shown.timeline ? callKind(*shown.timeline, samples.kind()) : std::nullopt;
    if (kind)
        compareCalls(shown.timeline, kind->segments, function,
                     shown.isSelection && !stepRange(context()).isEmpty() ? std::optional(shown.range) : std::nullopt);
}

/// Compares the calls of the function at the cursor on the selected row; only those in the selected range if the range is more than a
/// single call.
void MainWindow::compareCallsOfSelected()
{
    const TimeWindow& time = m_pane->time();
    const auto timeline = context().timeline();
    const auto call = timeline ? callAt(*timeline, time.row(), time.cursor()) : std::nullopt;
    const TimeRange held = stepRange(context());
    m_pane->navigator().findCalled([this, timeline, call, held](const SampledFunction& function) {
        compareCalls(timeline, std::string(kindOf(*timeline, *call)), function, held.isEmpty() ? std::nullopt : std::optional(held));
    });
}

void MainWindow::compareCalls(std::shared_ptr<const Timeline> timeline, const std::string& kind, const SampledFunction& function,
                              std::optional<TimeRange> range)
{
    (new CallComparison(std::move(timeline), kind, function, range, this))->show();
}

void MainWindow::holdForComparison()
{
    const SessionState place = positionOf(*m_pane);
    if (place.selection.isEmpty() && place.rowTrace < 0)
        return m_status->say(tr("Select a range, a thread or a call first: it is held as A"));
    m_held = place;
    const auto timeline = context().timeline();
    const TimeWindow& time = m_pane->time();
    const auto call = timeline ? callOf(*timeline, {{}, time.row()}, time.selection()) : std::nullopt;
    if (call)
        m_status->say(tr("The call of %1 is held as A: select another one and compare it")
                          .arg(QString::fromStdString(frameText(*timeline, call->store, call->recorded.stack()))));
    else
        m_status->say(place.selection.isEmpty() ? tr("The thread is held as A: choose another one and compare it")
                                                : tr("The range is held as A: select another one and compare it"));
    updateActions();
}

void MainWindow::compareWithHeld()
{
    if (!m_held)
        return m_status->say(tr("Hold a range, a thread or a call as A first"));
    if (const auto comparison = comparePositions(*m_held, positionOf(*m_pane)))
        return showWith(*comparison);
    m_status->say(tr("This is what is held as A: select another range, thread or call"));
}

} // namespace helio
