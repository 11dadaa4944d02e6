#include "widgets/views/functions/function_model.h"

#include "widgets/flame/flame_part.h"
#include "widgets/flame/frame_text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {

namespace {

const SampledFunction& functionOf(const FunctionTable& table, const FunctionRow& row)
{
    return table.functions[static_cast<std::size_t>(row.function)];
}

bool passes(const FunctionTable& table, const FunctionRow& row, const QString& filter)
{
    return filter.isEmpty() || frameLabel(functionOf(table, row)).contains(filter, Qt::CaseInsensitive)
        || QString::fromStdString(row.module).contains(filter, Qt::CaseInsensitive)
        || QString::fromStdString(row.comm).contains(filter, Qt::CaseInsensitive);
}

bool isNumber(int column) { return column <= FunctionModel::Samples; }

} // namespace

std::vector<std::uint32_t> FunctionModel::arranged(const FunctionTable& table, WeightBy by, Order order, const QString& filter)
{
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < table.rows.size(); ++i)
        if (passes(table, table.rows[i], filter))
            rows.push_back(i);
    const auto less = [&](const FunctionRow& a, const FunctionRow& b) {
        switch (order.column) {
        case Self: return amount(a.self, by) < amount(b.self, by);
        case Total: return amount(a.total, by) < amount(b.total, by);
        case Amount: return a.self.weight < b.self.weight;
        case Samples: return a.self.samples < b.self.samples;
        case Command: return a.comm < b.comm;
        case Module: return a.module < b.module;
        case Place: return std::tie(a.tid, a.cpu) < std::tie(b.tid, b.cpu);
        default: return helio::functionOf(table, a).name < helio::functionOf(table, b).name;
        }
    };
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) {
        return order.isDescending ? less(table.rows[b], table.rows[a]) : less(table.rows[a], table.rows[b]);
    });
    return rows;
}

void FunctionModel::setTable(std::shared_ptr<const FunctionTable> table, WeightBy by, const SampleKind& kind,
                             std::vector<std::uint32_t> rows)
{
    beginResetModel();
    m_table = std::move(table);
    m_by = by;
    m_kind = kind;
    m_rows = std::move(rows);
    endResetModel();
}

int FunctionModel::find(const std::string& name, const std::string& module) const
{
    for (int row = 0; row < int(m_rows.size()); ++row)
        if (functionOf(row).name == name && functionOf(row).module == module)
            return row;
    return -1;
}

int FunctionModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }
int FunctionModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString FunctionModel::textOf(const FunctionRow& row, int column) const
{
    const std::uint64_t whole = amount(m_table->whole, m_by);
    switch (column) {
    case Self: return shareText(amount(row.self, m_by), whole, 2);
    case Total: return shareText(amount(row.total, m_by), whole, 2);
    case Amount: return m_kind.isTime ? QString::number(double(row.self.weight) / 1e6, 'f', 3) : countText(qint64(row.self.weight));
    case Samples: return countText(qint64(row.self.samples));
    case Command: return QString::fromStdString(row.comm);
    case Module: return QString::fromStdString(row.module);
    case Symbol: return frameLabel(helio::functionOf(*m_table, row));
    case Place: return row.cpu >= 0 ? tr("CPU %1").arg(row.cpu) : row.tid >= 0 ? QString::number(row.tid) : QString();
    default: return {};
    }
}

QVariant FunctionModel::shareOf(const FunctionRow& row, int column) const
{
    const auto whole = double(amount(m_table->whole, m_by));
    return column > Total || whole <= 0 ? QVariant() : double(amount(column == Self ? row.self : row.total, m_by)) / whole;
}

QVariant FunctionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const FunctionRow& row = line(index.row());
    const SampledFunction& function = functionOf(index.row());
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == ShareRole)
        return shareOf(row, index.column());
    if (role == Qt::ForegroundRole)
        return theme().color(index.column() == Symbol || index.column() <= Total ? "text.primary" : "text.secondary");
    if (role == Qt::ToolTipRole)
        return function.problem.empty() ? frameLabel(function) : QString::fromStdString(function.problem);
    return role == Qt::DisplayRole ? textOf(row, index.column()) : QVariant();
}

QVariant FunctionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::InitialSortOrderRole) // The largest is what one looks for.
        return int(isNumber(section) ? Qt::DescendingOrder : Qt::AscendingOrder);
    static const char* const names[] = {QT_TR_NOOP("Self"),    QT_TR_NOOP("Total"),         QT_TR_NOOP("Self, ms"), QT_TR_NOOP("Samples"),
                                        QT_TR_NOOP("Command"), QT_TR_NOOP("Shared object"), QT_TR_NOOP("Symbol"),   QT_TR_NOOP("Of")};
    if (role == Qt::DisplayRole && section == Amount && !m_kind.isTime)
        return tr("Self weight");
    return role == Qt::DisplayRole ? tr(names[section]) : QVariant();
}

void FunctionModel::sort(int column, Qt::SortOrder order)
{
    m_order = {Column(std::clamp(column, 0, ColumnCount - 1)), order == Qt::DescendingOrder};
    emit orderChanged();
}

} // namespace helio
