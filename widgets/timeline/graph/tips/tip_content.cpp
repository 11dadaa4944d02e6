// Queries of the timeline for the content of tooltips.

#include "core/profiling/calls/call_names.h"
#include "core/profiling/calls/recorded_slice.h"
#include "core/profiling/samples/sampled_code.h"
#include "core/query/events/system_call_fields.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/event_threads.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/state_causes.h"
#include "core/query/rows/statistics.h"
#include "core/query/segments/segments.h"
#include "core/virtualization/steal_breakdown.h"
#include "core/waits/locks/lock_contention.h"
#include "core/waits/path/cpu_occupancy.h"
#include "core/waits/path/explain_wait.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/value_colors.h"
#include "widgets/timeline/graph/rows/row_calls.h"
#include "widgets/timeline/graph/tips/link_text.h"
#include "widgets/timeline/graph/tips/state_tip.h"
#include "widgets/timeline/graph/tips/tip_translation.h"

#include <optional>

namespace helio {

namespace {

/// Returns the tooltip of a call: function, duration and self time. For an address without a symbol, it says why the symbol is unknown.
TipContent frameTip(const TipRequest& q, const Interval& call)
{
    const auto stack = StackId{call.value};
    TipContent tip;
    tip.look = styleByValue(q.theme, *q.timeline, q.track, call);
    tip.title = text(frameText(*q.timeline, q.track.store, stack));
    const auto recorded = callAt(*q.timeline, q.track, call.range.begin);
    const Duration duration = recorded ? lengthOf(recorded->range) : call.range.duration();
    tip.duration = frameDurationText(stateKind(*q.timeline, q.track, call.state), duration);
    tip.place = q.name;
    tip.time = timeText(call.range.begin, q.format, q.digits);
    if (recorded)
        tip.facts.emplace_back(tr("Self"), durationText(Duration(recorded->recorded.value)));
    if (const std::string module = frameModuleText(*q.timeline, q.track.store, stack); !module.empty())
        tip.facts.emplace_back(tr("Module"), text(module));
    const bool isExplained = stateKind(*q.timeline, q.track, call.state).style.has(StateFlag::ExplainedInTips);
    const bool isUsual = tip.look.drawing == BarPattern::Plain && !isExplained;
    QStringList notes{isUsual ? QString() : tip.look.words, text(unnamedReason(*q.timeline, q.track.store, stack))};
    notes.removeAll(QString());
    tip.cause = notes.join('\n');
    return tip;
}

constexpr int Callers = 3;

/// Returns the look of the row's state for user mode or kernel mode. Its colour is also the colour of sample ticks of this mode.
StateAppearance lookOf(const TipRequest& q, bool isUser)
{
    return q.theme.lookOf(stateThatMeans(*q.timeline, q.track, isUser ? StateCategory::OnCpuUser : StateCategory::OnCpuKernel));
}

/// Extends a range that ends with the trace by 1 ns, to include the last event, which belongs to no state.
TimeRange withEnd(TimeRange unknown, const Timeline& timeline)
{
    return {unknown.begin, unknown.end == rangeOf(timeline).end ? unknown.end + Duration(1) : unknown.end};
}

QString findStateCause(const TipRequest& q, TimeRange unknown)
{
    const bool isAll =
        previousInterval(*q.timeline, q.track, unknown.begin).empty() && intervalAt(*q.timeline, q.track, unknown.end).empty();
    return isAll ? tr("States between the samples are unknown, because no scheduler events were recorded. %1")
                       .arg(QString::fromStdString(adviseRecording(RecordableData::SampledStates, q.timeline.get()).sentences()))
                 : tr("No event recorded its state.");
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
    add(rest, tr("Other events"), counts.otherEvents);
}

QString nameOf(const SampledFunction& function)
{
    const bool isOfModule = function.name.empty() && function.place.empty() && !function.module.empty();
    return QString::fromStdString(isOfModule ? function.module : function.label());
}

/// Returns the tooltip of a row with samples but no states: for the ticks under the pointer, otherwise for the whole range `unknown`.
/// nullopt if the row has no samples.
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

/// Returns the text between a state's name and its value: " " in "system call read", " in " in "sleeping in read".
QString connective(const StateKind& state)
{
    return state.style.connective.empty() ? QStringLiteral(" ") : QStringLiteral(" %1 ").arg(text(state.style.connective));
}

QString valueTitle(const StateKind& state) { return state.style.valueTitle.empty() ? tr("Value") : text(state.style.valueTitle); }

/// Returns count and duration of each state in the column, summed over `q.sources` if given. States with the same text are merged, even if
/// they have different colours.
std::vector<std::pair<StateAppearance, StateTotal>> columnTotals(const TipRequest& q)
{
    std::vector<std::pair<StateAppearance, StateTotal>> sums;
    for (const LaneSource& source : q.sources ? *q.sources : LaneSources{{q.track, 0}}) {
        const StateSet& set = statesOf(*q.timeline, source.track);
        for (const StateTotal& total : totals(*q.timeline, source.track, q.column)) {
            if (total.count == 0 || std::size_t(total.state) >= set.states.size())
                continue;
            const StateAppearance look = q.theme.lookOf(set.states[std::size_t(total.state)]);
            auto known = std::ranges::find_if(sums, [&](const auto& sum) { return sum.first.words == look.words; });
            if (known == sums.end())
                known = sums.insert(known, {look, {total.state, 0, {}, {}, {}}});
            known->second.count += total.count;
            known->second.total += total.total;
        }
    }
    return sums;
}

std::optional<TipContent> foldedTip(const TipRequest& q)
{
    TipContent tip;
    std::uint64_t count = 0;
    Duration longest{};
    for (const auto& [look, total] : columnTotals(q)) {
        tip.states.emplace_back(look, QStringLiteral("%1 × %2").arg(countText(qint64(total.count)), durationText(total.total)));
        count += total.count;
        if (total.total > longest) {
            longest = total.total;
            tip.look = look;
        }
    }
    if (tip.states.empty())
        return std::nullopt;
    tip.title = count == 1 ? tip.look.words : tr("%1 states").arg(countText(qint64(count)));
    tip.duration = durationText(q.column.duration());
    tip.place = q.name;
    tip.time = timeText(q.column.begin, q.format, 9);
    return tip;
}

/// Returns the tooltip of a column of calls. A single call is described completely; for several calls, it has their number and the longest
/// one.
std::optional<TipContent> callsTip(const TipRequest& q)
{
    const ColumnCalls calls = findColumnCalls(*q.timeline, q.track, q.column.isEmpty() ? q.pixel : q.column);
    if (calls.count == 0)
        return std::nullopt;
    if (calls.count == 1)
        return frameTip(q, *calls.longest);
    TipRequest column = q;
    column.column = q.column.isEmpty() ? q.pixel : q.column;
    auto tip = foldedTip(column);
    if (!tip)
        return std::nullopt;
    const std::string function = formatValue(*q.timeline, q.track, calls.longest->value);
    tip->title = (calls.count < MostColumnCalls ? tr("%1 calls") : tr("%1 calls or more")).arg(countText(qint64(calls.count)));
    tip->facts.emplace_back(tr("Longest"), text(function) + QStringLiteral(", ") + durationText(calls.longest->range.duration()));
    return tip;
}

/// Returns the tooltip of a row with only events: the events under the pointer, or that there are none.
TipContent eventTip(const TipRequest& q)
{
    TipContent tip;
    if (const auto ticks = eventTicks(*q.timeline, q.track); !ticks.empty())
        tip.look = q.theme.lookOf(stateKind(*q.timeline, ticks.front(), State{}));
    const std::uint64_t count = eventsIn(*q.timeline, q.track, q.ticks);
    tip.title = count == 0 ? tr("No events here") : count == 1 ? tr("1 event") : tr("%1 events").arg(countText(qint64(count)));
    tip.place = q.name;
    tip.time = timeText(q.at, q.format, q.digits);
    tip.cause = count > 0 ? tr("Click to go there in the Events dock.") : tr("The thread's activity between its events was not recorded.");
    return tip;
}

/// Adds who had the CPU while the row was runnable, or what ran inside the virtual machine. Returns true if the row lost CPU time.
bool addStealCulprits(const TipRequest& q, TimeRange range, const std::stop_token& stop, TipContent& tip)
{
    constexpr std::size_t MostCulprits = 3;
    StealBreakdown taken = computeStealBreakdown(*q.timeline, q.track, range, stop);
    if (taken.by.empty())
        taken = guestActivity(*q.timeline, q.track, range, stop);
    Duration named{};
    for (const StealCulprit& it : std::span(taken.by).first(std::min(taken.by.size(), MostCulprits))) {
        tip.parts.emplace_back(text(it.words), durationText(it.total));
        named += it.total;
    }
    if (taken.by.size() > MostCulprits)
        tip.parts.emplace_back(tr("%1 others").arg(countText(qint64(taken.by.size() - MostCulprits))), durationText(taken.total - named));
    if (!taken.affectedThread.empty())
        tip.facts.emplace_back(tr("Affected"), text(taken.affectedThread));
    tip.sharedBy = taken.isInside ? tr("Guest activity") : tr("Culprits");
    if (!tip.parts.empty() && !taken.isInside && taken.total != range.duration())
        tip.facts.emplace_back(tr("Steal time"), tr("%1 of this state").arg(durationText(taken.total)));
    return !tip.parts.empty() && !taken.isInside;
}

/// Returns the names of waiters, for example "a (1), b (2) and 3 more".
QString waitersText(const std::vector<std::string>& waiters)
{
    constexpr std::size_t MostWaiters = 4;
    QStringList names;
    for (std::size_t i = 0; i < std::min(MostWaiters, waiters.size()); ++i)
        names << text(waiters[i]);
    const std::size_t more = waiters.size() - std::min(MostWaiters, waiters.size());
    return names.join(QStringLiteral(", ")) + (more > 0 ? tr(" and %1 more").arg(more) : QString());
}

/// Returns a sentence about who waits at a lock, and until when.
QString waitSentence(const LockUse& use)
{
    const QString holder = text(use.holder), waker = text(use.waker);
    const bool isForWork = use.waiters.empty();
    const std::vector<std::string>& all = isForWork ? use.workWaiters : use.waiters;
    const bool isOne = all.size() == 1;
    const QString who = isOne ? text(all[0]) : tr("%1 threads").arg(all.size());
    if (isForWork && !waker.isEmpty())
        return tr("%1 waits for work, woken by %2.").arg(who, waker);
    if (isForWork)
        return (isOne ? tr("%1 waits for work.") : tr("%1 wait for work.")).arg(who);
    if (!holder.isEmpty())
        return (isOne ? tr("%1 waits for the lock, held by %2.") : tr("%1 wait for the lock, held by %2.")).arg(who, holder);
    if (!waker.isEmpty())
        return tr("%1 waits for the lock until %2 releases it.").arg(who, waker);
    return (isOne ? tr("%1 waits for the lock; its owner is unknown.") : tr("%1 wait for the lock; its owner is unknown.")).arg(who);
}

/// Sets who waits for a lock, who waits for work there, and who holds the lock.
void setLockUse(const LockUse& use, TipContent& tip)
{
    tip.facts.clear();
    tip.facts.emplace_back(tr("Lock"), text(use.lock));
    if (!use.waiters.empty())
        tip.facts.emplace_back(tr("Waiting"), waitersText(use.waiters));
    if (!use.workWaiters.empty())
        tip.facts.emplace_back(tr("Waiting for work"), waitersText(use.workWaiters));
    if (!use.holder.empty())
        tip.facts.emplace_back(tr("Held by"), text(use.holder));
    tip.cause = use.waiters.empty() && use.workWaiters.empty() ? tr("%1 holds the lock; no thread waits for it.").arg(text(use.holder))
                                                               : waitSentence(use);
}

/// Adds how long a CPU was idle in the range.
void addIdleTime(const TipRequest& q, TimeRange range, std::int32_t cpu, TipContent& tip)
{
    if (cpu == NoCpu)
        return;
    for (const CpuOccupancy::Occupant& it : CpuOccupancy(*q.timeline).on(traceOf(*q.timeline, q.track), cpu, range))
        if (it.isIdle)
            tip.facts.emplace(tip.facts.begin(), tr("CPU %1").arg(cpu),
                              tr("idle for %1 (%2 %)")
                                  .arg(durationText(it.total))
                                  .arg(qRound(100.0 * double(it.total.count()) / double(range.duration().count()))));
}

} // namespace

QString waitConclusion(const TipRequest& q, std::stop_token stop)
{
    const auto found = q.column.isEmpty() ? intervalAt(*q.timeline, q.track, q.at) : std::vector<Interval>();
    if (found.empty() || trackOf(*q.timeline, q.track)->role != TrackRole::Thread)
        return {};
    const StateCategory meaning = meaningOf(*q.timeline, q.track, found[0].state);
    if (!isOffCpu(meaning) && !isRunnable(meaning))
        return {};
    constexpr PathLimits Limits{.timeLimit = std::chrono::milliseconds(200)};
    return text(explainWait(q.timeline, q.track, q.at, std::move(stop), WaitEvents::Skip, Limits).conclusion);
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

std::vector<std::pair<QString, QString>> recordedCallFields(const TipRequest& q, std::stop_token stop)
{
    constexpr std::size_t LongestValue = 400; // More characters do not fit into the lines of a value.
    std::vector<std::pair<QString, QString>> fields;
    const auto add = [&](const QString& name, const std::string& value) {
        if (!value.empty())
            fields.emplace_back(name, text(value.substr(0, LongestValue)).replace(QLatin1Char('\n'), QLatin1Char(' ')));
    };
    if (valueKindOf(*q.timeline, q.track) == ValueKind::Frame) {
        const ColumnCalls calls = findColumnCalls(*q.timeline, q.track, q.column.isEmpty() ? q.pixel : q.column);
        const auto call = calls.count == 1 ? callAt(*q.timeline, q.track, calls.longest->range.begin) : std::nullopt;
        const auto names = call ? callNamesOf(q.timeline, stop) : nullptr;
        if (!names)
            return fields;
        for (const SliceField& field : recordedSliceFields(q.timeline, callFacts(*q.timeline, *names, *call, stop), stop))
            if (field.name != CpuTimeField) // The Details dock shows the CPU time.
                add(field.name == "cat"        ? tr("Category")
                        : field.name != "args" ? text(field.name)
                        : field.isAtEnd        ? tr("At the end")
                                               : tr("Arguments"),
                    field.value);
        return fields;
    }
    const auto found = q.column.isEmpty() ? intervalAt(*q.timeline, q.track, q.at) : std::vector<Interval>();
    const auto row = found.empty() ? std::nullopt : rowOf(*q.timeline, q.track);
    if (!row || row->role != TrackRole::Thread || !isSystemCall(stateKind(*q.timeline, q.track, found[0].state)))
        return fields;
    const std::string call = formatValue(*q.timeline, q.track, found[0].value);
    const SystemCallFields recorded = call.empty() ? SystemCallFields() : readSystemCall(q.timeline, *row, found[0].range, call, stop);
    add(tr("Arguments"), recorded.arguments);
    add(tr("Result"), recorded.result);
    return fields;
}

std::optional<StateInWords> stateInWords(const Timeline& timeline, TrackRef track, Timestamp at, const Theme& theme)
{
    const auto found = intervalAt(timeline, track, at);
    const StateSet& set = statesOf(timeline, track);
    if (found.empty() || std::size_t(found[0].state) >= set.states.size())
        return std::nullopt;
    const StateKind& kind = set.states[std::size_t(found[0].state)];
    const QString value = text(formatValue(timeline, track, found[0].value));
    const bool isNamed = kind.style.has(StateFlag::NamedByValue) || valueKindOf(timeline, track) == ValueKind::Frame;
    if (isNamed && !value.isEmpty())
        return StateInWords{value, found[0].range};
    return StateInWords{theme.lookOf(kind).legend + (value.isEmpty() ? QString() : connective(kind) + value), found[0].range};
}

std::optional<TipContent> tipFor(const TipRequest& q, std::stop_token stop)
{
    if (isEventThread(*q.timeline, q.track))
        return eventTip(q);
    const StateSet& set = statesOf(*q.timeline, q.track);
    if (valueKindOf(*q.timeline, q.track) == ValueKind::Frame)
        return callsTip(q);
    if (!q.column.isEmpty())
        return foldedTip(q);
    const auto found = intervalAt(*q.timeline, q.track, q.at);
    if (found.empty() || std::size_t(found[0].state) >= set.states.size())
        return std::nullopt;
    const Interval& interval = found[0];
    const StateKind& state = set.states[std::size_t(interval.state)];
    if (isUnknownAtRest(state))
        if (auto samples = sampleTip(q, interval.range))
            return samples;
    TipContent tip;
    tip.look = q.theme.lookOf(state);
    tip.title = tip.look.words;
    tip.duration = durationText(interval.range.duration());
    tip.place = q.name;
    tip.time = timeText(interval.range.begin, q.format, q.digits);
    const bool isTaken = addStealCulprits(q, interval.range, stop, tip);
    if (const std::string value = formatValue(*q.timeline, q.track, interval.value);
        !value.empty() && !(isTaken && isRunnable(state.meaning))) {
        // The value is the name of the state, so the title is the value instead of the general text for the state.
        if (state.style.has(StateFlag::NamedByValue))
            tip.title = text(value);
        else if (value != state.name)
            tip.facts.emplace_back(valueTitle(state), text(value));
    }
    const auto neighbour = [&](const QString& title, const std::vector<Interval>& it) {
        if (it.empty() || std::size_t(it[0].state) >= set.states.size())
            return;
        const StateKind& kind = set.states[std::size_t(it[0].state)];
        const StateAppearance look = q.theme.lookOf(kind);
        const QString value = text(formatValue(*q.timeline, q.track, it[0].value));
        const bool isNamed = kind.style.has(StateFlag::NamedByValue) && !value.isEmpty();
        tip.facts.emplace_back(
            title,
            (isNamed ? value : look.legend + (value.isEmpty() || value == look.legend ? QString() : connective(kind) + value))
                + QStringLiteral(", ") + durationText(it[0].range.duration()));
    };
    neighbour(tr("Before"), previousInterval(*q.timeline, q.track, interval.range.begin));
    neighbour(tr("After"), intervalAt(*q.timeline, q.track, interval.range.end));
    if (const auto use = findLockUse(*q.timeline, q.track, q.at, stop))
        setLockUse(*use, tip);
    const auto row = rowOf(*q.timeline, q.track);
    if (stop.stop_requested() || !row || row->role != TrackRole::Thread)
        return tip;
    const StateCause cause = findStateCause(*q.timeline, q.track, interval);
    // States with a known activity get no cause, because their own text already says what the row does.
    if (!state.style.has(StateFlag::ActivityKnown))
        tip.cause = causeText(*q.timeline, cause, state.meaning);
    if (state.meaning == StateCategory::Throttled)
        addIdleTime(q, interval.range, cause.nextCpu != NoCpu ? cause.nextCpu : cause.cpu, tip);
    else if (cause.cpu != NoCpu && tip.cause.isEmpty())
        tip.facts.emplace(tip.facts.begin(), tr("CPU"), QString::number(cause.cpu));
    return tip;
}

std::optional<TipContent> tipFor(const TipRequest& q, const Arrow& arrow)
{
    const LinkKindInfo& kind = kindOf(*q.timeline, arrow);
    TipContent tip;
    tip.title = text(kind.title.empty() ? kind.id : kind.title);
    tip.look.role = text(kind.color);
    tip.look.color = q.theme.colorOf(kind);
    tip.look.height = 16;
    const LinkTimes times = linkTimes(*q.timeline, arrow);
    tip.duration = linkDurationText(times);
    // Ends on the same host are visible as rows, so only messages and links between hosts name their ends.
    const bool isNamed = times.isBetweenHosts() || arrow.message != NoMessage;
    const QString from = isNamed ? linkEndText(*q.timeline, arrow.from, times.fromHost) : rowName(*q.timeline, arrow.from);
    const QString to = isNamed ? linkEndText(*q.timeline, arrow.to, times.toHost) : rowName(*q.timeline, arrow.to);
    tip.place = (from.isEmpty() ? QString() : from + QStringLiteral(" \u2192 ")) + to;
    tip.time = timeText(arrow.fromTime, q.format, q.digits);
    if (arrow.kind == LinkKind::Wakeup) {
        StateCause cause;
        cause.waking = arrow;
        tip.cause = causeText(*q.timeline, cause, StateCategory::None);
    } else if (arrow.kind == LinkKind::Sched) {
        tip.facts.emplace_back(tr("CPU"), QString::number(arrow.cpu));
    } else if (!arrow.detail.empty()) {
        tip.facts.emplace_back(kind.detail.empty() ? tr("Detail") : text(kind.detail), text(arrow.detail));
    }
    if (arrow.message != NoMessage)
        tip.cause = linkDoubtText(*q.timeline, times);
    return tip;
}

} // namespace helio
