#include "widgets/timeline/graph/tips/link_text.h"

#include "core/query/rows/facts.h"
#include "core/timesync/host_clocks.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/tips/cause_text.h"
#include "widgets/timeline/graph/tips/tip_translation.h"

namespace helio {

namespace {

/// Error bound that clocks of different speeds have from rounding alone; a clock set by hand counts as exact.
constexpr Duration Rounding{1};

/// Formats an error bound like sentences about clocks do: more digits would suggest a false precision.
QString errorText(Duration error) { return QString::fromStdString(roughText(error)); }

} // namespace

QString linkEndText(const Timeline& timeline, TrackRef end, std::uint32_t host)
{
    const QString who = rowName(timeline, end);
    const QString where = QString::fromStdString(hostName(timeline, host));
    return who.isEmpty() ? where : where.isEmpty() ? who : tr("%1 on %2").arg(who, where);
}

QString plusMinus(Duration error)
{
    return error > Rounding && error != UnknownError ? QStringLiteral(" ±") + errorText(error) : QString();
}

QString linkDurationText(const LinkTimes& times)
{
    if (!times.isRelated || times.length == Duration{})
        return {};
    const QString length = durationText(std::chrono::abs(times.length));
    const QString error = times.error == UnknownError ? QStringLiteral(" ± ?") : plusMinus(times.error);
    return (times.length < Duration{} ? QChar(0x2212) + length : length) + error;
}

QString linkDoubtText(const Timeline& timeline, const LinkTimes& times)
{
    const QString back = durationText(std::chrono::abs(times.length));
    switch (times.error == UnknownError ? LinkOrder::Unknown : times.order) {
    case LinkOrder::Forward: return {};
    case LinkOrder::WithinError:
        return tr("It arrives %1 before it left: no more than the clocks may be wrong (±%2).").arg(back, errorText(times.error));
    case LinkOrder::Impossible:
        if (times.isBetweenHosts() && times.error <= Rounding)
            return tr("It arrives %1 before it left: a clock is wrong, or its ends do not belong together.").arg(back);
        return times.isBetweenHosts()
            ? tr("It arrives %1 before it left, which is more than the clocks may be wrong (±%2): they are, or its ends "
                 "do not belong together.")
                  .arg(back, errorText(times.error))
            : tr("It arrives %1 before it left, by one clock: its ends do not belong together.").arg(back);
    case LinkOrder::Unknown: break;
    }
    const QString from = QString::fromStdString(hostName(timeline, times.from));
    const QString to = QString::fromStdString(hostName(timeline, times.to));
    if (times.isRelated)
        return (times.length < Duration{} ? tr("It arrives %1 before it left.").arg(back) + ' ' : QString())
            + tr("How sure the clocks of %1 and %2 are beside each other is not known.").arg(from, to);
    return tr("Nothing relates the clocks of %1 and %2: times between them mean nothing.").arg(from, to);
}

} // namespace helio
