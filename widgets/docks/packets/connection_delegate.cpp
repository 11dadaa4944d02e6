#include "widgets/docks/packets/connection_delegate.h"

#include "widgets/controls/table_style.h"
#include "widgets/docks/packets/connection_model.h"
#include "widgets/paint/host_badge.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

constexpr int LineHeight = 19;
constexpr int BadgeGap = 5;

/// Paints a host between `left` and `right`; nullptr if it was not recorded. Returns its right edge.
double paintHost(QPainter& painter, const HostHeading* host, const QRectF& line, double left, double right)
{
    if (host) {
        paintHostBadge(painter, QPointF(left, std::floor(line.center().y() - BadgeSize / 2.0)), *host, theme());
        left += BadgeSize + BadgeGap;
    }
    const QString name = host ? text(host->name) : QStringLiteral("?");
    const QString shown = cachedElidedText(painter.font(), name, Qt::ElideRight, std::max(0.0, right - left));
    drawPixelCachedText(painter, {left, centredBaseline(painter.font(), line)}, shown);
    return left + cachedTextWidth(painter.font(), shown);
}

void paintHosts(QPainter& painter, const QRectF& room, const QModelIndex& index, const QFont& font)
{
    const auto& model = static_cast<const ConnectionModel&>(*index.model());
    const ConnectionFacts& it = model.connection(index.row());
    const QString arrow = QStringLiteral(" \u2192 ");
    painter.setFont(font);
    painter.setPen(index.data(Qt::ForegroundRole).value<QColor>());
    const double end = paintHost(painter, model.hostOf(it.from), room, room.left(), room.center().x());
    drawPixelCachedText(painter, {end, centredBaseline(font, room)}, arrow);
    paintHost(painter, model.hostOf(it.to), room, end + cachedTextWidth(font, arrow), room.right());
}

} // namespace

QSize ConnectionDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int badges = index.column() == int(ConnectionColumn::Hosts) ? 2 * (BadgeSize + BadgeGap) : 0;
    return {QStyledItemDelegate::sizeHint(option, index).width() + badges, LineHeight};
}

void ConnectionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    paintLineGround(*painter, option);
    if (index.column() == int(ConnectionColumn::Hosts))
        return paintHosts(*painter, QRectF(option.rect).adjusted(11, 0, -8, 0), index, option.font);
    paintCell(*painter, option.rect.adjusted(index.column() == 0 ? 11 : 8, 0, -5, 0), index, option.font);
}

} // namespace helio
