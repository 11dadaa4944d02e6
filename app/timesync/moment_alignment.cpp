#include "app/timesync/moment_alignment.h"

#include "core/query/rows/row_lookup.h"
#include "core/timesync/clock_changes.h"
#include "widgets/workspace/view_context.h"

#include <QApplication>
#include <QKeyEvent>

namespace helio {

MomentAlignment::MomentAlignment(ViewContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
{
    connect(&context.time(), &TimeWindow::rowChanged, this, &MomentAlignment::say);
    connect(&context.time(), &TimeWindow::cursorChanged, this, &MomentAlignment::say);
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        const auto timeline = m_context.timeline();
        if (isWaiting() && (!timeline || timeline->hosts.size() != m_timeline->hosts.size()))
            cancel();
        say();
    });
}

/// Returns the cursor's time on the clock of the selected row's host; nullopt if no row is selected.
std::optional<MomentAlignment::Moment> MomentAlignment::selected() const
{
    const auto timeline = m_context.timeline();
    const TrackRef row = m_context.time().row();
    if (!timeline || !row.isValid())
        return {};
    const std::uint32_t trace = traceOf(*timeline, row);
    if (trace >= timeline->traces.size())
        return {};
    const std::uint32_t host = timeline->traces[trace].host;
    const Timestamp at = m_context.time().cursor();
    const auto event = m_context.selectedEvent();
    QString what;
    if (event && event->time == at && event->trace < timeline->traces.size() && timeline->traces[event->trace].host == host)
        what = QString::fromStdString(event->name);
    else if (const auto it = rowOf(*timeline, row))
        what = QString::fromStdString(it->label);
    const QString name = QString::fromStdString(timeline->hosts[host].shownName());
    const QString where = what.isEmpty() || what == name ? name : tr("%1 on %2").arg(what, name);
    return Moment{host, timeline->hosts[host].clock.inverse(at), tr("%1, %2").arg(where, timeText(at, m_context.timeFormat(), 9))};
}

bool MomentAlignment::canAlign() const
{
    const auto second = m_first ? selected() : std::nullopt;
    return second && second->host != m_first->host;
}

void MomentAlignment::take()
{
    const auto timeline = m_context.timeline();
    if (!timeline || timeline->hosts.size() < 2)
        return m_context.say(tr("Single host: nothing to synchronize"));
    if (!timeline->appliesClocks)
        return m_context.say(tr("Started with --no-sync: recorded times are not changed"));
    const auto moment = selected();
    if (!moment)
        return m_context.say(tr("Select a row of a host and place the cursor on the event first"));
    if (m_first && m_first->host != moment->host)
        return align(*moment);
    m_first = moment; // Store the first moment; it replaces an earlier first moment of the same host.
    m_timeline = timeline;
    qApp->installEventFilter(this);
    say();
}

void MomentAlignment::align(const Moment& second)
{
    const auto timeline = m_context.timeline();
    const bool movesFirst = m_first->host != timeline->reference;
    const Moment& moved = movesFirst ? *m_first : second;
    const Moment& kept = movesFirst ? second : *m_first;
    ClockHistory& clocks = m_context.clocks();
    const Timestamp is = timeline->hosts[kept.host].clock(kept.at);
    const QString name = QString::fromStdString(timeline->hosts[moved.host].shownName());
    clocks.set(withMoment(*timeline, clocks.choice(), moved.host, moved.at, is), tr("matching of events on %1").arg(name));
    m_context.say(tr("Clock of %1 moved: the two events now coincide").arg(name));
    cancel();
}

void MomentAlignment::cancel()
{
    if (!m_first)
        return;
    qApp->removeEventFilter(this);
    m_first = {};
    m_timeline = nullptr;
    say();
}

void MomentAlignment::say()
{
    QString words;
    if (m_first)
        words = canAlign() ? tr("Match %1 with %2?").arg(m_first->words, selected()->words)
                           : tr("%1: now select the matching event on another host").arg(m_first->words);
    if (words == m_words)
        return;
    m_words = words;
    emit changed();
}

/// Handles Escape in the whole application, except while a menu or a dialog is open.
bool MomentAlignment::eventFilter(QObject* watched, QEvent* event)
{
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!isKey || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape || QApplication::activePopupWidget()
        || QApplication::activeModalWidget())
        return QObject::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        cancel();
    return true;
}

} // namespace helio
