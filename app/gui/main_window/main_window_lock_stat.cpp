// Shows a copy of /proc/lock_stat, with the traces or alone.

#include "app/gui/common/lock_stat_files.h"
#include "app/gui/main_window/main_window.h"
#include "core/query/rows/facts.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/overview/overview_strip.h"

#include <QFileInfo>

namespace helio {

namespace {

const QString LockStatDock = QStringLiteral("lock_stat");

} // namespace

void MainWindow::wireLockStat()
{
    LockStatText& text = LockStatText::of(context());
    m_lockStat = new LockStatReader(text, &text); // A child of the text that it fills, hence destroyed with it.
    connect(&text, &LockStatText::changed, this, [this] {
        updatePage();
        updateHeader();
        updateActions();
    });
}

QString MainWindow::lockStatPath() const { return LockStatText::of(m_pane->context()).path(); }

/// Returns the open traces and the lock_stat text shown with them.
QStringList MainWindow::openedPaths() const
{
    QStringList paths = m_pane->session().paths();
    if (!lockStatPath().isEmpty())
        paths << lockStatPath();
    return paths;
}

/// Closes traces that could not be opened.
void MainWindow::openLockStat(const QStringList& texts)
{
    if (texts.size() > 1)
        m_status->say(tr("One text of /proc/lock_stat is shown at a time: %1").arg(texts.front()));
    if (session().state() == Session::State::Failed)
        session().close();
    m_lockStat->read(QFileInfo(texts.front()).absoluteFilePath());
    if (session().state() == Session::State::Empty) {
        m_pane->area().overview()->hide();
        m_docks->setKind(RecordingKind::Untimed, {});
    }
    m_docks->show(LockStatDock);
}

void MainWindow::openLockStatBeside(const QStringList& texts)
{
    openLockStat(texts);
    m_settings.addRecent(openedPaths());
    fillRecentMenu();
}

void MainWindow::closeLockStat()
{
    m_lockStat->close();
    m_docks->hideOnDemand();
}

/// Brings the text that was opened with the traces to the front, unless a session restores the layout.
void MainWindow::showLockStatAgain()
{
    if (!lockStatPath().isEmpty() && !m_pending)
        m_docks->show(LockStatDock, false);
}

} // namespace helio
