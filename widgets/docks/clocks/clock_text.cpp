#include "widgets/docks/clocks/clock_text.h"

#include "core/query/rows/facts.h"
#include "core/timesync/host_clocks.h"
#include "widgets/time/qt_text.h"

#include <QCoreApplication>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("clocks", text); }

QString rough(Duration error) { return QString::fromStdString(roughText(error)); }

/// Returns the number of matched messages, e.g. "1,204 packets".
QString messagesText(const HostClockFacts& clock) { return countText(qint64(clock.matches)) + ' ' + text(clock.messages); }

QString outliersText(const HostClockFacts& clock)
{
    if (clock.outliers == 0)
        return tr("Consistent: all %1 arrive after they were sent.").arg(messagesText(clock));
    return tr("%1 of %2 contradict the others and are excluded (ringed dots).").arg(countText(qint64(clock.outliers)), messagesText(clock));
}

QString surenessText(const Timeline& timeline, const HostClockFacts& clock, const TimeFormat& format)
{
    const Timestamp surest = timeline.hosts[clock.host].clock(clock.line.at);
    QString text;
    if (clock.bound < Duration::max())
        text = tr("Accurate to \u00b1%1 throughout its traces.").arg(rough(clock.bound)) + ' ';
    if (clock.minError < clock.bound)
        text += tr("At best \u00b1%1, at %2.").arg(rough(clock.minError), timeText(surest, format, 0));
    if (!clock.intervals.empty())
        text += ' ' + tr("One line does not fit: the clock has %1 pieces.").arg(clock.intervals.size());
    return text;
}

QString wayText(const Timeline& timeline, const HostClockFacts& clock)
{
    if (clock.path.size() < 3)
        return {};
    if (const auto hand = findManualHostOnPath(timeline, clock)) {
        const QString way = hasUnknownManualError(timeline, clock)
            ? tr("Derived through %1, whose clock is set by hand; the error is unknown.")
            : tr("Derived through %1, whose clock is set by hand; errors add up.");
        return ' ' + way.arg(text(hostName(timeline, *hand)));
    }
    return ' ' + tr("Derived through %1; errors add up.").arg(text(hostName(timeline, clock.path[clock.path.size() - 2])));
}

QString unalignedText(const Timeline& timeline, const HostClockFacts& clock)
{
    const QString reference = text(hostName(timeline, timeline.reference));
    if (clock.quality == FitQuality::Failed)
        return tr("Its messages contradict each other, so its times stay as recorded. Type an offset or match two "
                  "events.");
    if (clock.method == ClockMethod::Manual)
        return tr("Its times are left as recorded and cannot be compared with those of %1.").arg(reference);
    if (bestMessageMethod(timeline, clock.host) != ClockMethod::None)
        return tr("Its %1 reach no host whose clock is related to %2.")
            .arg(text(messagesOf(timeline, bestMessageMethod(timeline, clock.host))), reference);
    return tr("No packets between this host and the others were found, so its times stay as recorded. Record "
              "net_dev_queue and net_if_receive_skb on all hosts, type an offset, or match two events.");
}

} // namespace

QString methodText(const Timeline& timeline, const HostClockFacts& clock)
{
    switch (clock.method) {
    case ClockMethod::Manual: return timeline.hosts[clock.host].path.isReached ? tr("by hand") : tr("raw");
    case ClockMethod::None: return tr("not aligned");
    case ClockMethod::SameBoot: return tr("same clock");
    default: break;
    }
    return text(wordOf(clock.method));
}

QString clockReason(const Timeline& timeline, const HostClockFacts& clock, const TimeFormat& format)
{
    if (!timeline.appliesClocks)
        return tr("Started with --no-sync: all times are as recorded.");
    if (clock.method == ClockMethod::Reference)
        return tr("All times are shown on this clock.");
    if (clock.path.empty())
        return unalignedText(timeline, clock);
    if (clock.method == ClockMethod::Manual)
        return clock.bound < Duration::max() ? tr("Set by hand. Align again restores the computed clock.")
                                             : tr("Set by hand, accuracy unknown. Align again restores the computed clock.");
    if (clock.quality == FitQuality::OneWay)
        return tr("All its %1 go one way: none arrives before it was sent, but the error is unknown.").arg(messagesText(clock))
            + wayText(timeline, clock);
    if (clock.isFromFile)
        return tr("Set by a clock file. Align again restores the computed clock.") + ' ' + surenessText(timeline, clock, format);
    const QString elsewhere = clock.path.front() == timeline.reference ? QString()
                                                                       : ' '
            + tr("Its times are on the clock of %1, which is not related to %2.")
                  .arg(text(hostName(timeline, clock.path.front())), text(hostName(timeline, timeline.reference)));
    return outliersText(clock) + ' ' + surenessText(timeline, clock, format) + wayText(timeline, clock) + elsewhere;
}

QString errorText(const HostClockFacts& clock)
{
    if (clock.path.size() < 2)
        return QStringLiteral("\u2013");
    if (clock.bound == Duration::max())
        return QStringLiteral("\u00b1 ?");
    const bool isExact = clock.method == ClockMethod::Manual && clock.bound == Duration{};
    return isExact ? QStringLiteral("\u2013") : QStringLiteral("\u00b1") + rough(clock.bound);
}

} // namespace helio
