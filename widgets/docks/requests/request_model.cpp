#include "widgets/docks/requests/request_model.h"

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
#include <numeric>

namespace helio {

namespace {

constexpr int RequestLine = 22, RequestMargin = 8;
constexpr int PartsWidth = 180, PartsHeight = 9;
constexpr int LaneLine = 15, LaneHeight = 11;
constexpr std::size_t FewRequests = 20; ///< With fewer requests there is no slowest 1 %.

QString kindWord(std::size_t kind) { return theme().lookOf(stateOf(PathKind(kind))).legend; }

} // namespace

bool RequestModel::isOf(const Timeline* timeline, const RequestPath& request) const
{
    return timeline && m_timeline && (timeline == m_timeline.get() || isStillValid(*m_timeline, *timeline, request));
}

void RequestModel::setRequests(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, const TimeFormat& format,
                               const QString& filter, std::size_t count)
{
    beginResetModel();
    m_timeline = std::move(timeline);
    m_all = std::move(all);
    m_format = format;
    m_queriedFilter = filter.trimmed();
    m_isCut = count > m_all.size();
    m_missing = m_isCut ? count - m_all.size() : 0;
    arrange();
    endResetModel();
}

void RequestModel::rank()
{
    std::vector<std::size_t> byLength = m_order;
    std::ranges::sort(byLength);
    std::ranges::stable_sort(byLength, {}, [this](std::size_t i) { return m_all[i].range.duration(); });
    m_durationRanks.assign(m_all.size(), 0);
    for (std::size_t place = 0; place < byLength.size(); ++place)
        m_durationRanks[byLength[place]] = place;
    m_longest = byLength.empty() ? Duration{} : m_all[byLength.back()].range.duration();
}

double RequestModel::rankOf(std::size_t request) const
{
    return 100.0 * double(missing() + m_durationRanks[request] + 1) / double(missing() + m_order.size());
}

bool RequestModel::areTooFew() const { return m_order.size() < FewRequests; }

std::size_t RequestModel::slowCount() const { return std::max<std::size_t>(1, m_order.size() / 100); }

std::vector<const RequestPath*> RequestModel::ranked(bool areSlow) const
{
    std::vector<const RequestPath*> found;
    for (std::size_t i = 0; i < m_order.size() && !areTooFew(); ++i)
        if (isSlow(m_order[i]) == areSlow)
            found.push_back(&m_all[m_order[i]]);
    std::ranges::sort(found); // In time order, like m_all.
    return found;
}

const RequestPath* RequestModel::typical() const
{
    for (const std::size_t i : m_order)
        if (const double rank = rankOf(i); rank >= 50.0 && rank - 100.0 / double(missing() + m_order.size()) < 50.0)
            return &m_all[i];
    return nullptr;
}

std::vector<const RequestPath*> RequestModel::listed() const
{
    std::vector<const RequestPath*> found;
    for (const std::size_t i : m_order)
        found.push_back(&m_all[i]);
    return found;
}

void RequestModel::setAligned(bool areAligned)
{
    beginResetModel();
    m_areAligned = areAligned;
    endResetModel();
}

void RequestModel::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text.trimmed();
    arrange();
    endResetModel();
}

void RequestModel::arrange()
{
    m_order.clear();
    for (std::size_t i = 0; i < m_all.size(); ++i)
        if (m_filter.isEmpty() || text(m_all[i].name).contains(m_filter, Qt::CaseInsensitive)
            || threadOf(m_all[i]).contains(m_filter, Qt::CaseInsensitive))
            m_order.push_back(i);
    rank();
    const auto by = [this](auto key) {
        m_sortOrder == Qt::AscendingOrder ? std::ranges::stable_sort(m_order, std::less(), key)
                                          : std::ranges::stable_sort(m_order, std::greater(), key);
    };
    switch (m_sortColumn) {
    case Begin: return by([this](std::size_t i) { return m_all[i].range.begin; });
    case Name: return by([this](std::size_t i) -> const std::string& { return m_all[i].name; });
    case Thread: return by([this](std::size_t i) { return m_all[i].thread; });
    default: return by([this](std::size_t i) { return m_all[i].range.duration(); });
    }
}

void RequestModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    arrange();
    endResetModel();
}

QString RequestModel::threadOf(const RequestPath& it) const { return m_timeline ? text(threadWords(*m_timeline, it.thread)) : QString(); }

QString RequestModel::difference() const
{
    if (areTooFew())
        return {};
    const std::size_t slow = slowCount();
    std::array<double, PathKinds> theirs{}, others{};
    for (const std::size_t i : m_order)
        for (std::size_t kind = 0; kind < PathKinds; ++kind)
            (isSlow(i) ? theirs : others)[kind] += double(m_all[i].parts[kind].count());
    const auto rest = double(m_order.size() - slow);
    std::size_t most = 0;
    const auto more = [&](std::size_t kind) { return theirs[kind] / double(slow) - others[kind] / rest; };
    for (std::size_t kind = 0; kind < PathKinds; ++kind)
        most = more(kind) > more(most) ? kind : most;
    return tr("What the slowest %1 of %2 have that the others have not is above all %3: %4 on average, against %5")
        .arg(countText(qint64(slow)), countText(qint64(m_order.size())), kindWord(most),
             durationText(Duration(std::int64_t(theirs[most] / double(slow)))), durationText(Duration(std::int64_t(others[most] / rest))));
}

QVariant RequestModel::data(const QModelIndex& index, int role) const
{
    const RequestPath& it = request(index.row());
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Begin: return timeText(it.range.begin, m_format);
        case Name: return text(it.name);
        case Thread: return threadOf(it);
        case Length: return durationText(it.range.duration());
        case Rank: return QStringLiteral("p%1").arg(rankOf(m_order[std::size_t(index.row())]), 0, 'f', 1);
        default: return {};
        }
    case Qt::ToolTipRole: {
        QString words = text(it.name).toHtmlEscaped() + ", " + durationText(it.range.duration());
        for (std::size_t kind = 0; kind < PathKinds; ++kind)
            if (it.parts[kind] > Duration::zero())
                words += "<br>" + kindWord(kind) + ": " + durationText(it.parts[kind]);
        return QString("<qt>" + words + "</qt>");
    }
    case Qt::TextAlignmentRole:
        return int((index.column() == Length || index.column() == Rank ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return theme().color(index.column() == Begin ? "text.link" : index.column() == Rank ? "text.secondary" : "text.primary");
    default: return {};
    }
}

QVariant RequestModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QString parts = m_areAligned ? tr("from its begin on, to %1").arg(durationText(m_longest)) : tr("parts by cause");
    const QString titles[] = {tr("begin"), tr("request"), tr("thread"), tr("length"), parts, tr("rank")};
    return titles[section];
}

RequestDelegate::RequestDelegate(const RequestModel& model, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
{
}

QSize RequestDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int width = index.column() == RequestModel::Parts ? PartsWidth : std::min(cellWidth(index.data().toString(), option.font), 260);
    return {width + 2 * RequestMargin, m_model.areAligned() ? LaneLine : RequestLine};
}

double RequestDelegate::scaleOf(const QRect& room) const
{
    return m_model.longest().count() > 0 ? double(room.width()) / double(m_model.longest().count()) : 0;
}

void RequestDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    paintLineGround(*painter, option);
    const QRect room = option.rect.adjusted(RequestMargin, 0, -RequestMargin, 0);
    if (index.column() != RequestModel::Parts)
        return paintCell(*painter, room, index, option.font);
    const RequestPath& it = m_model.request(index.row());
    m_model.areAligned() ? paintLane(*painter, room, it, scaleOf(room)) : paintParts(*painter, room, it, scaleOf(room));
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

/// Paints the parts of a request in time order. Running parts are as high as the lane; the less the user can do about a part, the lower it
/// is, like in the panel of the critical path.
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
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const QRect room = option.rect.adjusted(RequestMargin, 0, -RequestMargin, 0);
    const RequestPath& it = m_model.request(index.row());
    const Duration at(std::int64_t(scaleOf(room) > 0 ? double(event->pos().x() - room.left()) / scaleOf(room) : -1));
    const RequestPart* const part = partAt(it, at);
    if (!part)
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    const Duration begin = part == &it.lane.front() ? Duration::zero() : (part - 1)->end;
    QToolTip::showText(event->globalPos(),
                       RequestModel::tr("%1 for %2, from %3 after its begin")
                           .arg(kindWord(std::size_t(part->kind)), durationText(part->end - begin), durationText(begin)),
                       view);
    return true;
}

} // namespace helio
