#include "widgets/timeline/graph/tips/sample_tip.h"

#include "core/profiling/samples/sampled_code.h"
#include "core/query/rows/facts.h"
#include "widgets/timeline/graph/tips/tip_translation.h"

namespace helio {

namespace {

constexpr int Callers = 3;

/// Returns the look of the state that has the colour of a tick.
StateAppearance lookOf(const TipRequest& q, bool isUser)
{
    return q.theme.lookOf(stateThatMeans(*q.timeline, q.track, isUser ? StateCategory::OnCpuUser : StateCategory::OnCpuKernel));
}

/// Extends a range that ends with the trace by the moment of the last event, which belongs to no state.
TimeRange withEnd(TimeRange unknown, const Timeline& timeline)
{
    return {unknown.begin, unknown.end == rangeOf(timeline).end ? unknown.end + Duration(1) : unknown.end};
}

QString findStateCause(const TipRequest& q, TimeRange unknown)
{
    const bool isAll =
        previousInterval(*q.timeline, q.track, unknown.begin).empty() && intervalAt(*q.timeline, q.track, unknown.end).empty();
    return isAll ? tr("States between the samples are not known: no scheduler events tell them. perf record -a -g -e cpu-clock "
                      "-e sched:sched_switch -e sched:sched_wakeup records both.")
                 : tr("No event tells which state it was in.");
}

QString samplesText(std::uint64_t count) { return count == 1 ? tr("1 sample") : tr("%1 samples").arg(countText(qint64(count))); }

void addStates(TipContent& tip, const TipRequest& q, const SampleCounts& counts)
{
    const auto add = [&](StateAppearance look, const QString& words, std::uint64_t count) {
        if (count == 0)
            return;
        look.words = words;
        const double share = 100.0 * double(count) / double(counts.all());
        tip.states.emplace_back(look, counts.all() == 1 ? QString() : tr("%1, %2 %").arg(countText(qint64(count))).arg(share, 0, 'f', 1));
    };
    add(lookOf(q, true), tr("In user code"), counts.user);
    add(lookOf(q, false), tr("In the kernel"), counts.kernel);
    const StateAppearance rest = q.theme.lookOf(stateThatMeans(*q.timeline, q.track, StateCategory::Unknown));
    add(rest, tr("Elsewhere"), counts.other);
    add(rest, tr("Of other events"), counts.events);
}

QString nameOf(const SampledFunction& function)
{
    const bool isOfModule = function.name.empty() && function.place.empty() && !function.module.empty();
    return QString::fromStdString(isOfModule ? function.module : function.label());
}

} // namespace

std::optional<TipContent> sampleTip(const TipRequest& q, TimeRange unknown)
{
    const SampleCounts near = q.ticks.isEmpty() ? SampleCounts() : sampleCounts(*q.timeline, q.track, q.ticks);
    const bool isNear = near.all() > 0;
    const SampleCounts counts = isNear ? near : sampleCounts(*q.timeline, q.track, withEnd(unknown, *q.timeline));
    if (counts.all() == 0)
        return {};
    TipContent tip;
    tip.look = lookOf(q, counts.user >= counts.kernel);
    tip.title = samplesText(counts.all());
    tip.duration = isNear ? QString() : tr("in %1").arg(durationText(unknown.duration()));
    tip.place = q.name;
    tip.time = timeText(isNear ? q.at : unknown.begin, q.format, q.digits);
    addStates(tip, q, counts);
    if (!isNear)
        tip.cause = findStateCause(q, unknown);
    return tip;
}

std::vector<std::pair<QString, QString>> sampledCodeFacts(const TipRequest& q, std::stop_token stop)
{
    if (q.ticks.isEmpty())
        return {};
    const std::vector<SampledFunction> stack = mostSampledStack(*q.timeline, q.track, q.ticks, std::move(stop));
    if (stack.empty())
        return {};
    QStringList callers;
    for (std::size_t i = 1; i < stack.size() && i <= Callers; ++i)
        callers << nameOf(stack[i]);
    std::vector<std::pair<QString, QString>> facts{{tr("Sampled"), nameOf(stack[0])}};
    if (!callers.isEmpty())
        facts.emplace_back(tr("Called by"), callers.join(QStringLiteral(" \u2039 ")));
    return facts;
}

} // namespace helio
