#include "widgets/docks/functions/function_model.h"

#include "core/query/rows/statistics.h"
#include "widgets/flame/view/flame_part.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/profiling/sample_text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <algorithm>
#include <cmath>
#include <compare>

namespace helio {

namespace {

const SampledFunction& functionOf(const FunctionTable& table, const FunctionRow& row)
{
    return table.functions[static_cast<std::size_t>(row.function)];
}

bool passes(const FunctionLines& lines, const FunctionRow& row, const QString& filter)
{
    return filter.isEmpty()
        || (hasSymbols(lines.choices.group) && frameLabel(functionOf(lines.table, row)).contains(filter, Qt::CaseInsensitive))
        || QString::fromStdString(row.module).contains(filter, Qt::CaseInsensitive)
        || QString::fromStdString(row.comm).contains(filter, Qt::CaseInsensitive);
}

bool isEventColumn(int column) { return column >= FunctionModel::ColumnCount; }
bool isOfCalls(int column) { return column >= FunctionModel::TotalTime && column <= FunctionModel::OnCpu; }
bool isLength(int column) { return column >= FunctionModel::Least && column <= FunctionModel::Most; }
bool isNumber(int column) { return column <= FunctionModel::Samples || isOfCalls(column) || isEventColumn(column); }
std::size_t eventOf(int column) { return std::size_t(column - FunctionModel::ColumnCount) / FunctionModel::EventColumnCount; }
int partOf(int column) { return (column - FunctionModel::ColumnCount) % FunctionModel::EventColumnCount; }

/// Returns the other event's count per own count; NaN if the own count is 0.
double ratio(std::uint64_t other, std::uint64_t own) { return own ? double(other) / double(own) : std::nan(""); }

/// Returns e.g. "0.71", in the command line's format; empty for NaN.
QString ratioText(double ratio) { return std::isnan(ratio) ? QString() : QString::number(ratio, 'g', 4); }

/// Returns the sort key of a cell of an event shown beside; cells without a number sort lowest.
double eventNumber(const FunctionLines& lines, std::size_t line, int column)
{
    const LineCost& cost = lines.events[eventOf(column)].costs[line];
    if (partOf(column) != FunctionModel::EventRatio)
        return double((partOf(column) == FunctionModel::EventSelf ? cost.self : cost.total).weight);
    const double found = ratio(cost.self.weight, lines.table.rows[line].self.weight);
    return std::isnan(found) ? -1 : found;
}

/// Returns the duration in a cell of calls; empty if the cell is empty.
std::optional<Duration> durationOf(const FunctionLines& lines, std::size_t line, int column)
{
    if (column == FunctionModel::TotalTime)
        return Duration(std::int64_t(lines.table.rows[line].total.weight));
    if (line >= lines.lengths.size() || !lines.lengths[line])
        return {};
    const CallDurations& it = *lines.lengths[line];
    switch (column) {
    case FunctionModel::Least: return it.lengths.least;
    case FunctionModel::Mean: return meanOf(it.lengths.total, it.lengths.count);
    case FunctionModel::Median: return it.lengths.median;
    case FunctionModel::P99: return it.lengths.p99;
    case FunctionModel::Most: return it.lengths.most;
    default: return it.onCpu;
    }
}

bool isLess(const FunctionLines& lines, std::uint32_t first, std::uint32_t second, int column)
{
    const FunctionRow& a = lines.table.rows[first];
    const FunctionRow& b = lines.table.rows[second];
    switch (column) {
    case FunctionModel::Self: return amount(a.self, lines.by) < amount(b.self, lines.by);
    case FunctionModel::Total: return amount(a.total, lines.by) < amount(b.total, lines.by);
    case FunctionModel::Amount: return a.self.weight < b.self.weight;
    case FunctionModel::Samples: return a.self.samples < b.self.samples;
    case FunctionModel::Command: return a.comm < b.comm;
    case FunctionModel::Module: return a.module < b.module;
    case FunctionModel::Place: return std::tie(a.pid, a.tid, a.cpu) < std::tie(b.pid, b.tid, b.cpu);
    case FunctionModel::Symbol: return functionOf(lines.table, a).label() < functionOf(lines.table, b).label();
    default:
        return isOfCalls(column) ? durationOf(lines, first, column) < durationOf(lines, second, column)
                                 : eventNumber(lines, first, column) < eventNumber(lines, second, column);
    }
}

/// Returns the column, or Self if the column does not exist any more, e.g. because its event does not.
int availableColumn(const FunctionLines& lines, int column)
{
    if (isOfCalls(column))
        return lines.lengths.empty() ? FunctionModel::Self : column;
    const bool isThere = !isEventColumn(column) || (eventOf(column) < lines.events.size() && !lines.events[eventOf(column)].costs.empty());
    return isThere ? column : FunctionModel::Self;
}

/// True if `name` is the event, e.g. "cycles" in "cycles:u" and "cpu_core/cycles/".
bool isEvent(const std::string& name, std::string_view event)
{
    const auto at = name.find(event);
    return at != std::string::npos && (at == 0 || name[at - 1] == '/' || name.compare(0, at, "cpu-") == 0)
        && (at + event.size() == name.size() || std::string_view(":/").find(name[at + event.size()]) != std::string_view::npos);
}

/// Returns the tooltip of a header of a calls column.
QString tipOfCalls(int column)
{
    if (column == FunctionModel::TotalTime)
        return FunctionModel::tr(
            "Time in the range in any call of the function; a call of itself by itself is counted once, with the outer one");
    if (column == FunctionModel::OnCpu)
        return FunctionModel::tr(
            "Time on a CPU, added up over the calls that lie in the range as a whole: of calls within each other again");
    return FunctionModel::tr("Wall time of the single calls that lie in the range as a whole, those within each other too");
}

/// Returns e.g. "page-faults / cpu-clock", or a known name such as "IPC".
QString ratioTitle(const std::string& other, const std::string& own)
{
    if (isEvent(other, "instructions") && isEvent(own, "cycles"))
        return FunctionModel::tr("IPC");
    if (isEvent(other, "cycles") && isEvent(own, "instructions"))
        return FunctionModel::tr("CPI");
    return QStringLiteral("%1 / %2").arg(QString::fromStdString(other), QString::fromStdString(own));
}

} // namespace

std::vector<std::uint32_t> FunctionModel::arrangeRows(const FunctionLines& lines, Order order, const QString& filter)
{
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < lines.table.rows.size(); ++i)
        if (passes(lines, lines.table.rows[i], filter))
            rows.push_back(i);
    std::ranges::stable_sort(rows, [&, column = availableColumn(lines, order.column)](std::uint32_t a, std::uint32_t b) {
        return order.isDescending ? isLess(lines, b, a, column) : isLess(lines, a, b, column);
    });
    return rows;
}

void FunctionModel::setLines(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows)
{
    beginResetModel();
    m_lines = std::move(lines);
    m_rows = std::move(rows);
    endResetModel();
}

int FunctionModel::find(const SampledFunction& function) const
{
    for (int row = 0; row < int(m_rows.size()); ++row)
        if (identityOf(functionOf(row)) == identityOf(function))
            return row;
    return -1;
}

const Segment* FunctionModel::findLongestCall(int row) const
{
    const std::size_t line = m_rows[std::size_t(row)];
    return line < m_lines->lengths.size() && m_lines->lengths[line] ? &m_lines->lengths[line]->longest : nullptr;
}

int FunctionModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int FunctionModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columnOf(m_lines ? m_lines->events.size() : 0, EventSelf);
}

QString FunctionModel::textOf(const FunctionRow& row, int column) const
{
    const std::uint64_t whole = amount(m_lines->table.whole, m_lines->by);
    switch (column) {
    case Self: return shareText(amount(row.self, m_lines->by), whole, 2);
    case Total: return shareText(amount(row.total, m_lines->by), whole, 2);
    case Amount:
        return m_lines->kind.isTime ? QString::number(double(row.self.weight) / 1e6, 'f', 3) : countText(row.self.weight, m_lines->kind);
    case Samples: return countText(row.self.samples, m_lines->kind);
    case Command: return QString::fromStdString(row.comm);
    case Module: return QString::fromStdString(row.module);
    case Symbol: return frameLabel(helio::functionOf(m_lines->table, row));
    case Place: {
        const std::int32_t id = row.tid >= 0 ? row.tid : row.pid;
        return row.cpu >= 0 ? tr("CPU %1").arg(row.cpu) : id >= 0 ? QString::number(id) : QString();
    }
    default: return {};
    }
}

QString FunctionModel::textBeside(int row, int column) const
{
    const FunctionLines::ComparedEvent& event = m_lines->events[eventOf(column)];
    if (event.costs.empty())
        return QStringLiteral("\u2026");
    const LineCost& cost = event.costs[m_rows[std::size_t(row)]];
    if (partOf(column) == EventRatio)
        return ratioText(ratio(cost.self.weight, line(row).self.weight));
    return countText(qint64((partOf(column) == EventSelf ? cost.self : cost.total).weight));
}

QString FunctionModel::textOfCalls(int row, int column) const
{
    const auto duration = durationOf(*m_lines, m_rows[std::size_t(row)], column);
    return duration ? durationText(*duration) : QString();
}

QString FunctionModel::tipOf(int row, int column) const
{
    if (isOfCalls(column))
        return findLongestCall(row) ? tr("Double click: to the longest call") : tr("The range contains no whole call of this function");
    if (isEventColumn(column)) {
        const FunctionLines::ComparedEvent& event = m_lines->events[eventOf(column)];
        if (event.costs.empty())
            return tr("Counted when all functions have their names");
        const LineCost& cost = event.costs[m_rows[std::size_t(row)]];
        const auto text = [&](std::uint64_t other, std::uint64_t own) { return own ? ratioText(ratio(other, own)) : tr("none"); };
        return tr("%1 for each of %2: %3 in itself, %4 with callees")
            .arg(QString::fromStdString(event.kind.name), QString::fromStdString(m_lines->kind.name),
                 text(cost.self.weight, line(row).self.weight), text(cost.total.weight, line(row).total.weight));
    }
    if (!hasSymbols(m_lines->choices.group))
        return {};
    const SampledFunction& function = functionOf(row);
    return function.problem.empty() ? frameLabel(function) : QString::fromStdString(function.problem);
}

QVariant FunctionModel::shareOf(const FunctionRow& row, int column) const
{
    const auto whole = double(amount(m_lines->table.whole, m_lines->by));
    return column > Total || whole <= 0 ? QVariant() : double(amount(column == Self ? row.self : row.total, m_lines->by)) / whole;
}

QVariant FunctionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const FunctionRow& row = line(index.row());
    switch (role) {
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case ShareRole: return shareOf(row, index.column());
    case Qt::ForegroundRole: return theme().color(index.column() == Symbol || index.column() <= Total ? "text.primary" : "text.secondary");
    case Qt::ToolTipRole: return tipOf(index.row(), index.column());
    case Qt::DisplayRole:
        if (isOfCalls(index.column()))
            return textOfCalls(index.row(), index.column());
        return isEventColumn(index.column()) ? textBeside(index.row(), index.column()) : textOf(row, index.column());
    default: return {};
    }
}

QString FunctionModel::titleOf(int column) const
{
    using Group = FunctionGroup;
    if (column == Amount && m_lines && !m_lines->kind.isTime)
        return tr("Self weight");
    const Group group = m_lines ? m_lines->choices.group : Group::Function;
    if (column == Symbol && (group == Group::File || group == Group::Line))
        return group == Group::File ? tr("Source file") : tr("Source line");
    if (column == Samples)
        return countedTitle(m_lines ? m_lines->kind : SampleKind());
    if (column == Place && m_lines)
        return group == Group::Process ? tr("PID") : m_lines->choices.byCpu ? tr("CPU") : tr("TID");
    static const char* const names[] = {QT_TR_NOOP("Self"),       QT_TR_NOOP("Total"),         QT_TR_NOOP("Self, ms"), "",
                                        QT_TR_NOOP("Command"),    QT_TR_NOOP("Shared object"), QT_TR_NOOP("Symbol"),   QT_TR_NOOP("Of"),
                                        QT_TR_NOOP("Total time"), QT_TR_NOOP("Min"),           QT_TR_NOOP("Mean"),     QT_TR_NOOP("p50"),
                                        QT_TR_NOOP("p99"),        QT_TR_NOOP("Max"),           QT_TR_NOOP("CPU time")};
    if (isLength(column) && m_lines && !m_lines->weighsWallTime)
        return tr("%1, wall").arg(tr(names[column]));
    if (!isEventColumn(column))
        return tr(names[column]);
    if (!m_lines || eventOf(column) >= m_lines->events.size())
        return {};
    const std::string& event = m_lines->events[eventOf(column)].kind.name;
    const QString name = QString::fromStdString(event);
    return partOf(column) == EventSelf ? name
        : partOf(column) == EventTotal ? tr("%1, total").arg(name)
                                       : ratioTitle(event, m_lines->kind.name);
}

QVariant FunctionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::InitialSortOrderRole) // The user looks for the largest values.
        return int(isNumber(section) ? Qt::DescendingOrder : Qt::AscendingOrder);
    if (role == Qt::ToolTipRole && isEventColumn(section))
        return tr("%1: what this event amounts to there; the last column of it for each of the event that all views are about")
            .arg(titleOf(section));
    if (role == Qt::ToolTipRole && isOfCalls(section))
        return tipOfCalls(section);
    return role == Qt::DisplayRole ? titleOf(section) : QVariant();
}

void FunctionModel::sort(int column, Qt::SortOrder order)
{
    m_order = {std::max(column, 0), order == Qt::DescendingOrder};
    emit orderChanged();
}

} // namespace helio
