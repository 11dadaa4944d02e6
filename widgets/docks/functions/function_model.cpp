#include "widgets/docks/functions/function_model.h"

#include "core/query/rows/statistics.h"
#include "widgets/flame/view/flame_part.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/profiling/sample_text.h"
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

/// Returns the weight of `other` divided by the weight of `own`, two events in the same line; NaN if the weight of `own` is 0.
double ratio(const SampleSum& other, const SampleSum& own) { return own.weight ? double(other.weight) / double(own.weight) : std::nan(""); }

/// Formats a ratio as the command line does, e.g. "0.71"; `none` for NaN.
QString ratioText(double ratio, const QString& none = {}) { return std::isnan(ratio) ? none : QString::number(ratio, 'g', 4); }

/// True if `name` denotes the event, e.g. "cycles" in "cycles:u" and "cpu_core/cycles/".
bool isEvent(const std::string& name, std::string_view event)
{
    const auto at = name.find(event);
    return at != std::string::npos && (at == 0 || name[at - 1] == '/' || name.compare(0, at, "cpu-") == 0)
        && (at + event.size() == name.size() || std::string_view(":/").find(name[at + event.size()]) != std::string_view::npos);
}

/// Returns the title of a ratio's column, e.g. "page-faults / cpu-clock", or a known name such as "IPC".
QString ratioTitle(const std::string& other, const std::string& own)
{
    if (isEvent(other, "instructions") && isEvent(own, "cycles"))
        return FunctionModel::tr("IPC");
    if (isEvent(other, "cycles") && isEvent(own, "instructions"))
        return FunctionModel::tr("CPI");
    return QStringLiteral("%1 / %2").arg(QString::fromStdString(other), QString::fromStdString(own));
}

using Line = std::uint32_t;
using Columns = FunctionModel::Columns;

/// Makes a column whose text is computed by `text` and whose sort key by `key`.
template <typename Text, typename Key> TableColumn<Line> column(const QString& title, bool isNumber, const Text& text, const Key& key)
{
    return {title, text, isNumber, [key](Line a, Line b) { return key(a) < key(b); }};
}

Columns ownColumns(const FunctionLines& lines)
{
    using Group = FunctionGroup;
    const auto row = [&lines](Line it) -> const FunctionRow& { return lines.table.rows[it]; };
    const auto function = [&lines, row](Line it) -> const SampledFunction& { return functionOf(lines.table, row(it)); };
    const auto share = [&](const QString& title, SampleSum FunctionRow::*sum) {
        const auto key = [row, sum, by = lines.by](Line it) { return amount(row(it).*sum, by); };
        const auto text = [key, whole = amount(lines.table.whole, lines.by)](Line it) { return shareText(key(it), whole, 2); };
        return column(title, true, text, key);
    };
    const auto names = [&](const QString& title, std::string FunctionRow::*name) {
        const auto key = [row, name](Line it) -> const std::string& { return row(it).*name; };
        return column(
            title, false, [key](Line it) { return QString::fromStdString(key(it)); }, key);
    };
    const auto weight = [row](Line it) { return row(it).self.weight; };
    const bool isTime = lines.kind.isTime || lines.kind.unit == "ns";
    const auto weightText = [weight, isTime, &kind = lines.kind](Line it) {
        return isTime ? QString::number(double(weight(it)) / 1e6, 'f', 3) : countText(weight(it), kind);
    };
    const auto samples = [row](Line it) { return row(it).self.samples; };
    const auto samplesText = [samples, &kind = lines.kind](Line it) { return countText(samples(it), kind); };
    const auto place = [row](Line it) { return std::tuple(row(it).pid, row(it).tid, row(it).cpu); };
    const auto placeText = [place](Line it) {
        const auto [pid, tid, cpu] = place(it);
        const std::int32_t id = tid >= 0 ? tid : pid;
        return cpu >= 0 ? FunctionModel::tr("CPU %1").arg(cpu) : id >= 0 ? QString::number(id) : QString();
    };
    const Group group = lines.choices.group;
    const QString symbol = group == Group::File ? FunctionModel::tr("Source file")
        : group == Group::Line                  ? FunctionModel::tr("Source line")
                                                : FunctionModel::tr("Symbol");
    const QString of = group == Group::Process ? FunctionModel::tr("PID")
        : lines.choices.byCpu                  ? FunctionModel::tr("CPU")
                                               : FunctionModel::tr("TID");
    Columns columns{
        share(FunctionModel::tr("Self"), &FunctionRow::self),
        share(FunctionModel::tr("Total"), &FunctionRow::total),
        column(isTime ? FunctionModel::tr("Self, ms") : FunctionModel::tr("Self weight"), true, weightText, weight),
        column(countedTitle(lines.kind), true, samplesText, samples),
        names(FunctionModel::tr("Command"), &FunctionRow::comm),
        names(FunctionModel::tr("Shared object"), &FunctionRow::module),
        column(
            symbol, false, [function](Line it) { return frameLabel(function(it)); }, [function](Line it) { return function(it).label(); }),
        column(of, false, placeText, place)};
    columns[FunctionModel::Samples].titleTip =
        areCalls(lines.kind) ? QString() : FunctionModel::tr("Samples in the function itself, without its callees");
    for (const int it : {FunctionModel::Total, FunctionModel::Symbol})
        columns[std::size_t(it)].color = [](Line) { return QStringLiteral("text.primary"); };
    for (TableColumn<Line>& it : columns)
        if (hasSymbols(group))
            it.tip = [function](Line line) {
                const std::string& problem = function(line).problem;
                return problem.empty() ? frameLabel(function(line)) : QString::fromStdString(withoutPlaces(problem));
            };
    return columns;
}

/// Adds the columns of call durations; they cannot be sorted until the durations are computed.
void addCallColumns(Columns& columns, const FunctionLines& lines)
{
    using Durations = std::optional<CallDurations>;
    const auto durations = [&lines](Line it) -> const Durations& {
        static const Durations none;
        return it < lines.lengths.size() ? lines.lengths[it] : none;
    };
    const auto add = [&](const QString& title, const QString& titleTip, const auto& key) {
        const auto text = [key](Line it) {
            const std::optional<Duration> duration = key(it);
            return duration ? durationText(*duration) : QString();
        };
        TableColumn<Line>& added = columns.emplace_back(column(title, true, text, key));
        added.titleTip = titleTip;
        added.tip = [durations](Line it) {
            if (!durations(it))
                return FunctionModel::tr("The range contains no complete call of this function");
            const QString hint = FunctionModel::tr("Double-click to go to the longest call");
            const auto unfinished = qint64(durations(it)->unfinished);
            if (unfinished == 0)
                return hint;
            const QString excluded = unfinished == 1
                ? FunctionModel::tr("Durations exclude 1 call without a recorded exit")
                : FunctionModel::tr("Durations exclude %1 calls without a recorded exit").arg(countText(unfinished));
            return excluded + QStringLiteral("<br>") + hint;
        };
        if (lines.lengths.empty())
            added.isLess = nullptr;
    };
    const auto addLength = [&](const QString& title, Duration (*length)(const DurationDistribution&)) {
        add(lines.weighsWallTime ? title : FunctionModel::tr("%1, wall").arg(title),
            FunctionModel::tr("Wall time of single calls that lie completely in the range, including nested ones"),
            [durations, length](Line it) {
                return durations(it) && durations(it)->lengths.count > 0 ? std::optional(length(durations(it)->lengths)) : std::nullopt;
            });
    };
    add(FunctionModel::tr("Total time"),
        FunctionModel::tr("Time in the range in any call of the function; recursive calls are counted once, with the outermost"),
        [&lines](Line it) { return std::optional(Duration(std::int64_t(lines.table.rows[it].total.weight))); });
    addLength(FunctionModel::tr("Min"), [](const DurationDistribution& it) { return it.least; });
    addLength(FunctionModel::tr("Mean"), [](const DurationDistribution& it) { return meanOf(it.total, it.count); });
    addLength(FunctionModel::tr("p50"), [](const DurationDistribution& it) { return it.median; });
    addLength(FunctionModel::tr("p99"), [](const DurationDistribution& it) { return it.p99; });
    addLength(FunctionModel::tr("Max"), [](const DurationDistribution& it) { return it.most; });
    add(FunctionModel::tr("CPU time"),
        FunctionModel::tr("Time on CPU, summed over the calls that lie completely in the range; nested calls count again"),
        [durations](Line it) { return durations(it) ? durations(it)->onCpu : std::nullopt; });
}

/// Adds the columns of another event; they cannot be sorted until its counts are computed.
void addEventColumns(Columns& columns, const FunctionLines& lines, const FunctionLines::ComparedEvent& event)
{
    const auto row = [&lines](Line it) -> const FunctionRow& { return lines.table.rows[it]; };
    const auto tip = [&lines, &event, row](Line it) {
        if (event.costs.empty())
            return FunctionModel::tr("Available once all functions are named");
        const LineCost& cost = event.costs[it];
        return FunctionModel::tr("%1 per %2: %3 self, %4 with callees")
            .arg(QString::fromStdString(event.kind.name), QString::fromStdString(lines.kind.name),
                 ratioText(ratio(cost.self, row(it).self), FunctionModel::tr("none")),
                 ratioText(ratio(cost.total, row(it).total), FunctionModel::tr("none")));
    };
    const auto add = [&](const QString& title, const auto& text, const auto& key) {
        const auto textIfKnown = [&event, text](Line it) { return event.costs.empty() ? QStringLiteral("\u2026") : text(it); };
        TableColumn<Line>& added = columns.emplace_back(column(title, true, textIfKnown, key));
        added.tip = tip;
        added.titleTip =
            FunctionModel::tr("%1: amount of this event; its last column is the ratio to the event shown in all views").arg(title);
        if (event.costs.empty())
            added.isLess = nullptr;
    };
    const auto addWeight = [&](const QString& title, SampleSum LineCost::*sum) {
        const auto weight = [&event, sum](Line it) { return (event.costs[it].*sum).weight; };
        add(
            title, [weight](Line it) { return countText(qint64(weight(it))); }, weight);
    };
    const QString name = QString::fromStdString(event.kind.name);
    const auto perOwn = [&event, row](Line it) { return ratio(event.costs[it].self, row(it).self); };
    addWeight(name, &LineCost::self);
    addWeight(FunctionModel::tr("%1, total").arg(name), &LineCost::total);
    add(
        ratioTitle(event.kind.name, lines.kind.name), [perOwn](Line it) { return ratioText(perOwn(it)); },
        [perOwn](Line it) { return std::isnan(perOwn(it)) ? -1 : perOwn(it); });
}

/// Makes the columns of `lines`, which must outlive them.
/// Threads: any.
Columns columnsOf(const FunctionLines& lines)
{
    Columns columns = ownColumns(lines);
    addCallColumns(columns, lines);
    for (const FunctionLines::ComparedEvent& event : lines.events)
        addEventColumns(columns, lines, event);
    return columns;
}

} // namespace

std::vector<std::uint32_t> FunctionModel::arrangeRows(const FunctionLines& lines, Order order, const QString& filter)
{
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < lines.table.rows.size(); ++i)
        if (passes(lines, lines.table.rows[i], filter))
            rows.push_back(i);
    const Columns columns = columnsOf(lines);
    auto column = std::size_t(order.column);
    if (column >= columns.size() || !columns[column].isLess)
        column = Self; // The sort column may be missing, e.g. because its event is no longer shown.
    const auto& isLess = columns[column].isLess;
    std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) { return order.isDescending ? isLess(b, a) : isLess(a, b); });
    return rows;
}

void FunctionModel::setLines(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows)
{
    static const FunctionLines none;
    // Keep the old contents alive until the columns that refer to them are replaced.
    const auto before = std::exchange(m_lines, std::move(lines));
    setAll(columnsOf(m_lines ? *m_lines : none), std::move(rows));
}

int FunctionModel::find(const SampledFunction& function) const
{
    return findRow([&](std::uint32_t line) {
        return identityOf(helio::functionOf(m_lines->table, m_lines->table.rows[line])) == identityOf(function);
    });
}

const Segment* FunctionModel::findLongestCall(int row) const
{
    const std::size_t line = ColumnModel::line(row);
    return line < m_lines->lengths.size() && m_lines->lengths[line] ? &m_lines->lengths[line]->longest : nullptr;
}

QVariant FunctionModel::data(const QModelIndex& index, int role) const
{
    if (role != ShareRole)
        return ColumnModel::data(index, role);
    const auto whole = double(amount(m_lines->table.whole, m_lines->by));
    const FunctionRow& row = line(index.row());
    return index.column() > Total || whole <= 0 ? QVariant()
                                                : double(amount(index.column() == Self ? row.self : row.total, m_lines->by)) / whole;
}

void FunctionModel::sort(int column, Qt::SortOrder order)
{
    m_order = {std::max(column, 0), order == Qt::DescendingOrder};
    emit orderChanged();
}

} // namespace helio
