#include "widgets/compare/durations/durations_model.h"

#include "widgets/compare/side_style.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

bool isOfB(int column) { return column != DurationsModel::Cause && column % 2 == 0; }

/// The value of a column: a count, or a length in ns.
std::int64_t numberOf(const ComparedDurations& it, int column)
{
    const DurationDistribution& spread = isOfB(column) ? it.b : it.a;
    switch (column) {
    case DurationsModel::TimesA:
    case DurationsModel::TimesB: return std::int64_t(spread.count);
    case DurationsModel::MedianA:
    case DurationsModel::MedianB: return spread.median.count();
    case DurationsModel::P99A:
    case DurationsModel::P99B: return spread.p99.count();
    default: return spread.most.count();
    }
}

QString cellText(const ComparedDurations& it, int column)
{
    const bool isCount = column == DurationsModel::TimesA || column == DurationsModel::TimesB;
    if (isCount)
        return countText(numberOf(it, column));
    return (isOfB(column) ? it.b : it.a).count == 0 ? QStringLiteral("\u2013") : durationText(Duration(numberOf(it, column)));
}

} // namespace

QString causeText(const ComparedDurations& it)
{
    const QString detail = QString::fromStdString(it.detail);
    if (it.kind == ComparedDurations::Kind::Syscall)
        return DurationsModel::tr("%1, entry to return").arg(detail);
    const QString state = theme().lookOf(it.state).legend;
    return detail.isEmpty() ? state : QStringLiteral("%1  %2").arg(state, detail);
}

void DurationsModel::setDurations(std::vector<ComparedDurations> durations)
{
    beginResetModel();
    m_durations = std::move(durations);
    arrange();
    endResetModel();
}

void DurationsModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_isDescending = order == Qt::DescendingOrder;
    arrange();
    endResetModel();
}

void DurationsModel::arrange()
{
    m_rows.resize(m_durations.size());
    std::iota(m_rows.begin(), m_rows.end(), 0);
    if (m_column < 0)
        return;
    std::ranges::stable_sort(m_rows, [this](int l, int r) {
        const ComparedDurations& left = m_durations[std::size_t(m_isDescending ? r : l)];
        const ComparedDurations& right = m_durations[std::size_t(m_isDescending ? l : r)];
        return m_column == Cause ? causeText(left) < causeText(right) : numberOf(left, m_column) < numberOf(right, m_column);
    });
}

int DurationsModel::find(const ComparedDurations& like) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (at(row).kind == like.kind && at(row).state.name == like.state.name && at(row).detail == like.detail)
            return row;
    return -1;
}

QString DurationsModel::csv() const
{
    QString text = QStringLiteral("kind,state,detail,count_a,count_b,median_a_ns,median_b_ns,p99_a_ns,p99_b_ns,max_a_ns,max_b_ns\n");
    for (int row = 0; row < rowCount(); ++row) {
        const ComparedDurations& it = at(row);
        QStringList cells{it.kind == ComparedDurations::Kind::Syscall ? "syscall" : "state", QString::fromStdString(it.state.name),
                          '"' + QString::fromStdString(it.detail).replace('"', QStringLiteral("\"\"")) + '"'};
        for (int column = TimesA; column < ColumnCount; ++column)
            cells << QString::number(numberOf(it, column));
        text += cells.join(',') + '\n';
    }
    return text;
}

int DurationsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_rows.size()); }

int DurationsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant DurationsModel::data(const QModelIndex& index, int role) const
{
    const ComparedDurations& it = at(index.row());
    switch (role) {
    case Qt::DisplayRole: return index.column() == Cause ? causeText(it) : cellText(it, index.column());
    case Qt::TextAlignmentRole: return QVariant::fromValue((index.column() == Cause ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return fonts().at(11.5);
    case Qt::ForegroundRole: return theme().color(index.column() == Cause ? "text.primary" : "text.secondary");
    case Qt::ToolTipRole: return tr("%1: %2 in A, %3 in B").arg(causeText(it), durationText(it.a.total), durationText(it.b.total));
    default: return {};
    }
}

QVariant DurationsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((section == Cause ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && section != Cause)
        return theme().color(sideRole(isOfB(section) ? Side::B : Side::A, ".text"));
    if (role != Qt::DisplayRole)
        return {};
    static const char* const Titles[] = {QT_TR_NOOP("Cause"),    QT_TR_NOOP("A times"),   QT_TR_NOOP("B times"),
                                         QT_TR_NOOP("A median"), QT_TR_NOOP("B median"),  QT_TR_NOOP("A 99 %"),
                                         QT_TR_NOOP("B 99 %"),   QT_TR_NOOP("A longest"), QT_TR_NOOP("B longest")};
    return tr(Titles[section]);
}

} // namespace helio
