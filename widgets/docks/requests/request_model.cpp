#include "widgets/docks/requests/request_model.h"

#include "core/query/rows/facts.h"
#include "core/waits/path/path.h"
#include "core/waits/path/wait_causes.h"
#include "widgets/controls/table_style.h"
#include "widgets/paint/state_bar.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int RequestLine = 22, RequestMargin = 8;
constexpr int PartsWidth = 180, PartsHeight = 9;
constexpr int LaneLine = 15, LaneHeight = 11;
constexpr std::size_t FewRequests = 20; ///< Minimum number of requests to distinguish the slowest 1 % from the others.

QString kindWord(std::size_t kind) { return theme().lookOf(stateOf(PathKind(kind))).legend; }

} // namespace

RequestModel::RequestModel(QObject* parent)
    : ColumnModel({}, parent)
{
    using Line = RequestPath;
    const auto column = [this](const QString& title, std::function<QString(const Line&)> shown, bool isNumber, auto keyOf,
                               const char* color) {
        return TableColumn<Line>{title,
                                 std::move(shown),
                                 isNumber,
                                 [keyOf](const Line& a, const Line& b) { return keyOf(a) < keyOf(b); },
                                 [this](const Line& it) { return tipOf(it); },
                                 {},
                                 [color](const Line&) { return QString(color); }};
    };
    const auto length = [](const Line& it) { return it.range.duration(); };
    setColumns({
        column(
            tr("Start"), [this](const Line& it) { return timeText(it.range.begin, m_format); }, false,
            [](const Line& it) { return it.range.begin; }, "text.link"),
        column(
            tr("Request"), [](const Line& it) { return text(it.name); }, false,
            [](const Line& it) -> const std::string& { return it.name; }, "text.primary"),
        column(
            tr("Thread"), [this](const Line& it) { return threadOf(it); }, false, [](const Line& it) { return it.thread; }, "text.primary"),
        column(
            tr("Duration"), [=](const Line& it) { return durationText(length(it)); }, true, length, "text.primary"),
        column(
            {}, [](const Line&) { return QString(); }, false, length, "text.primary"),
        column(
            tr("Rank"), [this](const Line& it) { return QStringLiteral("p%1").arg(rankOf(it), 0, 'f', 1); }, true, length,
            "text.secondary"),
    });
    setFilter({});
    sort(Length, Qt::DescendingOrder);
}

bool RequestModel::isOf(const Timeline* timeline, const RequestPath& request) const
{
    return timeline && m_timeline && (timeline == m_timeline.get() || isStillValid(*m_timeline, *timeline, request));
}

void RequestModel::setRequests(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const TimeFormat& format,
                               const QString& filter, std::size_t count)
{
    m_timeline = std::move(timeline);
    m_format = format;
    m_queriedFilter = filter.trimmed();
    m_isCut = count > all.size();
    m_missing = m_isCut ? count - all.size() : 0;
    rank(all);
    setLines(std::move(all));
}

void RequestModel::setFilter(const QString& text)
{
    m_filter = text.trimmed();
    rank(lines());
    setShown([this](const RequestPath& it) { return m_durationRanks[placeIn(it)] != NotListed; });
}

/// Computes the ranks of the requests that match the filter.
void RequestModel::rank(const std::vector<RequestPath>& all)
{
    std::vector<std::size_t> byLength;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (m_filter.isEmpty() || text(all[i].name).contains(m_filter, Qt::CaseInsensitive)
            || threadOf(all[i]).contains(m_filter, Qt::CaseInsensitive))
            byLength.push_back(i);
    std::ranges::stable_sort(byLength, {}, [&](std::size_t i) { return all[i].range.duration(); });
    m_durationRanks.assign(all.size(), NotListed);
    for (std::size_t place = 0; place < byLength.size(); ++place)
        m_durationRanks[byLength[place]] = place;
    m_longest = byLength.empty() ? Duration{} : all[byLength.back()].range.duration();
}

double RequestModel::rankOf(const RequestPath& it) const
{
    return 100.0 * double(missing() + m_durationRanks[placeIn(it)] + 1) / double(missing() + count());
}

bool RequestModel::areTooFew() const { return count() < FewRequests; }

std::size_t RequestModel::slowCount() const { return std::max<std::size_t>(1, count() / 100); }

std::vector<const RequestPath*> RequestModel::ranked(bool areSlow) const
{
    std::vector<const RequestPath*> found = areTooFew() ? std::vector<const RequestPath*>() : listed();
    std::erase_if(found, [&](const RequestPath* it) { return isSlow(*it) != areSlow; });
    // Sorts by address. All requests are elements of lines(), which is in time order, so the result is in time order too.
    std::ranges::sort(found);
    return found;
}

std::vector<const RequestPath*> RequestModel::alike(const RequestPath& request) const
{
    const auto hostOfThread = [&](const RequestPath& it) { return hostOf(*m_timeline, traceOf(*m_timeline, it.thread)); };
    std::vector<const RequestPath*> found = listed();
    std::erase_if(found, [&](const RequestPath* it) {
        return it->name != request.name || (m_timeline && hostOfThread(*it) != hostOfThread(request));
    });
    std::ranges::sort(found, {}, [&](const RequestPath* it) { return m_durationRanks[placeIn(*it)]; });
    return found;
}

const RequestPath* RequestModel::typical(const RequestPath& request) const
{
    const std::vector<const RequestPath*> all = m_isCut ? std::vector<const RequestPath*>() : alike(request);
    return all.empty() ? nullptr : all[(all.size() - 1) / 2];
}

std::vector<const RequestPath*> RequestModel::listed() const
{
    std::vector<const RequestPath*> found;
    for (int row = 0; row < rowCount(); ++row)
        found.push_back(&line(row));
    return found;
}

std::vector<PathKind> RequestModel::causes() const
{
    std::array<std::int64_t, PathKinds> totals{};
    for (const RequestPath* it : listed())
        for (std::size_t kind = 0; kind < PathKinds; ++kind)
            totals[kind] += it->parts[kind].count();
    std::vector<PathKind> found;
    for (std::size_t kind = 0; kind < PathKinds; ++kind)
        if (totals[kind] > 0)
            found.push_back(PathKind(kind));
    std::ranges::stable_sort(found, std::ranges::greater(), [&](PathKind kind) { return totals[std::size_t(kind)]; });
    return found;
}

void RequestModel::setAligned(bool areAligned)
{
    beginResetModel();
    m_areAligned = areAligned;
    endResetModel();
}

QString RequestModel::threadOf(const RequestPath& it) const { return m_timeline ? text(threadWords(*m_timeline, it.thread)) : QString(); }

QString RequestModel::tipOf(const RequestPath& it) const
{
    QString words = text(it.name).toHtmlEscaped() + ", " + durationText(it.range.duration());
    for (std::size_t kind = 0; kind < PathKinds; ++kind)
        if (it.parts[kind] > Duration::zero())
            words += "<br>" + kindWord(kind) + ": " + durationText(it.parts[kind]);
    return QString("<qt>" + words + "</qt>");
}

QString RequestModel::difference() const
{
    if (areTooFew())
        return {};
    const std::size_t slow = slowCount();
    std::array<double, PathKinds> theirs{}, others{};
    for (const RequestPath* it : listed())
        for (std::size_t kind = 0; kind < PathKinds; ++kind)
            (isSlow(*it) ? theirs : others)[kind] += double(it->parts[kind].count());
    const auto rest = double(count() - slow);
    std::size_t most = 0;
    const auto more = [&](std::size_t kind) { return theirs[kind] / double(slow) - others[kind] / rest; };
    for (std::size_t kind = 0; kind < PathKinds; ++kind)
        most = more(kind) > more(most) ? kind : most;
    return tr("The slowest %1 of %2 lost most on %3: %4 on average, against %5 for the rest")
        .arg(countText(qint64(slow)), countText(rowCount()), kindWord(most),
             durationText(Duration(std::int64_t(theirs[most] / double(slow)))), durationText(Duration(std::int64_t(others[most] / rest))));
}

QVariant RequestModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (section == Parts && orientation == Qt::Horizontal)
        return m_areAligned ? tr("Time since start, to %1").arg(durationText(m_longest)) : tr("Time by cause");
    return ColumnModel::headerData(section, orientation, role);
}

RequestDelegate::RequestDelegate(const RequestModel& model, QObject* parent)
    : LineDelegate(parent, {RequestLine, RequestMargin, -1, -1, 260 + 2 * RequestMargin})
    , m_model(model)
{
}

QSize RequestDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width =
        index.column() == RequestModel::Parts ? PartsWidth + 2 * RequestMargin : LineDelegate::sizeHint(option, index).width();
    return {width, m_model.areAligned() ? LaneLine : RequestLine};
}

double RequestDelegate::scaleOf(const QRect& room) const
{
    return m_model.longest().count() > 0 ? double(room.width()) / double(m_model.longest().count()) : 0;
}

QRect RequestDelegate::paintMarks(QPainter& painter, const QStyleOptionViewItem&, const QModelIndex& index, const QRect& room) const
{
    if (index.column() != RequestModel::Parts)
        return room;
    const RequestPath& it = m_model.line(index.row());
    m_model.areAligned() ? paintLane(painter, room, it, scaleOf(room)) : paintParts(painter, room, it, scaleOf(room));
    return {};
}

void RequestDelegate::paintParts(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const
{
    Duration before{};
    for (std::size_t kind = 0; kind < PathKinds; ++kind) {
        const int from = int(std::lround(double(before.count()) * scale));
        before += it.parts[kind];
        const int to = int(std::lround(double(before.count()) * scale));
        paintStateBar(painter, QRect(room.left() + from, room.center().y() - PartsHeight / 2, to - from, PartsHeight),
                      theme().lookOf(stateOf(PathKind(kind))));
    }
}

/// Paints the parts of a request from left to right in time order. Each part is as high as its state in the panel of the critical path:
/// running parts have the full height, parts that the user can hardly influence are lower.
void RequestDelegate::paintLane(QPainter& painter, const QRect& room, const RequestPath& it, double scale) const
{
    Duration before{};
    const int bottom = room.center().y() + LaneHeight / 2 + 1;
    for (const RequestPart& part : it.lane) {
        const int from = int(std::lround(double(before.count()) * scale));
        const int to = int(std::lround(double(part.end.count()) * scale));
        const StateAppearance look = theme().lookOf(stateOf(part.kind));
        const int height = std::max(2, LaneHeight * look.height / 16);
        paintStateBar(painter, QRect(room.left() + from, bottom - height, to - from, height), look);
        before = part.end;
    }
}

bool RequestDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (!index.isValid() || index.column() != RequestModel::Parts || !m_model.areAligned() || event->type() != QEvent::ToolTip)
        return LineDelegate::helpEvent(event, view, option, index);
    const QRect room = option.rect.adjusted(RequestMargin, 0, -RequestMargin, 0);
    const RequestPath& it = m_model.line(index.row());
    const Duration at(std::int64_t(scaleOf(room) > 0 ? double(event->pos().x() - room.left()) / scaleOf(room) : -1));
    const RequestPart* const part = partAt(it, at);
    if (!part)
        return LineDelegate::helpEvent(event, view, option, index);
    const Duration begin = part == &it.lane.front() ? Duration::zero() : (part - 1)->end;
    QToolTip::showText(event->globalPos(),
                       RequestModel::tr("%1 for %2, starting %3 after the request")
                           .arg(kindWord(std::size_t(part->kind)), durationText(part->end - begin), durationText(begin)),
                       view);
    return true;
}

} // namespace helio
