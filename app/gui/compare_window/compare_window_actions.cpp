// Actions of CompareWindow, and its handling of analyses. Both sides run the same analyses.

#include "app/gui/analyses/analyses_menu.h"
#include "app/gui/analyses/analysis_file_actions.h"
#include "app/gui/analyses/analysis_notice.h"
#include "app/gui/analyses/plugin_list.h"
#include "app/gui/common/actions.h"
#include "app/gui/common/edit_actions.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/common/position_link.h"
#include "app/gui/common/session_position.h"
#include "app/gui/common/shell_command.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/common/window_palette.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/compare_window/comparison_actions.h"
#include "app/gui/compare_window/comparison_docks.h"
#include "app/gui/compare_window/selected_rows.h"
#include "app/gui/compare_window/side_stacks.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/row_lookup.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/shown_command.h"

#include <QApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {

namespace {

/// Appends pointers to the analyses and the traces of the timeline. If two calls append equal pointers, the opened traces and their
/// analyses have not changed.
void addParts(const Timeline* timeline, std::vector<const void*>& parts)
{
    parts.push_back(timeline ? timeline->analyses.get() : nullptr);
    if (timeline)
        for (const TimelineTrace& it : timeline->traces)
            parts.push_back(it.trace.get());
}

/// Returns the analysis switches of the last comparison of these traces. If there was no such comparison, combines the switches that are
/// stored for the traces of each side: an analysis is on if it is on for any side.
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

void CompareWindow::makeMenus()
{
    for (const char* id : {"view.only-compared", "align.linked"})
        m_actions->at(id).setChecked(true);
    bindFileActions();
    auto* edit = new EditActions(*m_actions, m_changes, *this);
    connect(edit, &EditActions::remark, m_status, &StatusBar::say);
    bindViewActions();
    bindGoActions();
    bindAlignActions();
    bindCompareActions();
    m_actions->on("help.habits", [this] { HelpSheet::showOver(*this, comparisonActions()); });
    m_actions->on("help.palette", [this] { m_header->omnibox().open(); });
    m_actions->fill(*m_header);
    connect(m_actions->menu("View"), &QMenu::aboutToShow, this, &CompareWindow::updateCpuAction);
    QMenu* file = m_actions->menu("File");
    file->insertActions(file->actions().at(file->actions().indexOf(&m_actions->at("file.save-as")) + 1), m_docks->exports());
}

void CompareWindow::bindFileActions()
{
    m_actions->on("file.save", [this] { save(m_path); });
    m_actions->on("file.save-as", [this] { save({}); });
    m_actions->on("file.copy-command", [this] { copyCommand(); });
    m_actions->on("file.symbols", [this] {
        if (SymbolsDialog::ask(*this))
            open(comparison(), m_base);
    });
    m_actions->on("file.cancel", [this] {
        for (const Side side : Sides)
            pane(side).cancel();
    });
    m_actions->at("file.cancel").setEnabled(false); // The action is disabled until updateProgress() enables it.
    m_actions->on("file.close", [this] { close(); });
    m_actions->on("file.quit", [] { QApplication::quit(); });
}

/// Copies the command that prints what the current dock shows.
void CompareWindow::copyCommand()
{
    const QString page = m_docks->currentPage();
    for (const Side side : Sides)
        for (const auto& [prefix, command] : {std::pair("messages-", "info"), std::pair("clocks-", "sync")})
            if (page == prefix + letterOf(side)) {
                const QString text =
                    makeShellCommand({{command}, {}, {}}, session(side).paths(), withSavedSymbols(m_options), m_analyses.given());
                copyText(text);
                return m_status->say(tr("Copied: %1").arg(text));
            }
    if (page == "source")
        return m_status->say(tr("No command compares the source of both sides"));
    QStringList words;
    if (m_context.comparesThreads()) {
        std::vector<std::int32_t> tids;
        for (const Side side : Sides)
            if (const auto row = rowOf(*contextOf(side).timeline(), m_context.subject(side).thread))
                tids.push_back(row->tid);
        if (tids.size() != 2 || tids[0] != tids[1] || tids[0] < 0)
            return m_status->say(tr("No command compares two threads with different TIDs"));
        words += optionWords("--thread", QString::number(tids[0]));
    } else {
        words += optionWords("--process", m_context.program());
    }
    const auto hasSamples = [this](Side side) { return !sampleKinds(*contextOf(side).timeline()).empty(); };
    if (page == "difference" && std::ranges::all_of(Sides, hasSamples))
        words << "--format"
              << "table";
    else if (page == "functions" || page == "durations")
        words << "--" + page;
    const QString text =
        makeCompareCommand(session(Side::A).paths(), session(Side::B).paths(), words, withSavedSymbols(m_options), m_analyses.given());
    copyText(text);
    const bool hasRange = std::ranges::any_of(Sides, [this](Side side) { return !contextOf(side).time().selection().isEmpty(); });
    m_status->say(hasRange ? tr("Copied (without the selected range): %1").arg(text) : tr("Copied: %1").arg(text));
}

void CompareWindow::bindViewActions()
{
    m_actions->on("view.zoom-in", [this] { current().axis().zoomIn(); });
    m_actions->on("view.zoom-out", [this] { current().axis().zoomOut(); });
    m_actions->on("view.pan-left", [this] { current().axis().panLeft(); });
    m_actions->on("view.pan-right", [this] { current().axis().panRight(); });
    m_actions->on("view.fit", [this] {
        pane(Side::A).axis().fit();
        if (!m_context.link().isLinked())
            pane(Side::B).axis().fit();
    });
    m_actions->on("view.zoom-selection", [this] { current().axis().zoomToSelection(); });
    m_actions->on("view.clear-selection", [this] { current().axis().dismiss(); });
    m_actions->on("view.differences", [this] { m_docks->toggleDifferences(); });
    for (const Side side : Sides)
        m_actions->on(side == Side::A ? QStringLiteral("view.clocks-a") : QStringLiteral("view.clocks-b"), [this, side] {
            if (!m_docks->showClocks(side))
                m_status->say(tr("%1 has a single host: nothing to synchronize").arg(letterOf(side)));
        });
    m_actions->on("view.why-slower", [this] { m_docks->toggleWhySlower(); });
    m_actions->onToggled("view.cpus", [this](bool areShown) { showCpus(areShown, true); });
    const QStringList themes{"view.theme-desktop", "view.theme-dark", "view.theme-light"};
    m_actions->group(themes);
    m_actions->at(themes[int(m_theme.choice())]).setChecked(true);
    for (int i = 0; i < themes.size(); ++i)
        m_actions->on(themes[i], [this, i] { m_theme.choose(Settings::ThemeChoice(i)); });
    m_actions->on("view.beside", [this] {
        setBeside(!m_stacks->isBeside());
        explainDifferenceLane();
    });
    m_actions->on("view.only-compared", [this] { filterThreads(); });
}

void CompareWindow::bindGoActions()
{
    m_actions->on("go.back", [this] { current().time().back(); });
    m_actions->on("go.forward", [this] { current().time().forward(); });
    m_actions->on("go.bookmark", [this] {
        current().navigator().putBookmark();
        m_status->say(tr("Bookmark added in %1").arg(current().letter()));
    });
    m_actions->on("go.copy-link", [this] {
        ExperimentPane& side = current();
        ExperimentOptions options = m_options;
        options.symbols = side.session().symbols();
        const QString text =
            makeWindowCommand(positionWords(side), side.session().paths(), withSavedSymbols(std::move(options)), m_analyses.given());
        copyText(text);
        m_status->say(tr("Copied: %1").arg(text));
    });
    m_actions->on("go.time", [this] { m_header->omnibox().open(":"); });
}

void CompareWindow::bindAlignActions()
{
    m_actions->on("align.linked", [this] {
        m_context.link().setLinked(!m_context.link().isLinked());
        explainDifferenceLane();
    });
    m_actions->on("align.by-run", [this] { m_alignment->alignBy(AlignmentControl::By::Subject); });
    m_actions->on("align.by-event", [this] { m_alignment->alignBy(AlignmentControl::By::Start); });
    m_actions->on("align.by-function", [this] {
        bool isGiven = false;
        const QString function = QInputDialog::getText(this, tr("Align"), tr("Align at the first sample in this function on each side:"),
                                                       QLineEdit::Normal, m_alignment->function(), &isGiven);
        if (isGiven && !function.trimmed().isEmpty())
            m_alignment->alignByFunction(function.trimmed());
    });
    m_actions->on("align.by-bookmarks", [this] { m_alignment->alignByBookmarks(); });
    m_actions->on("align.by-cursors", [this] {
        m_alignment->alignByHand({m_context.a().time().cursor(), m_context.b().time().cursor()});
        m_context.link().setLinked(true);
    });
}

void CompareWindow::bindCompareActions()
{
    m_actions->on("compare.threads", [this] {
        if (!m_selected->compareThreads())
            m_status->say(tr("Select a thread on each side; unlink the axes (L) to select rows separately"));
    });
    m_actions->on("compare.exchange", [this] {
        Comparison now = comparison();
        std::swap(now.a, now.b);
        std::swap(now.zero.a, now.zero.b);
        open(now, m_base);
    });
}

void CompareWindow::makePalette()
{
    m_palette = new WindowPalette(*m_header, this);
    for (const Side side : Sides)
        m_palette->add(pane(side));
    m_palette->setFunctions([this](const QString& text) {
        return functionItems(m_docks->functions(), text, [this](const SampledFunction& function) { m_docks->showFunction(function); });
    });
    m_header->omnibox().setPlaceholderText(tr("Search threads, functions and times, or type > for a command"));
}

void CompareWindow::explainDifferenceLane()
{
    if (!m_context.link().isLinked())
        m_status->say(tr("Axes unlinked: B \u2212 A has no lane; press L to link them"));
    else if (m_stacks->isBeside())
        m_status->say(tr("Side by side: B \u2212 A has no lane; press F8 to put A above B"));
    else
        m_status->say({});
}

void CompareWindow::wireAnalyses()
{
    m_fileActions = new AnalysisFileActions(*this, *m_status, m_analyses, m_settings, Plugins::ofUser());
    // Connect the file actions to the analysis list of side A only, because the menu shows this list.
    m_fileActions->serve(AnalysisList::of(m_context.a()));
    m_fileActions->bind(*m_actions);
    connect(m_fileActions, &AnalysisFileActions::permissionsChanged, this, &CompareWindow::useAllowedPlugins);
    connect(&m_analyses, &XmlAnalyses::filesRead, this, &CompareWindow::listAnalyses);
    connect(&m_analyses, &XmlAnalyses::changed, this, &CompareWindow::runAnalyses);
    connect(m_notice, &NoticeBar::linkActivated, this, &CompareWindow::followNotice);
    for (const Side side : Sides) {
        connect(&session(side), &Session::aboutToReplace, this,
                [this, side] { m_selectedRowPositions[std::size_t(side)] = selectedRowPosition(pane(side)); });
        connect(&session(side), &Session::replaced, this,
                [this, side] { restoreRow(pane(side), m_selectedRowPositions[std::size_t(side)]); });
        connect(&contextOf(side), &ViewContext::timelineChanged, this, &CompareWindow::listAnalysesOfOpened);
    }
    listAnalyses();
    makeAnalysesMenu();
}

void CompareWindow::makeAnalysesMenu()
{
    auto* lines = new AnalysesMenu(*m_actions->menu("Analysis"), m_actions->at("analyse.new"), AnalysisList::of(m_context.a()),
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

/// Sets the analyses that run on both sides: the analyses in `options`, and those of analysis files, including files in the folders of the
/// traces of A and B.
void CompareWindow::chooseAnalyses(const Comparison& comparison, const ExperimentOptions& options)
{
    const QSignalBlocker quiet(&m_analyses); // Block changed(), because the traces are opened with these analyses right afterwards.
    m_base = options;
    m_options = options;
    const QStringList paths = comparison.a.traces + comparison.b.traces;
    std::vector<std::filesystem::path> traces;
    for (const QString& path : paths)
        traces.emplace_back(path.toStdString());
    // Analyses that the user switched on or off in this comparison; stored in the comparison's file.
    const QJsonValue kept = comparison.layout["analyses"];
    m_fileActions->setRecording(paths, kept.isObject() ? switchesFrom(kept.toObject()) : switchesOfSides(m_settings, comparison));
    m_analyses.setBase(options);
    m_analyses.setTraces(traces);
    m_analyses.addTo(m_options);
    listAnalyses();
}

/// Updates the list of analyses once for each set of opened traces.
void CompareWindow::listAnalysesOfOpened()
{
    std::vector<const void*> of;
    for (const Side side : Sides)
        addParts(contextOf(side).timeline().get(), of);
    if (std::exchange(m_listedIdentities, of) != of)
        listAnalyses();
}

/// Updates the list of analyses. An analysis applies if it applies to any side.
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
    // Pass the problems only to side A, so that they are not listed twice.
    AnalysisList::of(m_context.a()).set(entries, m_analyses.problems());
    AnalysisList::of(m_context.b()).set(std::move(entries), {});
    showNotice(*m_notice, m_analyses.problems());
}

/// Reopens both sides with the current analyses. Until a side is read again, the window keeps showing its current results.
void CompareWindow::runAnalyses()
{
    m_analyses.addTo(m_options);
    for (const Side side : Sides)
        session(side).reopen(m_options);
}

/// Applies the user's latest decisions about plug-ins, which may have been made in another window. Allowed plug-ins are added to the
/// analyses and forbidden ones are removed; then the analyses of both sides run again.
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
    if (reference == "inspect") // The rule inspector is only in the main window, because it shows a single recording.
        return m_status->say(tr("Open A or B in its own window: its analysis inspector counts how often each rule of the file matched"));
    m_fileActions->edit(first->path, first->line);
}

} // namespace helio
