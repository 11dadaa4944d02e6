#include "widgets/docks/statistics/statistics_model.h"

#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {

namespace {

/// Returns the running time as it would be at the nominal CPU frequency, with "≥" if it is only known for part of the time on a CPU.
QString nominalText(const RowStatistics& line)
{
    const bool isPart = line.isLowerBound || line.nominal->known < line.onCpu;
    return isPart ? atLeastText(Duration(std::int64_t(line.nominal->ns))) : durationText(line.nominal->atNominal());
}

/// Returns a tooltip that says for how much of the time on a CPU the nominal frequency is known.
QString nominalTip(const RowStatistics& line)
{
    if (!line.nominal || line.onCpu == Duration(0))
        return {};
    if (line.nominal->known == Duration(0))
        return StatisticsModel::tr("<br>The CPU frequencies while it ran are unknown.");
    const QString all = StatisticsModel::tr("<br>At its CPUs' highest recorded frequencies it would have taken %1").arg(nominalText(line));
    return line.nominal->known < line.onCpu
        ? StatisticsModel::tr("%1; the frequency is unknown for %2.").arg(all, durationText(line.onCpu - line.nominal->known))
        : all + '.';
}

QString tipOf(const RowStatistics& line)
{
    QString rows;
    for (const RowStatistics::Part& part : line.parts) {
        const QString words = theme().lookOf(*part.state).words;
        const QString count = line.samples == 0 ? countText(qint64(part.count)) + QChar(0x00d7) : QString();
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2&nbsp;&nbsp;</td><td align=right>%3</td></tr>")
                    .arg(words.toHtmlEscaped(), durationText(part.total), count);
    }
    const QString threads = line.threads > 1 ? StatisticsModel::tr("%1 threads<br>").arg(countText(line.threads)) : QString();
    const QString source = line.samples == 0
        ? QString()
        : StatisticsModel::tr("From %1 samples; no states were recorded.").arg(countText(qint64(line.samples)));
    return QStringLiteral("<b>%1</b> %2<table>%3</table>%4")
        .arg(line.name.toHtmlEscaped(), line.tid >= 0 ? QString::number(line.tid) : QString(), rows, threads + source + nominalTip(line));
}

} // namespace

StatisticsModel::StatisticsModel()
{
    using Line = RowStatistics;
    const auto column = [](const QString& title, std::function<QString(const Line&)> shown) {
        return TableColumn<Line>{title, std::move(shown), true, {}, tipOf};
    };
    Columns columns(ColumnCount);
    columns[Name] = {{}, [](const Line& it) { return it.name; }, false, {}, tipOf};
    columns[Tid] = column(tr("TID"), [](const Line& it) { return it.tid >= 0 ? QString::number(it.tid) : QString(); });
    columns[Tid].color = [](const Line&) { return QStringLiteral("text.hint"); };
    columns[OnCpu] = column(tr("On CPU"), [this](const Line& it) {
        if (m_showsCalls)
            return it.inCalls.count() == 0 ? QStringLiteral("\u2013") : durationText(it.inCalls);
        if (it.isLowerBound)
            return atLeastText(it.onCpu);
        return (it.samples > 0 && it.onCpu.count() > 0 ? QStringLiteral("\u2248 ") : QString())
            + (it.onCpu.count() == 0 ? QStringLiteral("\u2013") : durationText(it.onCpu));
    });
    columns[Nominal] = column(tr("At nominal"), [](const Line& it) {
        return it.nominal && it.nominal->known > Duration(0) ? nominalText(it) : QStringLiteral("\u2013");
    });
    columns[Nominal].titleTip = tr("Time on CPU, scaled to each CPU's highest recorded frequency");
    columns[Share] = column(tr("Share by state"), [](const Line&) { return QString(); });
    setColumns(std::move(columns));
    setFirstOrder(Qt::AscendingOrder);
    setOne(tr("thread"));
}

void StatisticsModel::setLines(std::vector<RowStatistics> lines, TimeRange range)
{
    m_range = range;
    m_showsCalls = std::ranges::all_of(lines, [](const RowStatistics& line) { return line.onCpu == Duration(0); })
        && std::ranges::any_of(lines, [](const RowStatistics& line) { return line.inCalls > Duration(0); });
    setTitle(OnCpu, m_showsCalls ? tr("In calls") : tr("On CPU"));
    ColumnModel::setLines(std::move(lines));
}

bool StatisticsModel::hasTids() const
{
    return lines().empty() || std::ranges::any_of(lines(), [](const RowStatistics& line) { return line.tid >= 0; });
}

bool StatisticsModel::hasOnCpu() const
{
    const auto hasTime = [](const RowStatistics& line) { return line.isLowerBound || line.onCpu > Duration(0); };
    return lines().empty() || std::ranges::any_of(lines(), hasTime);
}

bool StatisticsModel::hasNominal() const
{
    return std::ranges::any_of(lines(), [](const RowStatistics& line) { return line.nominal && line.nominal->known > Duration(0); });
}

bool StatisticsModel::hasEstimates() const
{
    return std::ranges::any_of(lines(), [](const RowStatistics& line) { return line.samples > 0; });
}

int StatisticsModel::find(TrackRef track) const
{
    return findRow([&](const RowStatistics& line) { return line.track == track; });
}

QVariant StatisticsModel::data(const QModelIndex& index, int role) const
{
    if (role != Qt::AccessibleTextRole || index.column() != Share)
        return ColumnModel::data(index, role);
    QStringList parts;
    for (const auto& part : line(index.row()).parts)
        parts << theme().lookOf(*part.state).legend + ' ' + durationText(part.total);
    return parts.join(", ");
}

void StatisticsModel::sort(int column, Qt::SortOrder order)
{
    m_order = {Column(std::clamp(column, 0, ColumnCount - 1)), order == Qt::DescendingOrder};
    emit sortingChanged();
}

} // namespace helio
