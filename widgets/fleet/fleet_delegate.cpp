#include "widgets/fleet/fleet_delegate.h"

#include "widgets/controls/table_style.h"
#include "widgets/fleet/finding_color.h"
#include "widgets/fleet/latency_shape.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <algorithm>

namespace helio {

using fleet::FleetTrace;

namespace {

constexpr QSize ExplainedBar(62, 8);
constexpr QSize Swatch(10, 9);
constexpr int BadgeSide = 16;
constexpr int EdgeWidth = 3; ///< Width of the edge of the selected row, in pixels.

QColor colorOfFirst(const FleetTrace& trace) { return findingColor(trace.findings.front().color); }

/// Returns a rectangle at the left of `room`, vertically centred.
QRect atLeft(const QRect& room, const QSize& size)
{
    return {room.left(), room.center().y() - size.height() / 2, size.width(), size.height()};
}

void paintUnknown(QPainter& painter, const QRect& rect) { paintHatch(painter, rect, theme().color("mark.lost"), 4, 1); }

} // namespace

FleetDelegate::FleetDelegate(const FleetModel& model, QObject* parent)
    : LineDelegate(parent, {RowHeight, 8, FleetModel::MarkRoom, 10})
    , m_model(model)
{
}

void FleetDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem its = option;
    const FleetRow& row = m_model.line(index.row());
    const bool isStrong = index.column() == FleetModel::Host || index.column() == FleetModel::Explained
        || ((index.column() == FleetModel::Latency || index.column() == FleetModel::OtherLatency)
            && m_model.isTail(*row.trace, m_model.kindOf(index.column())));
    if (isStrong)
        its.font = fonts().at(11.5, 600);
    LineDelegate::paint(painter, its, index);
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme().color("line.faint"));
}

QRect FleetDelegate::paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const
{
    const FleetRow& row = m_model.line(index.row());
    switch (index.column()) {
    case FleetModel::Host: return paintHost(painter, option, row, room);
    case FleetModel::Finding: return paintFinding(painter, row, room);
    case FleetModel::Explained: return paintExplained(painter, row, room);
    case FleetModel::Latency:
    case FleetModel::OtherLatency: return paintLatency(painter, row, index.column(), room);
    case FleetModel::CpuBusy:
        if (!row.trace->cpuBusyShare && (!row.trace->isReadable || row.trace->hasLosses()))
            paintUnknown(painter, atLeft(room, {std::max(0, room.width() - cellWidth(index.data().toString(), option.font) - 4), 14}));
        return room;
    case FleetModel::Lost:
        if (!row.trace->lostEvents)
            paintUnknown(painter, atLeft(room, {std::max(0, room.width() - cellWidth(index.data().toString(), option.font) - 4), 14}));
        return room;
    default: return room;
    }
}

/// Paints the selected row's edge, the mark A or B, the name of the host, and the file's name where there is room.
QRect FleetDelegate::paintHost(QPainter& painter, const QStyleOptionViewItem& option, const FleetRow& row, const QRect& room) const
{
    if (option.state & QStyle::State_Selected)
        painter.fillRect(QRect(option.rect.topLeft(), QSize(EdgeWidth, option.rect.height())), theme().color("accent.fill"));
    for (std::size_t side = 0; side < m_marked.size(); ++side) {
        if (m_marked[side] != row.index)
            continue;
        const QRect badge(option.rect.left() + 14, option.rect.center().y() - BadgeSide / 2 + 1, BadgeSide, BadgeSide);
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(side == 0 ? "compare.a" : "compare.b"));
        painter.drawRoundedRect(badge, 3, 3);
        painter.setPen(theme().color(side == 0 ? "compare.a.ink" : "compare.b.ink"));
        painter.setFont(fonts().at(11, 600));
        painter.drawText(badge, Qt::AlignCenter, side == 0 ? QStringLiteral("A") : QStringLiteral("B"));
        painter.restore();
    }
    if (row.trace->host.empty())
        return room;
    const QString file = text(std::string_view(row.trace->path).substr(row.trace->path.find_last_of('/') + 1));
    const int left = room.left() + cellWidth(text(row.trace->host), fonts().at(11.5, 600)) + 2;
    if (constexpr int Least = 80; room.right() - left >= Least) {
        painter.setFont(fonts().small());
        painter.setPen(theme().color("text.hint"));
        const QRect rest(left, room.top(), room.right() - left, room.height());
        drawPixelCachedText(painter, {double(rest.left()), centredBaseline(painter.font(), rest)},
                            cachedElidedText(painter.font(), file, Qt::ElideMiddle, rest.width()));
        return room.adjusted(0, 0, left - room.right() - 1, 0);
    }
    return room;
}

QRect FleetDelegate::paintFinding(QPainter& painter, const FleetRow& row, const QRect& room) const
{
    const QRect swatch = atLeft(room, Swatch);
    if (!row.trace->findings.empty())
        painter.fillRect(swatch, colorOfFirst(*row.trace));
    else if (!row.trace->isReadable)
        paintUnknown(painter, swatch);
    return room.adjusted(Swatch.width() + 10, 0, 0, 0);
}

QRect FleetDelegate::paintExplained(QPainter& painter, const FleetRow& row, const QRect& room) const
{
    const QRect bar = atLeft(room, ExplainedBar);
    if (!row.trace->isReadable) {
        paintUnknown(painter, bar);
    } else {
        painter.fillRect(bar, theme().color("line.subtle"));
        if (!row.trace->findings.empty() && row.trace->findings.front().share > 0)
            painter.fillRect(
                QRect(bar.topLeft(), QSize(std::max(1, int(bar.width() * row.trace->findings.front().share + 0.5)), bar.height())),
                colorOfFirst(*row.trace));
    }
    return room.adjusted(ExplainedBar.width() + 4, 0, 0, 0);
}

QRect FleetDelegate::paintLatency(QPainter& painter, const FleetRow& row, int column, const QRect& room) const
{
    const fleet::LatencyKind kind = m_model.kindOf(column);
    const QRect shape = atLeft(room, LatencyShapeSize);
    if (const auto& latency = row.trace->latency(kind)) {
        const auto& tail = m_model.overview()->tailOf(kind);
        paintLatencyShape(painter, shape.topLeft(), *latency, tail ? tail->highest : Duration::max(), theme().color(tailRole(kind)));
    } else if (isLatencyLost(*row.trace, kind)) {
        paintUnknown(painter, shape.adjusted(0, 1, 2, -1));
    } else {
        return room;
    }
    return room.adjusted(LatencyShapeSize.width() + 4, 0, 0, 0);
}

} // namespace helio
