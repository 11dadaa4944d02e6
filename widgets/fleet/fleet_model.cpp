#include "widgets/fleet/fleet_model.h"

#include "core/findings/occurrences.h"
#include "widgets/fleet/latency_shape.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>

namespace helio {

using fleet::FleetTrace;
using fleet::LatencyKind;

namespace {

constexpr std::int64_t NsOfDay = 86'400'000'000'000;

const QString AtLeast = QStringLiteral("\u2265\u2009");

QString unknownText() { return FleetModel::tr("unknown"); }

/// Returns a text as rich text that shows it as it is: texts of catalogues may contain tags.
QString asTip(const QString& plain) { return plain.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")); }

/// Longest latency of a kind for sorting; -1 if it is unknown.
std::int64_t mostOf(const FleetTrace& trace, LatencyKind kind)
{
    const auto& latency = trace.latency(kind);
    return latency ? latency->most.count() : -1;
}

/// Share that the first finding explains; -1 without a finding; -2 if the trace could not be read.
double shareOfFirst(const FleetTrace& trace) { return !trace.isReadable ? -2 : trace.findings.empty() ? -1 : trace.findings.front().share; }

QString findingText(const FleetTrace& trace)
{
    if (!trace.isReadable)
        return FleetModel::tr("Cannot be read: %1").arg(text(trace.error));
    if (trace.findings.empty())
        return FleetModel::tr("no finding");
    const std::string& first = trace.findings.front().text;
    return first.empty() ? unknownText() : text(first);
}

QString explainedText(const FleetTrace& trace)
{
    if (!trace.isReadable)
        return unknownText();
    return trace.findings.empty() ? QStringLiteral("0\u2009%") : percentText(trace.findings.front().share, trace.hasLosses());
}

QString cpuText(const FleetTrace& trace)
{
    if (trace.cpuBusyShare)
        return percentText(*trace.cpuBusyShare, trace.hasLosses());
    return trace.isReadable && !trace.hasLosses() ? QStringLiteral("\u2013") : unknownText();
}

QString lostText(const FleetTrace& trace)
{
    if (!trace.lostEvents)
        return unknownText();
    if (*trace.lostEvents == 0 && trace.gaps > 0)
        return trace.gaps == 1 ? FleetModel::tr("1 gap") : FleetModel::tr("%1 gaps").arg(countText(trace.gaps));
    return countText(*trace.lostEvents);
}

QString findingTip(const FleetTrace& trace)
{
    QStringList lines;
    for (const fleet::FleetFinding& it : trace.findings)
        lines << QStringLiteral("%1 (%2)").arg(text(it.text), percentText(it.share, trace.hasLosses()));
    return asTip(lines.isEmpty() ? findingText(trace) : lines.join(QLatin1Char('\n')));
}

QString hostTip(const FleetTrace& trace)
{
    QStringList lines{text(trace.path), FleetModel::tr("Indexed on %1").arg(text(trace.machine))};
    for (const fleet::SummaryTag& tag : trace.tags)
        lines << text(tag.first) + QStringLiteral(" = ") + text(tag.second);
    return asTip(lines.join(QLatin1Char('\n')));
}

} // namespace

QString percentText(double share, bool isLowerBound)
{
    const double percent = share * 100;
    const QString number = percent > 0 && percent < 0.5 ? QStringLiteral("<\u20091") : QString::number(std::llround(percent));
    return (isLowerBound ? AtLeast : QString()) + number + QStringLiteral("\u2009%");
}

QString shortText(Duration duration, bool isLowerBound)
{
    if (!isLowerBound)
        return text(shortDuration(duration));
    std::int64_t unit = 1; // Three digits are kept, so that shortDuration() does not round the bound up.
    while (duration.count() / unit >= 1'000)
        unit *= 10;
    return AtLeast + text(shortDuration(Duration(duration.count() / unit * unit)));
}

bool isLatencyLost(const FleetTrace& trace, LatencyKind kind) { return !trace.latency(kind) && (!trace.isReadable || trace.hasLosses()); }

QString worstText(const FleetTrace& trace, LatencyKind kind)
{
    if (const auto& latency = trace.latency(kind))
        return shortText(latency->most, trace.hasLosses());
    return isLatencyLost(trace, kind) ? unknownText() : FleetModel::tr("not recorded");
}

FleetModel::FleetModel(QObject* parent)
    : ColumnModel<FleetRow>({}, parent)
{
    setColumns(makeColumns());
}

void FleetModel::setTable(std::shared_ptr<const fleet::FleetTable> table, std::shared_ptr<const fleet::FleetOverview> overview)
{
    setLines({}); // The rows refer to the old table.
    m_table = std::move(table);
    m_overview = std::move(overview);
    std::optional<std::int64_t> first, last;
    for (const FleetTrace& it : m_table->traces)
        if (it.beginNs) {
            first = std::min(first.value_or(*it.beginNs), *it.beginNs);
            last = std::max(last.value_or(*it.beginNs), *it.beginNs);
        }
    std::int64_t span = 0;
    m_isOfOneDay = first && !__builtin_sub_overflow(*last, *first, &span) && span < NsOfDay;
    setColumns(makeColumns());
}

void FleetModel::setTraces(std::span<const std::uint32_t> traces)
{
    std::vector<FleetRow> rows;
    rows.reserve(traces.size());
    for (const std::uint32_t i : traces)
        rows.push_back({i, &m_table->traces[i]});
    setLines(std::move(rows));
}

LatencyKind FleetModel::kindOf(int column) const
{
    const bool isOther = column == OtherLatency;
    return !m_overview ? (isOther ? LatencyKind::Block : LatencyKind::Scheduling) : isOther ? m_overview->otherKind : m_overview->kind;
}

bool FleetModel::isTail(const FleetTrace& trace, LatencyKind kind) const
{
    const auto& latency = trace.latency(kind);
    const auto* const tail = m_overview && m_overview->tailOf(kind) ? &*m_overview->tailOf(kind) : nullptr;
    return latency && tail && latency->most > tail->highest;
}

QVariant FleetModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QVariant it = ColumnModel::headerData(section, orientation, role);
    // The header has no margin for a single column: spaces move the title above the names.
    return section == Host && orientation == Qt::Horizontal && role == Qt::DisplayRole ? QString(3, QChar(0x2003)) + it.toString() : it;
}

QString FleetModel::csv() const
{
    const auto number = [](const auto& value) { return value ? QString::number(*value) : QString(); };
    QString lines = QStringLiteral("host,path,begin_ns,duration_ns,kernel,finding,share,%1_max_ns,%2_max_ns,cpu_busy_share,lost_events\n")
                        .arg(text(idOf(kindOf(Latency))), text(idOf(kindOf(OtherLatency))));
    for (int row = 0; row < rowCount(); ++row) {
        const FleetTrace& it = *line(row).trace;
        const auto longest = [&](int column) {
            const auto& latency = it.latency(kindOf(column));
            return latency ? QString::number(latency->most.count()) : QString();
        };
        lines += QStringList{csvQuoted(text(it.host)),
                             csvQuoted(text(it.path)),
                             number(it.beginNs),
                             it.duration ? QString::number(it.duration->count()) : QString(),
                             csvQuoted(text(it.kernel)),
                             it.findings.empty() ? QString() : csvQuoted(text(it.findings.front().text)),
                             it.findings.empty() ? QString() : QString::number(it.findings.front().share),
                             longest(Latency),
                             longest(OtherLatency),
                             number(it.cpuBusyShare),
                             number(it.lostEvents)}
                     .join(QLatin1Char(','))
            + QLatin1Char('\n');
    }
    return lines;
}

int FleetModel::rowOf(std::uint32_t trace) const
{
    return findRow([&](const FleetRow& row) { return row.index == trace; });
}

QString FleetModel::recordedText(const FleetTrace& trace) const
{
    if (!trace.beginNs)
        return unknownText();
    const QDateTime begin = QDateTime::fromMSecsSinceEpoch(*trace.beginNs / 1'000'000);
    return begin.toString(m_isOfOneDay ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm"));
}

FleetModel::Columns FleetModel::makeColumns() const
{
    using Row = const FleetRow&;
    const auto column = [](const QString& title, const QString& titleTip, bool isNumber, std::function<QString(Row)> text, auto key,
                           std::function<QString(Row)> tip = {}, std::function<QString(Row)> color = {}) {
        TableColumn<FleetRow> it{title, std::move(text), isNumber};
        it.isLess = [key](Row a, Row b) { return key(*a.trace) < key(*b.trace); };
        it.tip = std::move(tip);
        it.titleTip = titleTip;
        it.color = std::move(color);
        return it;
    };
    const auto latency = [&](int number) {
        const LatencyKind kind = kindOf(number);
        return column(
            tr("%1, worst").arg(titleOf(kind)), tr("Longest latency, and its distribution from 1 \u00b5s to 270 ms"), true,
            [kind](Row it) { return worstText(*it.trace, kind); }, [kind](const FleetTrace& it) { return mostOf(it, kind); },
            [kind](Row it) {
                const auto& known = it.trace->latency(kind);
                return known ? tr("%1 latencies, p99 %2, worst %3")
                                   .arg(countText(qint64(known->count)), durationText(known->p99), worstText(*it.trace, kind))
                             : tr("No %1 is known.").arg(titleOf(kind).toLower());
            },
            [this, kind](Row it) { return isTail(*it.trace, kind) ? QStringLiteral("text.primary") : QStringLiteral("text.secondary"); });
    };
    return {
        column(
            tr("Host"), {}, false, [](Row it) { return it.trace->name().empty() ? unknownText() : text(it.trace->name()); },
            [](const FleetTrace& it) { return std::string_view(it.name()); }, [](Row it) { return hostTip(*it.trace); }),
        column(
            tr("Recorded"), tr("Begin of the trace, in local time"), true, [this](Row it) { return recordedText(*it.trace); },
            [](const FleetTrace& it) { return it.beginNs; }),
        column(
            tr("Length"), {}, true, [](Row it) { return it.trace->duration ? text(shortDuration(*it.trace->duration)) : unknownText(); },
            [](const FleetTrace& it) { return it.duration; }),
        column(
            tr("Kernel"), {}, false, [](Row it) { return it.trace->kernel.empty() ? unknownText() : text(it.trace->kernel); },
            [](const FleetTrace& it) { return std::string_view(it.kernel); }, [](Row it) { return asTip(text(it.trace->kernel)); }),
        column(
            tr("First finding"), tr("Finding that explains the most time"), false, [](Row it) { return findingText(*it.trace); },
            [](const FleetTrace& it) {
                return it.findings.empty() ? std::string_view(it.error) : std::string_view(it.findings.front().text);
            },
            [](Row it) { return findingTip(*it.trace); },
            [](Row it) {
                return !it.trace->isReadable     ? QStringLiteral("severity.error")
                    : it.trace->findings.empty() ? QStringLiteral("text.hint")
                                                 : QStringLiteral("text.primary");
            }),
        column(
            tr("Explained"), tr("Share of the trace that the first finding explains"), true,
            [](Row it) { return explainedText(*it.trace); }, shareOfFirst, {},
            [](Row it) { return it.trace->findings.empty() ? QStringLiteral("text.hint") : QStringLiteral("text.primary"); }),
        latency(Latency),
        latency(OtherLatency),
        column(
            tr("CPU"), tr("Busy part of the time of all CPUs"), true, [](Row it) { return cpuText(*it.trace); },
            [](const FleetTrace& it) { return it.cpuBusyShare; },
            [](Row it) { return it.trace->cpuBusyShare ? QString() : tr("The states of the CPUs are unknown."); }),
        column(
            tr("Lost"), tr("Lost events"), true, [](Row it) { return lostText(*it.trace); },
            [](const FleetTrace& it) { return std::pair(it.lostEvents, it.gaps); }, {},
            [](Row it) { return it.trace->hasLosses() ? QStringLiteral("mark.lost") : QStringLiteral("text.secondary"); }),
    };
}

} // namespace helio
