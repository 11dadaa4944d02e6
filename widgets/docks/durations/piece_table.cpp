#include "widgets/docks/durations/piece_table.h"

#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

Duration lengthIn(const NamedLengths& it, int column)
{
    switch (column) {
    case PieceTable::Least: return it.lengths.least;
    case PieceTable::Mean: return it.lengths.count > 0 ? it.lengths.total / std::int64_t(it.lengths.count) : Duration{};
    case PieceTable::Median: return it.lengths.median;
    case PieceTable::P90: return it.lengths.p90;
    case PieceTable::P99: return it.lengths.p99;
    case PieceTable::P999: return it.lengths.p999;
    case PieceTable::Most: return it.lengths.most;
    default: return it.lengths.total;
    }
}

} // namespace

void PieceTable::setLines(std::shared_ptr<const std::vector<NamedLengths>> lines, const QString& nameTitle)
{
    beginResetModel();
    m_all = std::move(lines);
    m_nameTitle = nameTitle;
    arrange();
    endResetModel();
}

int PieceTable::find(const std::string& name) const
{
    const auto found = std::ranges::find_if(m_order, [&](std::size_t place) { return (*m_all)[place].name == name; });
    return found == m_order.end() ? -1 : int(found - m_order.begin());
}

std::vector<std::string> PieceTable::mostOf(std::size_t count) const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; m_all && i < std::min(count, m_all->size()); ++i)
        names.push_back((*m_all)[i].name);
    return names;
}

void PieceTable::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = Column(std::clamp(column, 0, ColumnCount - 1));
    m_isDescending = order == Qt::DescendingOrder;
    arrange();
    endResetModel();
}

void PieceTable::arrange()
{
    m_order.resize(m_all ? m_all->size() : 0);
    std::iota(m_order.begin(), m_order.end(), std::size_t(0));
    const auto isLess = [this](std::size_t a, std::size_t b) {
        const NamedLengths& left = (*m_all)[a];
        const NamedLengths& right = (*m_all)[b];
        return m_column == Name ? left.name < right.name
            : m_column == Count ? left.lengths.count < right.lengths.count
                                : lengthIn(left, m_column) < lengthIn(right, m_column);
    };
    std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) { return m_isDescending ? isLess(b, a) : isLess(a, b); });
}

QVariant PieceTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const NamedLengths& it = line(index.row());
    switch (role) {
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole: return theme().color(index.column() == Name ? "text.primary" : "text.secondary");
    case Qt::ToolTipRole:
        return index.column() == Name ? QString::fromStdString(it.name).toHtmlEscaped()
            : index.column() == Most  ? tr("A double click or Enter goes to the longest")
                                      : QVariant();
    case Qt::DisplayRole: break;
    default: return {};
    }
    return index.column() == Name ? QString::fromStdString(it.name)
        : index.column() == Count ? countText(qint64(it.lengths.count))
                                  : durationText(lengthIn(it, index.column()));
}

QVariant PieceTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    static const char* const names[] = {
        "",     QT_TR_NOOP("count"), "p50", "p99", QT_TR_NOOP("max"), QT_TR_NOOP("total"), QT_TR_NOOP("min"), QT_TR_NOOP("mean"), "p90",
        "p99.9"};
    switch (role) {
    case Qt::DisplayRole: return section == Name ? m_nameTitle : tr(names[section]);
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::InitialSortOrderRole: return int(section == Name ? Qt::AscendingOrder : Qt::DescendingOrder);
    default: return {};
    }
}

} // namespace helio
