#include "widgets/docks/durations/loss_table.h"

#include "widgets/controls/table_look.h"
#include "widgets/paint/cell.h"
#include "widgets/theme/themes.h"

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

constexpr int LossLineHeight = 19;
constexpr int LossCellMargin = 8;
constexpr int WidestCell = 420;

} // namespace

void LossTable::setLines(std::vector<Column> columns, std::vector<std::vector<Cell>> lines)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_lines = std::move(lines);
    m_order.resize(m_lines.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t(0));
    endResetModel();
}

const LossTable::Cell& LossTable::cell(const QModelIndex& index) const
{
    static const Cell none;
    const auto& line = m_lines[m_order[std::size_t(index.row())]];
    return std::size_t(index.column()) < line.size() ? line[std::size_t(index.column())] : none;
}

QVariant LossTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Cell& it = cell(index);
    switch (role) {
    case Qt::DisplayRole: return it.text;
    case Qt::ToolTipRole: return it.text.toHtmlEscaped();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (m_columns[std::size_t(index.column())].isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole: return theme().color(index.column() == 0 ? "text.primary" : "text.secondary");
    default: return {};
    }
}

QVariant LossTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || std::size_t(section) >= m_columns.size())
        return {};
    const Column& it = m_columns[std::size_t(section)];
    switch (role) {
    case Qt::DisplayRole: return it.title;
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (it.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::InitialSortOrderRole: return int(it.isNumber ? Qt::DescendingOrder : Qt::AscendingOrder);
    default: return {};
    }
}

void LossTable::sort(int column, Qt::SortOrder order)
{
    const auto at = std::size_t(column);
    if (at >= m_columns.size())
        return;
    beginResetModel();
    const auto isLess = [&](std::size_t a, std::size_t b) {
        const Cell& left = m_lines[a][at];
        const Cell& right = m_lines[b][at];
        return left.number != right.number ? left.number < right.number : left.text < right.text;
    };
    std::ranges::stable_sort(m_order,
                             [&](std::size_t a, std::size_t b) { return order == Qt::DescendingOrder ? isLess(b, a) : isLess(a, b); });
    endResetModel();
}

QSize LossDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    return {std::min(cellWidth(index.data().toString(), option.font) + 2 * LossCellMargin, WidestCell), LossLineHeight};
}

void LossDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    paintLineGround(*painter, option);
    paintCell(*painter, option.rect.adjusted(LossCellMargin, 0, -LossCellMargin, 0), index, option.font, Qt::ElideMiddle);
}

} // namespace helio
