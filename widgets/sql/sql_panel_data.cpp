#include "widgets/sql/sql_panel_data.h"

#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <unordered_set>

namespace helio {

namespace {

constexpr Duration MostTotal{std::int64_t{1} << 61}; ///< Sums stop to grow here, so that they do not overflow.

QString panelText(const char* text) { return QCoreApplication::translate("SqlPanelData", text); }

bool hasNumbers(const SqlResult& result, int column)
{
    bool found = false;
    for (std::size_t row = 0; row < result.rows(); ++row) {
        const sql::Value& value = result.value(row, column);
        if (std::holds_alternative<std::string>(value))
            return false;
        found |= numberOf(value).has_value();
    }
    return found;
}

/// Returns the column with the values of curves: "value", else the first column of numbers that are no ids, times or durations, else the
/// duration; -1 if there is none.
int valueColumn(const SqlResult& result)
{
    if (const int column = result.column("value"); column >= 0 && hasNumbers(result, column))
        return column;
    for (int column = 0; column < int(result.columns.size()); ++column)
        if (sqlColumnRole(result.columns[std::size_t(column)]) == SqlColumnRole::Plain && hasNumbers(result, column))
            return column;
    const int duration = result.column("dur");
    return duration >= 0 && hasNumbers(result, duration) ? duration : -1;
}

QString nameOf(const QString& column, const sql::Value& value, SqlColumnRole role)
{
    if (std::holds_alternative<std::monostate>(value))
        return column + QStringLiteral(" NULL");
    const QString words = shownText(value, role, {});
    return std::holds_alternative<std::string>(value) ? words : QStringLiteral("%1 %2").arg(column, words);
}

/// Numbers the texts of a column, in order of their first row.
class Names {
public:
    explicit Names(const QString& column, SqlColumnRole role)
        : m_column(column)
        , m_role(role)
    {
    }
    std::uint32_t indexOf(const sql::Value& value)
    {
        const QString name = nameOf(m_column, value, m_role);
        const auto known = m_indexes.find(name);
        if (known != m_indexes.end())
            return *known;
        const auto index = std::uint32_t(m_names.size());
        m_indexes.insert(name, index);
        m_names << name;
        return index;
    }
    const QStringList& names() const { return m_names; }

private:
    QString m_column;
    SqlColumnRole m_role;
    QHash<QString, std::uint32_t> m_indexes;
    QStringList m_names;
};

/// Column with the texts and colours of bars: a name, else a state, else the first text that is not the partition.
int textColumn(const SqlResult& result, int partition)
{
    int found = -1;
    for (int column = 0; column < int(result.columns.size()); ++column) {
        if (column == partition)
            continue;
        const QString name = text(result.columns[std::size_t(column)]).toLower();
        bool isText = false;
        for (std::size_t row = 0; row < std::min<std::size_t>(result.rows(), 1000) && !isText; ++row)
            isText = std::holds_alternative<std::string>(result.value(row, column));
        if (!isText)
            continue;
        if (name == QLatin1String("name"))
            return column;
        if (found < 0 || name == QLatin1String("state"))
            found = column;
    }
    return found >= 0 ? found : partition;
}

/// Puts overlapping intervals on different lines of the row: each on the first line that is free at its begin.
void assignDepths(ResultLane& lane)
{
    std::vector<Timestamp> ends;
    for (ResultInterval& it : lane.intervals) {
        const auto free = std::ranges::find_if(ends, [&](Timestamp end) { return end <= it.range.begin; });
        const auto depth = std::min<std::size_t>(std::size_t(free - ends.begin()), MostLineDepths - 1);
        if (depth == ends.size())
            ends.push_back(it.range.end);
        else
            ends[depth] = std::max(ends[depth], it.range.end);
        it.depth = std::uint32_t(depth);
    }
    lane.depths = std::max<std::uint32_t>(1, std::uint32_t(ends.size()));
}

} // namespace

bool canBeBars(const SqlResult& result)
{
    return result.rows() > 0 && hasNumbers(result, std::max(0, result.column("ts"))) && result.column("ts") >= 0
        && result.column("dur") >= 0;
}

bool canBeCurves(const SqlResult& result)
{
    return result.rows() > 0 && result.column("ts") >= 0 && hasNumbers(result, result.column("ts")) && valueColumn(result) >= 0;
}

QStringList partitionColumns(const SqlResult& result)
{
    QStringList found;
    for (int column = 0; column < int(result.columns.size()); ++column) {
        const QString name = text(result.columns[std::size_t(column)]);
        const SqlColumnRole role = sqlColumnRole(result.columns[std::size_t(column)]);
        if (role == SqlColumnRole::Time || role == SqlColumnRole::Length || name.compare(QLatin1String("id"), Qt::CaseInsensitive) == 0)
            continue;
        std::unordered_set<std::string> values;
        for (std::size_t row = 0; row < result.rows() && values.size() <= MostLanes; ++row)
            values.insert(rawText(result.value(row, column)).toStdString());
        if (values.size() <= MostLanes && !found.contains(name))
            found << name;
    }
    return found;
}

SqlResult::Facts factsOf(const SqlResult& result)
{
    SqlResult::Facts facts;
    facts.canBeBars = canBeBars(result);
    facts.canBeCurves = canBeCurves(result);
    if (facts.canBeBars || facts.canBeCurves)
        facts.partitions = partitionColumns(result);
    const int certain = result.column("certain");
    for (std::size_t row = 0; certain >= 0 && row < result.rows(); ++row)
        facts.uncertain += result.integer(row, certain) == 0;
    return facts;
}

SqlPanelColumns defaultColumns(const SqlResult& result, bool isChart)
{
    SqlPanelColumns columns;
    if (isChart)
        if (const int value = valueColumn(result); value >= 0)
            columns.value = text(result.columns[std::size_t(value)]);
    QStringList possible = result.facts ? result.facts->partitions : partitionColumns(result);
    possible.removeAll(columns.value);
    // Threads, CPUs and tracks are rows in which intervals seldom overlap.
    for (const char* name : {"thread_name", "thread", "name", "utid", "ucpu", "cpu", "track_id", "tid"})
        for (const QString& it : possible)
            if (it.compare(QLatin1String(name), Qt::CaseInsensitive) == 0) {
                columns.partition = it;
                return columns;
            }
    return columns;
}

std::shared_ptr<const ResultPanelData> makePanelData(const SqlResult& result, const SqlPanelColumns& columns, bool isChart,
                                                     const std::stop_token& stop)
{
    auto data = std::make_shared<ResultPanelData>();
    const int partition = columns.partition.isEmpty() ? -1 : result.column(columns.partition.toStdString());
    const int wantedValue = columns.value.isEmpty() ? -1 : result.column(columns.value.toStdString());
    const int value = isChart && wantedValue < 0 ? valueColumn(result) : wantedValue;
    const int words = isChart ? -1 : textColumn(result, partition);
    const auto roleOf = [&](int column) { return column < 0 ? SqlColumnRole::Plain : sqlColumnRole(result.columns[std::size_t(column)]); };
    Names lanes(columns.partition, roleOf(partition));
    Names names(words < 0 ? QString() : text(result.columns[std::size_t(words)]), roleOf(words));
    const bool hasDurations = result.column("dur") >= 0;
    const bool areDurations = isChart && roleOf(value) == SqlColumnRole::Length;
    if (areDurations)
        data->unit = QStringLiteral("ns");
    for (std::size_t row = 0; row < result.rows() && !stop.stop_requested(); ++row) {
        const auto place = placeOf(result, row);
        if (!place || (isChart && value < 0))
            continue;
        const std::uint32_t lane = partition < 0 ? 0 : lanes.indexOf(result.value(row, partition));
        if (data->lanes.size() <= lane)
            data->lanes.resize(lane + 1);
        ResultLane& it = data->lanes[lane];
        if (isChart) {
            auto number = numberOf(result.value(row, value));
            if (areDurations && number == -1) // The end is unknown.
                number.reset();
            it.points.push_back({place->range.begin, number, std::uint32_t(row)});
        } else {
            const std::uint32_t name = words < 0 ? 0 : names.indexOf(result.value(row, words));
            it.intervals.push_back({place->range, name, 0, std::uint32_t(row), place->isOpen});
            if (hasDurations && it.total < MostTotal)
                it.total += place->range.duration();
        }
    }
    for (std::size_t i = 0; i < data->lanes.size(); ++i) {
        ResultLane& lane = data->lanes[i];
        lane.name = partition < 0 ? columns.value : lanes.names().value(int(i));
        if (lane.name.isEmpty() && partition < 0)
            lane.name = panelText("All rows");
        std::ranges::stable_sort(lane.intervals, {}, [](const ResultInterval& it) { return it.range.begin; });
        std::ranges::stable_sort(lane.points, {}, &ResultPoint::at);
        assignDepths(lane);
    }
    const std::size_t most = isChart ? MostCurves : MostLanes;
    QStringList remarks;
    if (result.isCut)
        remarks << panelText("first %1 rows of the result only").arg(countText(qint64(result.rows())));
    if (data->lanes.size() > most) {
        remarks
            << panelText("%1 of %2 values of %3").arg(countText(qint64(most)), countText(qint64(data->lanes.size())), columns.partition);
        std::ranges::stable_sort(data->lanes, std::ranges::greater(),
                                 [](const ResultLane& it) { return std::pair(it.total, it.points.size()); });
        data->lanes.resize(most);
    }
    for (const ResultLane& lane : data->lanes)
        data->count += lane.intervals.size() + lane.points.size();
    data->names = names.names();
    data->remark = remarks.join(QStringLiteral(", "));
    return data;
}

} // namespace helio
