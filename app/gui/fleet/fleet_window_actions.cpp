// Actions of FleetWindow: opening traces and catalogues, marks, comparisons.

#include "app/gui/common/actions.h"
#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/fleet/fleet_actions.h"
#include "app/gui/fleet/fleet_data.h"
#include "app/gui/fleet/fleet_details_page.h"
#include "app/gui/fleet/fleet_filter_bar.h"
#include "app/gui/fleet/fleet_status.h"
#include "app/gui/fleet/fleet_window.h"
#include "app/gui/fleet/trace_location.h"
#include "core/base/shell_words.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/dock_area.h"
#include "widgets/controls/drop_overlay.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/pages.h"
#include "widgets/fleet/fleet_model.h"
#include "widgets/time/qt_text.h"

#include <QAction>
#include <QApplication>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QTreeView>
#include <QUrl>

namespace helio {

void FleetWindow::bindFileActions()
{
    m_actions->on("file.open-fleet", [this] {
        const QString path = askOpenFile(this, tr("Open a catalogue of traces"), tr("Catalogues (*.db);;All files (*)"));
        if (!path.isEmpty())
            open(path);
    });
    connect(m_page, &EmptyPage::buttonClicked, &m_actions->at("file.open-fleet"), &QAction::trigger);
    m_actions->on("file.reload", [this] { open(m_data->path()); });
    m_actions->on("file.open-trace", [this] {
        if (m_current)
            openTrace(*m_current);
    });
    m_actions->on("file.copy-command", [this] {
        if (!m_current)
            return;
        const QString command = text("heliograph " + shellQuoted(m_data->table()->traces[*m_current].path));
        copyText(command);
        m_status->say(tr("Copied: %1").arg(command));
    });
    m_actions->on("file.close", [this] { close(); });
    m_actions->on("file.quit", [] { QApplication::quit(); });
}

void FleetWindow::bindOtherActions()
{
    m_actions->on("edit.find", [this] { m_filter->focusField(); });
    m_actions->on("edit.clear-filter", [this] { m_data->setConditions({}); });
    m_actions->at("view.details").setChecked(true);
    m_actions->onToggled("view.details", [this](bool isOn) { showDetails(isOn); });
    m_actions->on("view.sql", [this] { showSql(); });
    const QStringList themes{"view.theme-desktop", "view.theme-dark", "view.theme-light"};
    m_actions->group(themes);
    m_actions->at(themes[int(m_theme.choice())]).setChecked(true);
    for (int i = 0; i < themes.size(); ++i)
        m_actions->on(themes[i], [this, i] { m_theme.choose(Settings::ThemeChoice(i)); });
    m_actions->on("compare.set-a", [this] { toggleMark(0); });
    m_actions->on("compare.set-b", [this] { toggleMark(1); });
    m_actions->on("compare.marked", [this] {
        if (m_marked[0] && m_marked[1])
            compare(*m_marked[0], *m_marked[1]);
    });
    m_actions->on("compare.typical", [this] {
        if (m_current && m_details->typicalTrace())
            compare(*m_details->typicalTrace(), *m_current);
    });
    m_actions->on("help.palette", [this] { m_header->omnibox().open(); });
    m_actions->on("help.habits", [this] { HelpSheet::showOver(*this, fleetActions()); });
}

/// Gives the selected trace the mark A or B, or takes it away. A trace has one mark at most.
void FleetWindow::toggleMark(std::size_t side)
{
    if (!m_current)
        return;
    const bool wasMarked = m_marked[side] == m_current;
    if (m_marked[1 - side] == m_current)
        m_marked[1 - side].reset();
    m_marked[side] = wasMarked ? std::nullopt : m_current;
    updateMarks();
    if (m_marked[0] && m_marked[1])
        m_status->say(tr("A and B are marked: Compare A and B opens them side by side"));
}

void FleetWindow::fillMenu(QMenu& menu, const QModelIndex& cell)
{
    if (!cell.isValid())
        return;
    for (const char* const id : {"file.open-trace", "file.copy-command"})
        menu.addAction(&m_actions->at(id));
    menu.addSeparator();
    for (const char* const id : {"compare.set-a", "compare.set-b", "compare.marked", "compare.typical"})
        menu.addAction(&m_actions->at(id));
    menu.addSeparator();
}

QString FleetWindow::pathOf(std::uint32_t trace) const { return text(m_data->table()->traces[trace].path); }

/// Returns true if a trace is on this machine; otherwise, says where it is.
bool FleetWindow::canOpen(std::uint32_t trace)
{
    const QString problem = openProblem(m_data->table()->traces[trace]);
    m_notice->setNotice(problem, {});
    return problem.isEmpty();
}

void FleetWindow::openTrace(std::uint32_t trace)
{
    if (canOpen(trace))
        emit openRequested(pathOf(trace));
}

void FleetWindow::compare(std::uint32_t a, std::uint32_t b)
{
    if (canOpen(a) && canOpen(b))
        emit comparisonRequested(pathOf(a), pathOf(b));
}

namespace {

/// Returns the only local file that is dragged; empty if there is none, or more than one.
QString draggedFile(const QMimeData& dragged)
{
    const QList<QUrl> urls = dragged.urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

} // namespace

void FleetWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const QString file = draggedFile(*event->mimeData());
    if (file.isEmpty())
        return;
    event->acceptProposedAction();
    m_drop->show(tr("Drop to open the fleet %1").arg(QFileInfo(file).fileName()));
}

void FleetWindow::dragLeaveEvent(QDragLeaveEvent*) { m_drop->hide(); }

void FleetWindow::dropEvent(QDropEvent* event)
{
    m_drop->hide();
    if (const QString file = draggedFile(*event->mimeData()); !file.isEmpty()) {
        event->acceptProposedAction();
        open(file);
    }
}

} // namespace helio
