// The analyses in files of a comparison: both sides run the same, and run them again when a file changes.

#include "app/analyses/analysis_notice.h"
#include "app/compare/compare_window.h"
#include "app/compare/comparison_docks.h"
#include "app/window/restore_place.h"
#include "widgets/sampling/editor_command.h"
#include "widgets/shell/notice_bar.h"
#include "widgets/shell/status_bar.h"

namespace helio {

void CompareWindow::wireAnalyses()
{
    m_analyses.setSwitches(m_settings.analyses());
    connect(&m_analyses, &DeclaredAnalyses::filesRead, this, &CompareWindow::listAnalyses);
    connect(&m_analyses, &DeclaredAnalyses::changed, this, &CompareWindow::runAnalyses);
    connect(m_notice, &NoticeBar::linkActivated, this, &CompareWindow::followNotice);
    for (const Side side : Sides) {
        connect(&session(side), &Session::aboutToReplace, this, [this, side] { m_places[std::size_t(side)] = placeOfRow(pane(side)); });
        connect(&session(side), &Session::replaced, this, [this, side] { restoreRow(pane(side), m_places[std::size_t(side)]); });
    }
    listAnalyses();
}

/// `options`: without the analyses of files. Files beside the traces of either side count.
void CompareWindow::chooseAnalyses(const Comparison& comparison, const ExperimentOptions& options)
{
    const QSignalBlocker quiet(&m_analyses); // The traces are opened with them at once.
    m_base = options;
    m_options = options;
    std::vector<std::filesystem::path> traces;
    for (const SessionState* side : {&comparison.a, &comparison.b})
        for (const QString& path : side->traces)
            traces.emplace_back(path.toStdString());
    m_analyses.setBase(options);
    m_analyses.setTraces(traces);
    m_analyses.addTo(m_options);
    listAnalyses();
}

void CompareWindow::listAnalyses()
{
    AnalysisList::of(m_context.a()).set(m_analyses.entries(nullptr), m_analyses.problems()); // Said once.
    AnalysisList::of(m_context.b()).set(m_analyses.entries(nullptr), {});
    showNotice(*m_notice, m_analyses.problems(), false);
}

/// Both sides stay as they are until they are there once more.
void CompareWindow::runAnalyses()
{
    m_analyses.addTo(m_options);
    for (const Side side : Sides)
        session(side).reopen(m_options);
}

void CompareWindow::followNotice(const QString& reference)
{
    const AnalysisProblem* first = firstError(m_analyses.problems());
    if (reference == "messages" || !first)
        return m_docks->showMessages(Side::A);
    if (!openInEditor(first->path, first->line))
        m_status->say(tr("%1 could not be opened: set VISUAL or EDITOR to your editor").arg(first->path));
}

} // namespace helio
