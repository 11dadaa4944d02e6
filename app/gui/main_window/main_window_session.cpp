// Session files: the opened traces, the position and the marks.

#include "app/gui/common/session_position.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/main_window/main_window.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/workspace/saved_view_state.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QStackedWidget>

namespace helio {

SessionState MainWindow::sessionState() const
{
    SessionState state = positionOf(*m_pane);
    state.lockStat = lockStatPath();
    state.filter = filterOfEvents();
    state.layout = layout();
    state.layout["panels"] = m_pane->area().save();
    state.layout["views"] = m_docks->viewStates();
    QJsonArray attributes;
    for (const std::string& view : m_pane->area().asked())
        attributes << QString::fromStdString(view);
    state.layout["attributes"] = attributes;
    state.layout["analyses"] = switchesJson(m_analyses.switches());
    return state;
}

QString MainWindow::filterOfEvents() const
{
    const auto* events = dynamic_cast<const SavedViewState*>(m_docks->view("events"));
    return events ? events->save()["filter"].toString() : QString();
}

QJsonObject MainWindow::layout() const
{
    QJsonObject layout = m_docks->layoutState();
    layout["panelSizes"] = m_pane->area().panels()->layout();
    return layout;
}

/// Restores a layout from a session file; files of earlier versions contain less.
void MainWindow::restoreLayout(const QJsonObject& layout)
{
    if (layout.contains("panelSizes"))
        m_pane->area().panels()->restoreLayout(layout["panelSizes"].toObject());
    m_docks->restoreLayoutState(layout);
    m_docks->restoreViewStates(layout["views"].toObject());
}

void MainWindow::keepLayout()
{
    if (m_kind)
        m_settings.setLayout(*m_kind, layout());
}

void MainWindow::openSession(const QString& path)
{
    if (const auto comparison = loadComparison(path)) {
        rememberRecent(path);
        return showWith(*comparison);
    }
    auto state = loadSession(path);
    if (!state || (state->traces.isEmpty() && state->lockStat.isEmpty())) {
        closeLockStat();
        m_pane->session().close();
        m_page->setText(tr("%1 cannot be opened.").arg(QFileInfo(path).fileName()),
                        state ? tr("It names no traces.") : QString::fromStdString(state.error().what));
        return;
    }
    const bool isLast = path == Settings::lastSessionPath();
    m_sessionPath = isLast ? QString() : path;
    rememberRecent(path);
    m_pending.reset();
    if (state->traces.isEmpty())
        return openLockStatSession(*state);
    const QJsonValue switches = state->layout["analyses"]; // Files of earlier versions have no switches.
    openTraces(QStringList(state->traces), state->clocks, state->symbols,
               switches.isObject() ? std::optional(switchesFrom(switches.toObject())) : std::nullopt);
    m_pending = std::move(*state);
    if (m_pending->lockStat.isEmpty())
        closeLockStat();
    else
        openLockStat({m_pending->lockStat});
}

/// Opens a session with a lock_stat text and no traces.
void MainWindow::openLockStatSession(const SessionState& state)
{
    session().close();
    openLockStat({state.lockStat});
    m_docks->restoreViewStates(state.layout["views"].toObject());
}

void MainWindow::rememberRecent(const QString& path)
{
    if (path == Settings::lastSessionPath())
        return;
    m_settings.addRecent({path});
    fillRecentMenu();
}

void MainWindow::applyPending()
{
    if (!m_pending)
        return;
    const SessionState state = *std::exchange(m_pending, std::nullopt);
    restorePosition(*m_pane, state);
    if (!state.layout.isEmpty())
        restoreLayout(state.layout);
    for (const QJsonValue view : state.layout["attributes"].toArray())
        m_pane->area().setAsked(view.toString().toStdString(), true);
    m_pane->area().restore(state.layout["panels"].toObject());
    if (!state.filter.isEmpty() && state.filter != filterOfEvents())
        context().filter(state.filter);
    if (!state.search.isEmpty())
        context().search(state.search);
    m_pane->focusRows(); // Time navigation is the likely next action, whatever had the focus.
}

bool MainWindow::saveSessionTo(const QString& path)
{
    if (path.isEmpty())
        return false;
    const auto saved = saveSession(sessionState(), path);
    if (!saved) {
        m_status->say(QString::fromStdString(saved.error().what));
        return false;
    }
    m_sessionPath = path;
    rememberRecent(path);
    updateHeader();
    m_status->say(tr("Saved to %1").arg(path));
    return true;
}

QString MainWindow::suggestedSessionPath() const
{
    return askSessionPath(const_cast<MainWindow*>(this), tr("Save the session"), openedPaths().value(0));
}

Status MainWindow::keepLastSession()
{
    if (m_stack->currentIndex() != 1 || openedPaths().isEmpty())
        return Done{};
    Status saved = saveSession(sessionState(), Settings::lastSessionPath());
    if (!saved)
        m_status->say(tr("The last session was not saved: %1").arg(QString::fromStdString(saved.error().what)));
    return saved;
}

} // namespace helio
