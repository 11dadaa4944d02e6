#include "widgets/compare/durations/durations_model.h"

#include "widgets/compare/side_style.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

namespace helio {

namespace {

bool isOfB(int column) { return column != DurationsModel::Cause && column % 2 == 0; }

/// Returns the value in a column: a count, or a duration in ns.
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

DurationsModel::DurationsModel()
{
    using Line = ComparedDurations;
    const auto tip = [](const Line& it) {
        return tr("%1: %2 in A, %3 in B").arg(causeText(it), durationText(it.a.total), durationText(it.b.total));
    };
    Columns columns{{tr("Cause"), [](const Line& it) { return causeText(it); }, false,
                     [](const Line& a, const Line& b) { return causeText(a) < causeText(b); }, tip}};
    for (const QString& title :
         {tr("A count"), tr("B count"), tr("A median"), tr("B median"), tr("A p99"), tr("B p99"), tr("A longest"), tr("B longest")}) {
        const int column = int(columns.size());
        columns.push_back({title, [column](const Line& it) { return cellText(it, column); }, true,
                           [column](const Line& a, const Line& b) { return numberOf(a, column) < numberOf(b, column); }, tip});
    }
    setColumns(std::move(columns));
}

int DurationsModel::find(const ComparedDurations& like) const
{
    return findRow(
        [&](const ComparedDurations& it) { return it.kind == like.kind && it.state.name == like.state.name && it.detail == like.detail; });
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

QVariant DurationsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::ForegroundRole && orientation == Qt::Horizontal && section != Cause)
        return theme().color(sideRole(isOfB(section) ? Side::B : Side::A, ".text"));
    return ColumnModel::headerData(section, orientation, role);
}

} // namespace helio
