// Analyses of a comparison that the user switches on and off: both sides run the same analyses, and run them again after a file changed.

#include "app/gui/analyses/analyses_menu.h"
#include "app/gui/analyses/analysis_file_actions.h"
#include "app/gui/analyses/analysis_notice.h"
#include "app/gui/analyses/plugin_list.h"
#include "app/gui/common/actions.h"
#include "app/gui/common/session_position.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/compare_window/comparison_docks.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/graph/time_panels.h"

#include <QMenu>

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {

namespace {

/// Appends the identities of the opened traces and of the analyses that the timeline comes from.
void addParts(const Timeline* timeline, std::vector<const void*>& parts)
{
    parts.push_back(timeline ? timeline->analyses.get() : nullptr);
    if (timeline)
        for (const TimelineTrace& it : timeline->traces)
            parts.push_back(it.trace.get());
}

} // namespace

void CompareWindow::wireAnalyses()
{
    m_fileActions = new AnalysisFileActions(*this, *m_status, m_analyses, m_settings, Plugins::ofUser());
    m_fileActions->serve(AnalysisList::of(m_context.a())); // The menu uses the list of side A.
    m_fileActions->bind(*m_actions);
    connect(m_fileActions, &AnalysisFileActions::permissionsChanged, this, &CompareWindow::useAllowedPlugins);
    connect(&m_analyses, &XmlAnalyses::filesRead, this, &CompareWindow::listAnalyses);
    connect(&m_analyses, &XmlAnalyses::changed, this, &CompareWindow::runAnalyses);
    connect(m_notice, &NoticeBar::linkActivated, this, &CompareWindow::followNotice);
    for (const Side side : Sides) {
        connect(&session(side), &Session::aboutToReplace, this,
                [this, side] { m_places[std::size_t(side)] = selectedRowPosition(pane(side)); });
        connect(&session(side), &Session::replaced, this, [this, side] { restoreRow(pane(side), m_places[std::size_t(side)]); });
        connect(&contextOf(side), &ViewContext::timelineChanged, this, &CompareWindow::listAnalysesOfOpened);
    }
    listAnalyses();
    makeAnalysesMenu();
}

void CompareWindow::makeAnalysesMenu()
{
    auto* lines = new AnalysesMenu(*m_actions->menu("Analyse"), m_actions->at("analyse.new"), AnalysisList::of(m_context.a()),
                                   {.canInspect = false, .canAsk = false}, this);
    const auto isShown = [this](const QString& view) {
        return std::ranges::any_of(Sides, [&](Side side) {
            TimeArea& area = pane(side).area();
            const TimePanel* panel = area.panel(view.toStdString());
            return panel && area.panels()->isPanelWanted(panel);
        });
    };
    lines->setAttributes(isShown, [this](const QString& view, bool isWanted) {
        for (const Side side : Sides)
            pane(side).area().setAsked(view.toStdString(), isWanted);
    });
}

namespace {

/// Returns the switches of the last comparison of these traces, else the switches of both sides; an analysis is on if it is on for a side.
QMap<QString, bool> switchesOfSides(const Settings& settings, const Comparison& comparison)
{
    QMap<QString, bool> switches = settings.analyses(comparison.a.traces + comparison.b.traces);
    if (!switches.isEmpty())
        return switches;
    switches = settings.analyses(comparison.a.traces);
    const QMap<QString, bool> ofB = settings.analyses(comparison.b.traces);
    for (auto it = ofB.begin(); it != ofB.end(); ++it)
        switches[it.key()] = it.value() || switches.value(it.key());
    return switches;
}

} // namespace

/// Chooses the analyses for both sides: those of `options`, and those of files, also of files beside the traces of either side.
void CompareWindow::chooseAnalyses(const Comparison& comparison, const ExperimentOptions& options)
{
    const QSignalBlocker quiet(&m_analyses); // Suppresses changed(): the traces are opened with these analyses right afterwards.
    m_base = options;
    m_options = options;
    const QStringList paths = comparison.a.traces + comparison.b.traces;
    std::vector<std::filesystem::path> traces;
    for (const QString& path : paths)
        traces.emplace_back(path.toStdString());
    const QJsonValue kept = comparison.layout["analyses"]; // Switches in a comparison's file.
    m_fileActions->setRecording(paths, kept.isObject() ? switchesFrom(kept.toObject()) : switchesOfSides(m_settings, comparison));
    m_analyses.setBase(options);
    m_analyses.setTraces(traces);
    m_analyses.addTo(m_options);
    listAnalyses();
}

/// Lists the analyses once per set of opened traces.
void CompareWindow::listAnalysesOfOpened()
{
    std::vector<const void*> of;
    for (const Side side : Sides)
        addParts(contextOf(side).timeline().get(), of);
    if (std::exchange(m_listedIdentities, of) != of)
        listAnalyses();
}

/// An analysis applies if it applies to a side.
void CompareWindow::listAnalyses()
{
    const auto entriesOf = [this](const Timeline* timeline) {
        std::vector<AnalysisEntry> entries = m_analyses.entries(timeline);
        std::ranges::move(pluginEntries(*m_analyses.base(), Plugins::ofUser(), m_analyses.switches(), timeline),
                          std::back_inserter(entries));
        return entries;
    };
    std::vector<AnalysisEntry> entries = entriesOf(m_context.a().timeline().get());
    for (const AnalysisEntry& ofB : entriesOf(m_context.b().timeline().get()))
        if (const auto ofA = std::ranges::find(entries, ofB.id, &AnalysisEntry::id); ofA != entries.end() && ofB.canRun())
            *ofA = ofB;
    AnalysisList::of(m_context.a()).set(entries, m_analyses.problems()); // Problems are listed for one side only.
    AnalysisList::of(m_context.b()).set(std::move(entries), {});
    showNotice(*m_notice, m_analyses.problems());
}

/// Both sides stay as they are until they are reopened.
void CompareWindow::runAnalyses()
{
    m_analyses.addTo(m_options);
    for (const Side side : Sides)
        session(side).reopen(m_options);
}

/// Handles a decision of the user about a plug-in, in this window or another one.
void CompareWindow::useAllowedPlugins()
{
    m_base.analyses = withAllowedPlugins(*m_analyses.base(), Plugins::ofUser());
    m_analyses.setBaseAnalyses(m_base.analyses);
    listAnalyses();
    runAnalyses();
}

void CompareWindow::followNotice(const QString& reference)
{
    const AnalysisProblem* first = firstError(m_analyses.problems());
    if (reference == "messages" || !first)
        return m_docks->showMessages(Side::A);
    if (reference == "inspect") // The inspector shows a single recording.
        return m_status->say(tr("Open A or B in a window of its own: its Analysis inspector counts what each rule of the file did"));
    m_fileActions->edit(first->path, first->line);
}

} // namespace helio
