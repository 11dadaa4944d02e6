#include "widgets/docks/statistics/statistics_model.h"

#include "widgets/async/discard.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <algorithm>

namespace helio {

namespace {

/// Returns the nominal time, with "≥" if only part of it is known.
QString nominalText(const RowStatistics& line)
{
    const bool isPart = line.isLowerBound || line.nominal->known < line.onCpu;
    return isPart ? atLeastText(Duration(std::int64_t(line.nominal->ns))) : durationText(line.nominal->atNominal());
}

/// Says how much of the time on a CPU has a known nominal frequency.
QString nominalTip(const RowStatistics& line)
{
    if (!line.nominal || line.onCpu == Duration(0))
        return {};
    if (line.nominal->known == Duration(0))
        return StatisticsModel::tr("<br>While it ran, no CPU's frequency is known.");
    const QString all =
        StatisticsModel::tr("<br>At its CPUs' highest recorded frequencies that would have taken %1").arg(nominalText(line));
    return line.nominal->known < line.onCpu
        ? StatisticsModel::tr("%1; of %2 the frequency is not known.").arg(all, durationText(line.onCpu - line.nominal->known))
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
    const QString source = line.samples == 0
        ? QString()
        : StatisticsModel::tr("From %1 samples: states were not recorded.").arg(countText(qint64(line.samples)));
    return QStringLiteral("<b>%1</b> %2<table>%3</table>%4")
        .arg(line.name.toHtmlEscaped(), line.tid >= 0 ? QString::number(line.tid) : QString(), rows, source + nominalTip(line));
}

} // namespace

void StatisticsModel::setLines(std::vector<RowStatistics> lines, TimeRange range)
{
    beginResetModel();
    std::swap(m_lines, lines);
    m_range = range;
    endResetModel();
    discard(std::move(lines), lines.size());
}

void StatisticsModel::setOne(const QString& one)
{
    m_one = one;
    emit headerDataChanged(Qt::Horizontal, Name, Name);
}

bool StatisticsModel::hasNominal() const
{
    return std::ranges::any_of(m_lines, [](const RowStatistics& line) { return line.nominal && line.nominal->known > Duration(0); });
}

int StatisticsModel::find(TrackRef track) const
{
    const auto at = std::ranges::find(m_lines, track, &RowStatistics::track);
    return at == m_lines.end() ? -1 : int(at - m_lines.begin());
}

int StatisticsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_lines.size()); }
int StatisticsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QVariant StatisticsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RowStatistics& it = line(index.row());
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ForegroundRole)
        return theme().color(index.column() == Name ? "text.primary" : index.column() == Tid ? "text.hint" : "text.secondary");
    if (role == Qt::ToolTipRole)
        return tipOf(it);
    if (role == Qt::AccessibleTextRole && index.column() == Share) {
        QStringList parts;
        for (const auto& part : it.parts)
            parts << QString::fromStdString(part.state->name) + ' ' + durationText(part.total);
        return parts.join(", ");
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name: return it.name;
    case Tid: return it.tid >= 0 ? QString::number(it.tid) : QString();
    case OnCpu:
        if (it.isLowerBound)
            return atLeastText(it.onCpu);
        return (it.samples > 0 && it.onCpu.count() > 0 ? QStringLiteral("\u2248 ") : QString())
            + (it.onCpu.count() == 0 ? QStringLiteral("\u2013") : durationText(it.onCpu));
    case Nominal: return it.nominal && it.nominal->known > Duration(0) ? nominalText(it) : QStringLiteral("\u2013");
    default: return {};
    }
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole && section == Nominal)
        return tr("What the time on a CPU would have taken at the highest frequency that was recorded of that CPU");
    if (role != Qt::DisplayRole)
        return {};
    static const char* const names[] = {"", "TID", "on CPU", "at nominal", "share by state"};
    return section == Name ? m_one.left(1).toUpper() + m_one.mid(1) : tr(names[section]);
}

void StatisticsModel::sort(int column, Qt::SortOrder order)
{
    m_order = {Column(std::clamp(column, 0, ColumnCount - 1)), order == Qt::DescendingOrder};
    emit sortingChanged();
}

} // namespace helio
