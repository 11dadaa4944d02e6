#include "widgets/docks/durations/duration_table.h"

#include "widgets/time/time_format.h"

namespace helio {

DurationTable::DurationTable()
{
    using Line = const DurationStats*;
    const auto durations = [](const QString& title, auto durationOf) {
        return TableColumn<Line>{title,
                                 [=](const Line& it) { return it->lengths.count > 0 ? durationText(durationOf(it->lengths)) : QString(); },
                                 true, [=](const Line& a, const Line& b) { return durationOf(a->lengths) < durationOf(b->lengths); }};
    };
    using Spread = const DurationDistribution&;
    Columns columns(ColumnCount);
    columns[Name] = {{},
                     [](const Line& it) { return QString::fromStdString(it->name); },
                     false,
                     [](const Line& a, const Line& b) { return a->name < b->name; },
                     [](const Line& it) { return QString::fromStdString(it->name).toHtmlEscaped(); }};
    const auto unfinishedTip = [](const Line& it) {
        return it->unfinished == 0 ? QString()
            : it->unfinished == 1  ? tr("Durations exclude 1 call without a recorded exit")
                                   : tr("Durations exclude %1 calls without a recorded exit").arg(countText(qint64(it->unfinished)));
    };
    columns[Count] = {tr("Count"), [](const Line& it) { return countText(qint64(it->count())); }, true,
                      [](const Line& a, const Line& b) { return a->count() < b->count(); }, unfinishedTip};
    columns[Median] = durations("p50", [](Spread it) { return it.median; });
    columns[P99] = durations("p99", [](Spread it) { return it.p99; });
    columns[Most] = durations(tr("Max"), [](Spread it) { return it.most; });
    columns[Most].tip = [](const Line& it) {
        return it->lengths.count == 0 ? QString() : tr("Double-click or press Enter to go to the longest");
    };
    columns[Total] = {tr("Total"),
                      [](const Line& it) {
                          const QString total = durationText(it->total());
                          return it->unfinished > 0 ? QStringLiteral("\u2265 ") + total : total;
                      },
                      true, [](const Line& a, const Line& b) { return a->total() < b->total(); }, unfinishedTip};
    columns[Least] = durations(tr("Min"), [](Spread it) { return it.least; });
    columns[Mean] = durations(tr("Mean"), [](Spread it) { return it.count > 0 ? it.total / std::int64_t(it.count) : Duration{}; });
    columns[P90] = durations("p90", [](Spread it) { return it.p90; });
    columns[P999] = durations("p99.9", [](Spread it) { return it.p999; });
    setColumns(std::move(columns));
    sort(Total, Qt::DescendingOrder);
}

void DurationTable::setLines(std::shared_ptr<const std::vector<DurationStats>> lines, const QString& nameTitle)
{
    std::vector<const DurationStats*> all;
    if (lines)
        for (const DurationStats& it : *lines)
            all.push_back(&it);
    setTitle(Name, nameTitle);
    ColumnModel::setLines(std::move(all));
    m_all = std::move(lines);
}

int DurationTable::find(const std::string& name) const
{
    return findRow([&](const DurationStats* it) { return it->name == name; });
}

std::vector<std::string> DurationTable::namesByTotal(std::size_t count) const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(count, lines().size()); ++i)
        names.push_back(lines()[i]->name);
    return names;
}

} // namespace helio
