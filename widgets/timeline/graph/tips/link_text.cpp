#include "widgets/timeline/graph/tips/link_text.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/timesync/host_clocks.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/tips/tip_translation.h"

namespace helio {

namespace {

QString sentence(const QString& text) { return text.isEmpty() ? text : text + QLatin1Char('.'); }

QString joined(const QString& first, const QString& second)
{
    return first.isEmpty() || second.isEmpty() ? first + second : first + QLatin1Char(' ') + second;
}

QString wakingText(const Timeline& timeline, const StateCause& cause)
{
    const Arrow& waking = *cause.waking;
    const QString who = (cause.isFirstWakeup ? tr("Created by %1") : tr("Woken by %1")).arg(wakerText(timeline, waking));
    const QString where = landingCpuText(waking);
    const QString then = where.isEmpty() ? tr("Has not run since")
        : cause.isFirstWakeup            ? tr("First ran on %1").arg(where)
                                         : tr("Resumed on %1").arg(where);
    return joined(sentence(who), sentence(then));
}

QString lossText(const Timeline& timeline, const StateCause& cause)
{
    QString text = tr("Preempted while runnable");
    if (cause.cpu != NoCpu)
        text = cause.successor.isValid() ? tr("Preempted on CPU %1 by %2").arg(cause.cpu).arg(rowName(timeline, cause.successor))
                                         : tr("Preempted on CPU %1").arg(cause.cpu);
    return joined(sentence(text), cause.nextCpu == NoCpu ? QString() : sentence(tr("Resumed on CPU %1").arg(cause.nextCpu)));
}

/// Error bound that is not shown: rounding alone causes it if clocks have different speeds. A message between hosts with this bound or less
/// counts as exact, e.g. after the user set the clock.
constexpr Duration Rounding{1};

/// Formats an error bound with roughText(), like other texts about clocks, because more digits would suggest a false precision.
QString errorText(Duration error) { return QString::fromStdString(roughText(error)); }

} // namespace

QString rowName(const Timeline& timeline, TrackRef track)
{
    const auto row = track.isValid() ? rowOf(timeline, track) : std::nullopt;
    if (!row)
        return {};
    if (const std::string title = rowTitle(timeline, track); !title.empty())
        return QString::fromStdString(title);
    const QString label = QString::fromStdString(row->label);
    return row->shownTid() >= 0 ? label + QStringLiteral(" %1").arg(row->tid) : label;
}

QString wakerText(const Timeline& timeline, const Arrow& waking)
{
    const auto onCpu = [&](const QString& who) {
        return waking.cpu == static_cast<std::uint32_t>(NoCpu) ? who : tr("%1 on CPU %2").arg(who).arg(waking.cpu);
    };
    if (isOfThread(timeline, waking))
        return onCpu(rowName(timeline, waking.from));
    const std::uint32_t trace = traceOf(timeline, waking.to);
    const auto cpu = static_cast<std::int32_t>(waking.cpu);
    const bool wasIdle = isIdle(timeline, trace, cpu, waking.fromTime);
    if (waking.detail.empty())
        return onCpu(wasIdle ? tr("the idle thread") : tr("an unknown thread"));
    const QString handler = onCpu(QString::fromStdString(waking.detail));
    const QString interrupted = rowName(timeline, threadOn(timeline, trace, cpu, waking.fromTime));
    return wasIdle              ? tr("%1, which was idle").arg(handler)
        : interrupted.isEmpty() ? handler
                                : tr("%1, while %2 ran there").arg(handler, interrupted);
}

QString landingCpuText(const Arrow& waking)
{
    if (waking.ranOn == NoCpu)
        return {};
    const QString cpu = tr("CPU %1").arg(waking.ranOn);
    const bool isOther = waking.targetCpu != NoCpu && waking.targetCpu != waking.ranOn;
    return isOther ? tr("%1 (migrated from CPU %2)").arg(cpu).arg(waking.targetCpu) : cpu;
}

QString causeText(const Timeline& timeline, const StateCause& cause, StateCategory state)
{
    if (cause.waking)
        return wakingText(timeline, cause);
    if (state == StateCategory::Preempted)
        return lossText(timeline, cause);
    if (state == StateCategory::WaitsForCpu && cause.successor.isValid())
        return sentence(tr("Switched out on CPU %1 for %2").arg(cause.cpu).arg(rowName(timeline, cause.successor)));
    return state == StateCategory::Unknown ? tr("No event recorded what happened here.") : QString();
}

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
        return tr("It arrives %1 before it leaves, which is within the error of the clocks (±%2).").arg(back, errorText(times.error));
    case LinkOrder::Impossible:
        if (times.isBetweenHosts() && times.error <= Rounding)
            return tr("It arrives %1 before it leaves: a clock is wrong, or its ends do not belong together.").arg(back);
        return times.isBetweenHosts()
            ? tr("It arrives %1 before it leaves, which exceeds the error of the clocks (±%2): a clock is wrong, or "
                 "its ends do not belong together.")
                  .arg(back, errorText(times.error))
            : tr("It arrives %1 before it leaves, on one clock: its ends do not belong together.").arg(back);
    case LinkOrder::Unknown: break;
    }
    const QString from = QString::fromStdString(hostName(timeline, times.fromHost));
    const QString to = QString::fromStdString(hostName(timeline, times.toHost));
    if (times.isRelated)
        return (times.length < Duration{} ? tr("It arrives %1 before it leaves.").arg(back) + ' ' : QString())
            + tr("The accuracy of the clocks of %1 and %2 relative to each other is unknown.").arg(from, to);
    return tr("The clocks of %1 and %2 are not related: times between them are meaningless.").arg(from, to);
}

} // namespace helio
