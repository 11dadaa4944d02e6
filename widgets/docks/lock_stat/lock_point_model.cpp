#include "widgets/docks/lock_stat/lock_point_model.h"

#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <algorithm>
#include <tuple>

namespace helio {

void LockPointModel::setPoints(std::vector<LockStatPoint> points)
{
    beginResetModel();
    m_points = std::move(points);
    std::ranges::stable_sort(m_points, {}, [](const LockStatPoint& it) { return std::tuple(it.holds, -it.contentions); });
    endResetModel();
}

QVariant LockPointModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const LockStatPoint& it = point(index.row());
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case What: return it.holds ? tr("taken") : tr("waited");
        case Contentions: return countText(it.contentions);
        case Symbol: return text(it.symbol);
        default: return text(it.address);
        }
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (index.column() == Contentions ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole: return theme().color(index.column() == Symbol ? "text.primary" : "text.secondary");
    case Qt::ToolTipRole:
        return (it.holds ? tr("%1 times somebody waited while it was held by one who had taken it here: %2 %3")
                         : tr("%1 times somebody had to wait here: %2 %3"))
            .arg(countText(it.contentions), text(it.symbol), text(it.address))
            .toHtmlEscaped();
    default: return {};
    }
}

QVariant LockPointModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const char* const titles[] = {QT_TR_NOOP(""), QT_TR_NOOP("contentions"), QT_TR_NOOP("Where in the kernel"),
                                         QT_TR_NOOP("address")};
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Contentions ? Qt::AlignRight : Qt::AlignLeft));
    return role == Qt::DisplayRole ? tr(titles[section]) : QVariant();
}

} // namespace helio
