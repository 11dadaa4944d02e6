#include "widgets/views/clocks/clock_words.h"

#include "core/query/hosts/method_found.h"
#include "core/query/rows/facts.h"
#include "widgets/time/qt_text.h"

#include <QCoreApplication>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("clocks", text); }

QString rough(Duration error) { return QString::fromStdString(roughText(error)); }

QString packetsText(const HostClockFacts& clock)
{
    const bool areCalls = clock.method == ClockMethod::Hypercalls;
    return (areCalls ? tr("%1 hypercalls") : tr("%1 packets")).arg(countText(qint64(clock.matches)));
}

QString outliersText(const HostClockFacts& clock)
{
    if (clock.outliers == 0)
        return tr("The bounds cross nowhere: each of %1 arrived after it was sent.").arg(packetsText(clock));
    return tr("%1 of %2 contradict the others and were left out: the ringed dots.").arg(countText(qint64(clock.outliers)), packetsText(clock));
}

QString surenessText(const Timeline& timeline, const HostClockFacts& clock, const TimeFormat& format)
{
    const Timestamp surest = timeline.hosts[clock.host].clock(clock.line.at);
    QString text;
    if (clock.bound < Duration::max())
        text = tr("Everywhere in its traces it is right within \u00b1%1.").arg(rough(clock.bound)) + ' ';
    if (clock.leastError < clock.bound)
        text += tr("Where the corridor is narrowest it is \u00b1%1, at %2.").arg(rough(clock.leastError), timeText(surest, format, 0));
    if (!clock.pieces.empty())
        text += ' ' + tr("One line is not enough: it is in %1 pieces.").arg(clock.pieces.size());
    return text;
}

QString wayText(const Timeline& timeline, const HostClockFacts& clock)
{
    if (clock.path.size() < 3)
        return {};
    for (const std::uint32_t host : clock.path)
        if (timeline.hosts[host].method == ClockMethod::Manual)
            return ' ' + tr("By way of %1, which is set by hand: nobody knows how sure that is.").arg(text(hostName(timeline, host)));
    return ' ' + tr("By way of %1: errors add up.").arg(text(hostName(timeline, clock.path[clock.path.size() - 2])));
}

QString unalignedText(const Timeline& timeline, const HostClockFacts& clock)
{
    const QString reference = text(hostName(timeline, timeline.reference));
    if (clock.quality == FitQuality::Failed)
        return tr("Its packets contradict each other, so nothing follows from them and its times stay as recorded. Type an offset, or choose "
                  "two events that were the same moment.");
    if (clock.method == ClockMethod::Manual)
        return tr("Its times are left as they were recorded: beside those of %1 they mean nothing.").arg(reference);
    if (methodFound(timeline, clock.host) != ClockMethod::None)
        return tr("Its packets reach no host that is related to %1.").arg(reference);
    return tr("No packet between it and the others was found, so its times stay as recorded. Record net_dev_queue and net_if_receive_skb on "
              "all hosts; or type an offset, or choose two events that were the same moment.");
}

} // namespace

QString methodWord(const Timeline& timeline, const HostClockFacts& clock)
{
    switch (clock.method) {
    case ClockMethod::Manual: return timeline.hosts[clock.host].path.isReached ? tr("by hand") : tr("raw");
    case ClockMethod::None: return tr("not aligned");
    case ClockMethod::SameBoot: return tr("same clock");
    default: break;
    }
    const std::string_view word = wordOf(clock.method);
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

QString clockReason(const Timeline& timeline, const HostClockFacts& clock, const TimeFormat& format)
{
    if (!timeline.takesClocks)
        return tr("The program was started with --no-sync: all times are as they were recorded.");
    if (clock.method == ClockMethod::Reference)
        return tr("All times are on its clock.");
    if (clock.path.empty())
        return unalignedText(timeline, clock);
    if (clock.method == ClockMethod::Manual)
        return tr("Set by hand. Align again goes back to what the packets say.");
    if (clock.quality == FitQuality::OneWay)
        return tr("All of its %1 go one way: no packet arrives before it was sent, and nobody knows how much nearer the clocks are.")
                   .arg(packetsText(clock))
            + wayText(timeline, clock);
    return outliersText(clock) + ' ' + surenessText(timeline, clock, format) + wayText(timeline, clock);
}

QString errorText(const HostClockFacts& clock)
{
    const bool isKnown = clock.path.size() > 1 && clock.bound < Duration::max();
    return isKnown && (clock.method != ClockMethod::Manual || clock.bound > Duration{}) ? QStringLiteral("\u00b1") + rough(clock.bound)
                                                                                        : QStringLiteral("\u2013");
}

} // namespace helio
