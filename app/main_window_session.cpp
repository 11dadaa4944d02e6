// Session files: what was open, where one looked, what was marked.

#include "app/main_window.h"
#include "core/query/row_lookup.h"
#include "widgets/shell/pages.h"
#include "widgets/shell/status_bar.h"
#include "widgets/views/view_context.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QStackedWidget>

namespace helio {

SessionState MainWindow::sessionState() const
{
    auto& context = const_cast<ViewContext&>(m_context);
    const TimeWindow& time = context.time();
    SessionState state;
    for (const QString& path : m_session->paths())
        state.traces << QFileInfo(path).absoluteFilePath();
    state.visible = time.visible();
    state.selection = time.selection();
    state.cursor = time.cursor();
    state.bookmarks = context.bookmarks().all();
    state.search = context.hits().text();
    state.filter = m_filter;
    state.layout = m_docks->layoutState();
    if (const auto timeline = context.timeline(); timeline && time.row().isValid()) {
        if (const auto row = rowOf(*timeline, time.row())) {
            const std::string_view view = viewOf(*timeline, time.row());
            state.rowView = QString::fromUtf8(view.data(), qsizetype(view.size()));
            state.rowId = QString::fromStdString(row->id);
            state.rowTrace = int(time.row().trace);
        }
    }
    return state;
}

void MainWindow::openSession(const QString& path)
{
    auto state = loadSession(path);
    if (!state || state->traces.isEmpty()) {
        m_session->close();
        m_page->setText(tr("%1 cannot be opened.").arg(QFileInfo(path).fileName()),
                        state ? tr("It names no traces.") : QString::fromStdString(state.error().what));
        return;
    }
    const bool isLast = path == Settings::lastSessionPath();
    m_sessionPath = isLast ? QString() : path;
    if (!isLast) {
        m_settings.addRecent({path});
        fillRecentMenu();
    }
    const QStringList traces = state->traces;
    m_session->open(traces, m_options);
    m_pending = std::move(*state);
}

void MainWindow::applyPending()
{
    if (!m_pending)
        return;
    const SessionState state = *std::exchange(m_pending, std::nullopt);
    TimeWindow& time = m_context.time();
    if (!state.visible.isEmpty())
        time.setVisible(state.visible);
    time.setSelection(state.selection);
    time.setCursor(state.cursor);
    m_context.bookmarks().setAll(state.bookmarks);
    if (!state.layout.isEmpty())
        m_docks->restoreLayoutState(state.layout);
    m_filter = state.filter;
    if (!state.filter.isEmpty())
        m_context.filter(state.filter);
    if (!state.search.isEmpty())
        m_context.search(state.search);
    if (state.rowTrace < 0)
        return;
    // The row may come with a later timeline: it is looked for until it is there.
    auto* waiting = new QObject(this);
    const auto look = [this, waiting, state] {
        const auto timeline = m_context.timeline();
        if (!timeline)
            return waiting->deleteLater();
        for (const Row& row : rows(*timeline, state.rowView.toStdString()))
            if (int(row.ref.trace) == state.rowTrace && row.id == state.rowId.toStdString()) {
                m_context.time().setRow(row.ref);
                return waiting->deleteLater();
            }
        if (timeline->isComplete) // It is not going to come.
            waiting->deleteLater();
    };
    connect(&m_context, &ViewContext::timelineChanged, waiting, look);
    look();
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
    m_settings.addRecent({path});
    fillRecentMenu();
    updateHeader();
    m_status->say(tr("Saved to %1").arg(path));
    return true;
}

QString MainWindow::suggestedSessionPath() const
{
    const QString first = m_session->paths().value(0);
    const QString suggestion = QFileInfo(first).absolutePath() + '/' + QFileInfo(first).completeBaseName() + ".heliograph";
    QString path = QFileDialog::getSaveFileName(const_cast<MainWindow*>(this), tr("Save the session"), suggestion,
                                                tr("Heliograph sessions (*.heliograph)"));
    if (!path.isEmpty() && !path.endsWith(".heliograph"))
        path += ".heliograph";
    return path;
}

void MainWindow::keepLastSession()
{
    if (m_stack->currentIndex() == 1 && !m_session->paths().isEmpty())
        (void)saveSession(sessionState(), Settings::lastSessionPath()).operator bool();
}

} // namespace helio
