#include "app/gui/common/window_text.h"

#include "core/query/rows/facts.h"
#include "core/timesync/host_clocks.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("window", text); }

/// Returns a count as short text, for example "3.1 M".
QString shortCount(double n)
{
    for (const auto& [limit, unit] : {std::pair(1e9, "G"), std::pair(1e6, "M"), std::pair(1e3, "k")})
        if (n >= limit)
            return QString::number(n / limit, 'f', 1) + QStringLiteral("\u2009") + unit;
    return QString::number(n, 'f', 0);
}

QString timeLeft(double seconds)
{
    if (seconds < 90)
        return tr("%1 s left").arg(std::max(1, int(seconds + 0.5)));
    return tr("%1 min left").arg(int(seconds / 60 + 0.5));
}

bool isFound(ClockMethod method)
{
    return method == ClockMethod::Packets || method == ClockMethod::Hypercalls || method == ClockMethod::Tsc;
}

/// True if the clock of a host, and all clocks through which it is aligned with the reference host's clock, were measured. The accuracy of
/// a clock that the user set is unknown.
bool isAllFound(const Timeline& timeline, const std::vector<HostClockFacts>& all, const HostClockFacts& clock)
{
    const auto isFoundOrReference = [&](std::uint32_t host) { return host == timeline.reference || isFound(all[host].method); };
    return isFound(clock.method) && std::ranges::all_of(clock.path, isFoundOrReference);
}

QString wayText(const Timeline& timeline, const HostClockFacts& clock)
{
    if (clock.isFromFile)
        return tr("from a file");
    if (const std::string messages = messagesOf(timeline, clock.method); !messages.empty())
        return tr("using %1").arg(text(messages));
    switch (clock.method) {
    case ClockMethod::Tsc: return tr("using their shared counter (TSC)");
    case ClockMethod::Manual: return tr("by hand");
    default: return {};
    }
}

} // namespace

double progressShare(const Progress& progress)
{
    return progress.bytesTotal > 0 ? std::min(1.0, double(progress.bytesDone) / double(progress.bytesTotal)) : -1;
}

QString progressText(const Progress& progress)
{
    QStringList parts;
    const double share = progressShare(progress);
    const double seconds = double(progress.elapsed.count()) / 1e9;
    if (share >= 0)
        parts << tr("%1 %").arg(int(share * 100));
    if (progress.events > 0)
        parts << tr("%1 events").arg(shortCount(double(progress.events)));
    if (seconds > 0.3)
        parts << tr("%1B/s").arg(shortCount(double(progress.bytesDone) / seconds));
    if (share > 0.02 && seconds > 0.5)
        parts << timeLeft(seconds * (1 - share) / share);
    return parts.join(QStringLiteral(", "));
}

QString recordingText(const Timeline& timeline)
{
    QStringList tracers;
    QStringList domains;
    for (const TimelineTrace& it : timeline.traces) {
        if (!it.trace)
            continue;
        const std::string tracer = it.trace->info().text("tracer_name");
        const bool isLttng = tracer.starts_with("lttng");
        const QString name = isLttng ? QStringLiteral("LTTng")
            : tracer.empty()         ? QString::fromStdString(it.trace->info().format)
                                     : QString::fromStdString(tracer);
        if (!tracers.contains(name))
            tracers << name;
        const std::string domain = it.trace->info().text("domain");
        const QString word = domain == "kernel" ? tr("kernel") : domain == "ust" ? tr("user space") : QString();
        if (!word.isEmpty() && !domains.contains(word))
            domains << word;
    }
    return (tracers.join(", ") + ' ' + domains.join(" + ")).trimmed();
}

QString clocksText(const Timeline& timeline)
{
    if (timeline.hosts.size() < 2 || !timeline.appliesClocks || !unsynchronizedHosts(timeline).empty())
        return {};
    QStringList ways;
    for (const HostClockFacts& clock : hostClocks(timeline))
        if (const QString way = wayText(timeline, clock); !way.isEmpty() && !ways.contains(way))
            ways << way;
    return ways.isEmpty() ? QString() : tr("%1 clocks aligned %2").arg(timeline.hosts.size()).arg(ways.join(tr(" and ")));
}

QString earlyPacketsText(const Timeline& timeline)
{
    std::size_t count = 0;
    std::string messages;
    bool isOfOne = true; // True if the early messages of all hosts have the same plural noun, for example "packets".
    for (const TimelineHost& host : timeline.hosts)
        if (host.early.contradictsClock()) {
            count += host.early.count;
            const std::string own = messagesOfRelation(timeline, host.early.relation);
            isOfOne = isOfOne && (messages.empty() || messages == own);
            messages = own;
        }
    const QString what = isOfOne ? text(messages) : tr("messages");
    return count > 0 ? tr("%1 %2 arrive before they were sent").arg(countText(qint64(count)), what) : QString();
}

QString clockAccuracyText(const Timeline& timeline)
{
    if (clocksText(timeline).isEmpty())
        return {};
    std::optional<Duration> surest;
    const std::vector<HostClockFacts> all = hostClocks(timeline);
    for (const HostClockFacts& clock : all)
        if (isAllFound(timeline, all, clock) && clock.minError < Duration::max() / 4)
            surest = std::min(surest.value_or(Duration::max()), clock.minError);
    const QString hosts = (hasHostNames(timeline) ? tr("%1 hosts") : tr("%1 recordings")).arg(timeline.hosts.size());
    if (const QString early = earlyPacketsText(timeline); !early.isEmpty())
        return tr("%1, %2").arg(hosts, early);
    return surest ? tr("%1, accurate to %2 at best").arg(hosts, QString::fromStdString(roughText(*surest))) : hosts;
}

QString inaccuracyText(const Timeline& timeline)
{
    QStringList parts;
    if (const QString early = earlyPacketsText(timeline); !early.isEmpty())
        parts << early;
    if (!unsynchronizedHosts(timeline).empty())
        parts << tr("clocks not synchronized");
    std::uint64_t lost = 0;
    for (const HostFacts& host : hostFacts(timeline))
        lost += host.lostEvents;
    if (lost > 0)
        parts << (lost == 1 ? tr("1 event lost") : tr("%1 events lost").arg(countText(qint64(lost))));
    return parts.join(QStringLiteral(", "));
}

QString plainSentence(const QString& clause)
{
    if (clause.isEmpty())
        return clause;
    QString text = clause;
    const QString first = text.section(' ', 0, 0);
    // Capitalize the first word. A path, or a label that ends with a colon, stays as it is.
    if (!first.contains('/') && !first.endsWith(':'))
        text[0] = text[0].toUpper();
    if (!text.endsWith('.'))
        text += '.';
    return text;
}

} // namespace helio
