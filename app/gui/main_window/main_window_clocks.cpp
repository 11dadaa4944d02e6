// Actions on the clocks of the hosts outside the dock of clocks.

#include "app/gui/main_window/main_window.h"
#include "app/timesync/clock_files.h"
#include "app/timesync/moment_alignment.h"
#include "widgets/controls/notice_bar.h"

namespace helio {

void MainWindow::bindClockActions()
{
    m_momentAlignment = new MomentAlignment(context(), this);
    m_clockNotice->setTask();
    connect(m_clockNotice, &NoticeBar::closed, m_momentAlignment, &MomentAlignment::cancel);
    connect(m_momentAlignment, &MomentAlignment::changed, this, &MainWindow::showMomentAlignment);
    connect(m_clockNotice, &NoticeBar::linkActivated, this, [this](const QString& what) {
        if (what == QLatin1String("align"))
            m_momentAlignment->take();
        else
            m_momentAlignment->cancel();
    });
    m_actions->on("clocks.same-moment", [this] { m_momentAlignment->take(); });
    m_actions->on("clocks.align", [this] { alignAll(); });
    m_actions->on("clocks.import", [this] { importClocks(context()); });
    m_actions->on("clocks.export", [this] { exportClocks(context()); });
}

void MainWindow::showMomentAlignment()
{
    const bool isWaiting = m_momentAlignment->isWaiting();
    m_actions->at("clocks.same-moment").setText(isWaiting ? tr("This was the same moment") : tr("Same moment as on another host\u2026"));
    QList<QPair<QString, QString>> links;
    if (m_momentAlignment->canAlign())
        links << qMakePair(QStringLiteral("align"), tr("Align them"));
    if (isWaiting)
        links << qMakePair(QStringLiteral("cancel"), tr("Give up (Esc)"));
    m_clockNotice->setNotice(m_momentAlignment->words(), links);
}

void MainWindow::alignAll()
{
    ClockHistory& clocks = context().clocks();
    ClockSettings all = clocks.choice();
    all.hosts.clear();
    if (all == clocks.choice())
        return context().say(tr("No clock was set by hand"));
    clocks.set(std::move(all), tr("alignment of all hosts"));
}

bool MainWindow::hasSeveralHosts()
{
    const auto timeline = context().timeline();
    return timeline && timeline->hosts.size() > 1;
}

} // namespace helio
