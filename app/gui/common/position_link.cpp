#include "app/gui/common/position_link.h"

#include "app/gui/common/experiment_pane.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/views.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/workspace/shown_command.h"

#include <utility>

namespace helio {

PositionLink::PositionLink(ExperimentPane& pane, PositionOptions position)
    : QObject(&pane)
    , m_pane(pane)
    , m_position(std::move(position))
    , m_job(new LatestTask(this))
{
    // Between fullChanged, which announces a new range of the whole time axis, and timelineChanged, the program itself moves the visible
    // range and the cursor. All other moves are the user's.
    TimeWindow& time = pane.time();
    connect(&time, &TimeWindow::fullChanged, this, [this] { m_isFollowingRange = true; });
    for (const auto moved :
         {&TimeWindow::visibleChanged, &TimeWindow::cursorChanged, &TimeWindow::selectionChanged, &TimeWindow::rowChanged})
        connect(&time, moved, this, [this] { m_hasUserMoved = m_hasUserMoved || !m_isFollowingRange; });
    connect(&pane.context(), &ViewContext::timelineChanged, this, [this] {
        m_isFollowingRange = false;
        apply();
    });
    connect(&pane.session(), &Session::stateChanged, this, &PositionLink::apply);
    // Call apply() from the event loop: the caller connects the signals first.
    QMetaObject::invokeMethod(this, &PositionLink::apply, Qt::QueuedConnection);
}

void PositionLink::apply()
{
    const auto timeline = m_pane.context().timeline();
    if (m_isDone || !timeline || (timeline->range.isEmpty() && hasTimes(*timeline) && !areTimesFinal()))
        return;
    m_areTimesDone = m_areTimesDone || applyTimes();
    if (m_areTimesDone && (!m_job->isBusy() || areTimesFinal()))
        searchRow();
}

/// True if reading will not extend the range of the traces: they are read completely, or the user cancelled reading.
bool PositionLink::areTimesFinal() const
{
    return isComplete(*m_pane.context().timeline()) || m_pane.session().state() == Session::State::Ready
        || m_pane.session().state() == Session::State::Stopped;
}

/// Sets cursor and visible range. Returns false if the times may still become known, because the traces are not read completely.
bool PositionLink::applyTimes()
{
    const auto timeline = m_pane.context().timeline();
    // While the traces are read, their range is the one that packets claim, which may begin before the first event.
    if (m_position.dependsOnRange() && hasTimes(*timeline) && !areTimesFinal())
        return false;
    const auto times = m_position.timesIn(*timeline);
    if (!times && hasTimes(*timeline) && !areTimesFinal())
        return false;
    if (!times) {
        emit problem(QString::fromStdString(times.error().what));
        return true;
    }
    m_at = times->cursor;
    const std::optional<TimeRange> visible = times->visible.isEmpty() ? std::nullopt : std::optional(times->visible);
    if (m_hasUserMoved || (!times->cursor && !visible))
        return true;
    const Timestamp cursor = times->cursor.value_or(visible ? visible->begin : m_pane.time().cursor());
    m_pane.time().jump({.cursor = cursor, .visible = visible});
    m_hasUserMoved = false;
    return true;
}

void PositionLink::searchRow()
{
    const auto timeline = m_pane.context().timeline();
    const Session::State state = m_pane.session().state();
    const bool isLast =
        state == Session::State::Stopped || (isComplete(*timeline) && !hasMissingRows(*timeline) && state == Session::State::Ready);
    m_job->post([this, timeline, isLast, position = m_position, at = m_at](std::stop_token) -> LatestTask::Delivery {
        return [this, isLast, found = findPositionRow(position, *timeline, at)] { take(found, isLast); };
    });
}

void PositionLink::take(const Result<PositionRow>& found, bool isLast)
{
    if (m_isDone || (!found && !isLast)) // If the row was not found, wait for a later timeline, which may have it.
        return;
    m_isDone = true;
    if (found)
        show(*found);
    else
        emit problem(QString::fromStdString(found.error().what));
    deleteLater();
}

void PositionLink::show(const PositionRow& found)
{
    if (m_hasUserMoved)
        return;
    // Record nothing in the history: the position at which a window opens cannot be undone.
    const ChangeHistory::Pause pause(m_pane.context().changes());
    TimeArea& area = m_pane.area();
    const auto timeline = m_pane.context().timeline();
    if (!found.view.empty() && viewDescription(*timeline, found.view).isAttributeView)
        area.setAsked(found.view, true);
    if (TimePanel* panel = area.panel(found.view)) {
        area.panels()->setPanelVisible(panel, true);
        area.panels()->setFront(panel);
        panel->setCollapsed(false);
        if (!found.row.isValid())
            panel->body()->setFocus();
    }
    if (!found.row.isValid())
        return;
    m_pane.time().setRow(found.row);
    m_pane.focusRows();
    if (found.matches > 1)
        m_pane.context().say(tr("%1 rows match “%2”; %3 is selected")
                                 .arg(found.matches)
                                 .arg(QString::fromStdString(m_position.row), QString::fromStdString(found.label)));
}

QStringList positionWords(ExperimentPane& pane)
{
    const TimeWindow& time = pane.time();
    const auto timeline = pane.context().timeline();
    // Use the range of this side's traces, because the axis of a comparison is wider.
    const TimeRange own = time.own().isEmpty() ? time.full() : time.own();
    QStringList words;
    if (own.begin <= time.cursor() && time.cursor() <= own.end)
        words += optionWords("--at", QString::number(nanoseconds(time.cursor())));
    const auto row = timeline && time.row().isValid() ? rowOf(*timeline, time.row()) : std::nullopt;
    if (row) {
        const std::string_view view = viewOf(*timeline, time.row());
        words += optionWords("--row", rowPattern(row->id));
        words += optionWords("--view", QString::fromUtf8(view.data(), qsizetype(view.size())));
        words += hostOptions(*timeline, row->host);
    }
    const TimeRange visible = time.visible().clippedTo(own);
    return visible.isEmpty() ? words : words + rangeOptions(time, visible);
}

} // namespace helio
