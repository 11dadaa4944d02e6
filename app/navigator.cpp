#include "app/navigator.h"

#include "core/query/arrows.h"
#include "core/query/events.h"

#include <algorithm>

namespace helio {

namespace {

/// The expression that a row's events match; empty where it has none.
QString eventsOf(const Timeline& timeline, TrackRef track)
{
    for (const char* view : {"control-flow", "resources"})
        for (const Row& row : rows(timeline, view))
            if (row.ref == track) {
                if (row.tid >= 0 && row.kind == "thread")
                    return QStringLiteral("tid == %1").arg(row.tid);
                return row.cpu >= 0 ? QStringLiteral("cpu == %1").arg(row.cpu) : QString();
            }
    return {};
}

/// The moment of the next state change of a row; none at the ends.
std::optional<Timestamp> nextChange(const Timeline& timeline, TrackRef row, Timestamp at, bool isForward)
{
    if (isForward) {
        const auto next = nextInterval(timeline, row, at);
        if (!next.empty())
            return next.front().range.begin;
        return {};
    }
    const auto here = intervalAt(timeline, row, at);
    if (!here.empty() && here.front().range.begin < at)
        return here.front().range.begin;
    const auto before = previousInterval(timeline, row, at);
    return before.empty() ? std::nullopt : std::optional(before.front().range.begin);
}

std::optional<EventHit> nextEvent(const std::shared_ptr<const Timeline>& timeline, const std::shared_ptr<const Expression>& expression,
                                  Timestamp at, bool isForward, std::stop_token stop)
{
    EventTable table(timeline);
    std::uint64_t from = table.indexAt(at, stop);
    while (!stop.stop_requested()) {
        const auto found = findNext(timeline, expression, from, isForward, stop);
        if (found.empty() || found.front().time != at)
            return found.empty() ? std::nullopt : std::optional(found.front());
        from = found.front().index; // Another one of the same moment.
    }
    return {};
}

} // namespace

Navigator::Navigator(ViewContext& context, QObject* parent)
    : QObject(parent)
    , m_context(context)
{
    connect(&context.time(), &TimeWindow::visibleChanged, this, [this] {
        if (m_context.time().full().isEmpty())
            m_beforeFit = {};
    });
}

void Navigator::fit()
{
    TimeWindow& time = m_context.time();
    if (time.full().isEmpty())
        return;
    if (time.visible() == time.full() && !m_beforeFit.isEmpty())
        return time.setVisible(m_beforeFit);
    m_beforeFit = time.visible();
    time.visit();
    time.setVisible(time.full());
}

void Navigator::zoomToSelection()
{
    TimeWindow& time = m_context.time();
    if (time.selection().isEmpty())
        return emit remark(tr("No range is selected: drag over a panel to select one"));
    time.visit();
    time.setVisible(time.selection());
}

void Navigator::zoomAtCursor(double factor)
{
    TimeWindow& time = m_context.time();
    const TimeRange visible = time.visible();
    const bool isShown = visible.contains(time.cursor());
    time.zoom(factor, isShown ? time.cursor() : visible.begin + visible.duration() / 2);
}

void Navigator::goTo(Timestamp at)
{
    TimeWindow& time = m_context.time();
    const TimeRange full = time.full();
    if (full.isEmpty())
        return;
    const Timestamp inside = std::clamp(at, full.begin, full.end);
    if (inside != at)
        emit remark(tr("That is outside the experiment"));
    time.visit();
    time.setCursor(inside);
    time.showAt(inside);
}

void Navigator::stepState(bool isForward)
{
    TimeWindow& time = m_context.time();
    const auto timeline = m_context.timeline();
    if (!timeline || !time.row().isValid())
        return time.pan(isForward ? 0.1 : -0.1);
    m_job.post([this, timeline, row = time.row(), at = time.cursor(), isForward](std::stop_token) -> LatestJob::Delivery {
        const auto next = nextChange(*timeline, row, at, isForward);
        return [this, next, isForward] {
            if (!next)
                return emit remark(isForward ? tr("No later state of this row") : tr("No earlier state of this row"));
            m_context.time().setCursor(*next);
            m_context.time().showAt(*next);
        };
    });
}

void Navigator::stepEvent(bool isForward)
{
    TimeWindow& time = m_context.time();
    const auto timeline = m_context.timeline();
    if (!timeline || !time.row().isValid())
        return emit remark(tr("No row is selected"));
    m_job.post([this, timeline, row = time.row(), at = time.cursor(), isForward](std::stop_token stop) -> LatestJob::Delivery {
        const QString text = eventsOf(*timeline, row);
        const auto expression = Expression::parse(text.toStdString());
        const auto hit = text.isEmpty() || !expression ? std::nullopt : nextEvent(timeline, *expression, at, isForward, stop);
        return [this, hit, isForward] {
            if (!hit)
                return emit remark(isForward ? tr("No later event of this row") : tr("No earlier event of this row"));
            m_context.time().setCursor(hit->time);
            m_context.time().showAt(hit->time);
        };
    });
}

void Navigator::stepHit(bool isForward)
{
    SearchHits& hits = m_context.hits();
    if (hits.text().isEmpty())
        return m_context.trigger("analyse.search");
    const auto next = hits.next(m_context.time().cursor(), isForward);
    if (!next)
        return emit remark(isForward ? tr("No later hit") : tr("No earlier hit"));
    const Timestamp at = hits.hits()[*next].time;
    hits.setCurrent(*next);
    m_context.time().visit();
    m_context.time().setCursor(at);
    m_context.time().showAt(at);
}

void Navigator::stepBookmark(bool isForward)
{
    const auto& all = m_context.bookmarks().all();
    const Timestamp now = m_context.time().cursor();
    std::optional<Timestamp> target;
    for (const Bookmark& bookmark : all) {
        const Timestamp at = bookmark.range.begin;
        if (isForward ? at > now && !target : at < now)
            target = at;
    }
    if (!target)
        return emit remark(isForward ? tr("No later bookmark") : tr("No earlier bookmark"));
    goTo(*target);
}

void Navigator::followArrow(bool isForward)
{
    TimeWindow& time = m_context.time();
    const auto timeline = m_context.timeline();
    if (!timeline || !time.row().isValid())
        return emit remark(tr("No row is selected"));
    m_job.post([this, timeline, row = time.row(), at = time.cursor(), isForward](std::stop_token) -> LatestJob::Delivery {
        auto found = isForward ? nextArrow(*timeline, row, at) : previousArrow(*timeline, row, at);
        return [this, found = std::move(found), row, isForward] {
            if (found.empty())
                return emit remark(isForward ? tr("No later arrow of this row") : tr("No earlier arrow of this row"));
            const Arrow& arrow = found.front();
            const bool isFrom = arrow.from == row;
            const TrackRef other = isFrom ? arrow.to : arrow.from;
            const Timestamp to = isFrom ? arrow.toTime : arrow.fromTime;
            m_context.time().visit();
            if (other.isValid())
                m_context.time().setRow(other);
            m_context.time().setCursor(to);
            m_context.time().showAt(to);
        };
    });
}

std::size_t Navigator::putBookmark(const QString& name)
{
    const TimeWindow& time = m_context.time();
    const TimeRange range = time.selection().isEmpty() ? TimeRange{time.cursor(), time.cursor()} : time.selection();
    return m_context.bookmarks().add(range, name);
}

} // namespace helio
