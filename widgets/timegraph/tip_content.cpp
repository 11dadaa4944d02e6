// What a tooltip says, asked of the timeline.

#include "core/query/arrows.h"
#include "core/query/event_threads.h"
#include "core/query/statistics.h"
#include "widgets/timegraph/lane.h"
#include "widgets/timegraph/sample_tip.h"

#include <QCoreApplication>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("StateTip", text); }

QString fromUtf8(const std::string& s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

/// What a value of the row is called.
QString valueTitle(std::string_view set, std::string_view state)
{
    if (set == "cpu")
        return state == "irq" || state == "softirq" ? tr("Handler") : tr("Thread");
    return set == "thread" ? tr("In") : tr("Value");
}

/// Between a state and its value: "system call read", "sleeping in read".
QString joint(std::string_view set, std::string_view state)
{
    const bool isInside = set == "thread" && state != "running-syscall";
    return !isInside ? QStringLiteral(" ") : state == "interrupted" ? tr(" by ") : tr(" in ");
}

QString nameOf(const Timeline& timeline, TrackRef track)
{
    const auto names = namesOf(timeline, track);
    return names.empty() ? QString() : fromUtf8(names.back());
}

/// "Woken by jbd2/vda1-8 in virtio0-req, to run on CPU 3."
QString wakerText(const Timeline& timeline, const Arrow& arrow)
{
    const QString where = fromUtf8(arrow.detail);
    QString who;
    if (!arrow.from.isValid())
        who = where.isEmpty() ? tr("Woken while the CPU was idle") : tr("Woken by %1 while the CPU was idle").arg(where);
    else
        who =
            tr("Woken by %1").arg(nameOf(timeline, arrow.from)) + (where.isEmpty() ? QString() : QLatin1Char(' ') + tr("in %1").arg(where));
    return who + tr(", to run on CPU %1.").arg(arrow.cpu);
}

/// The wake-up of this track next to a moment, if it is right there.
std::vector<Arrow> wakeupAt(const Timeline& timeline, TrackRef track, Timestamp at)
{
    const Duration slack(1);
    std::vector<Arrow> found = nextArrow(timeline, track, at - slack);
    for (int i = 0; i < 8 && !found.empty() && found[0].toTime <= at + slack; ++i) {
        if (found[0].kind == LinkKind::Wakeup && found[0].to == track)
            return found;
        found = nextArrow(timeline, track, found[0].toTime);
    }
    return {};
}

QString causeOf(const Timeline& timeline, TrackRef track, const Interval& interval, std::string_view state)
{
    if (state == "wait-cpu") {
        const auto woken = wakeupAt(timeline, track, interval.range.begin);
        return woken.empty() ? QString() : wakerText(timeline, woken[0]);
    }
    if (state == "blocked" || state == "sleeping" || state == "waiting" || state == "idle-kthread") {
        const auto woken = wakeupAt(timeline, track, interval.range.end);
        return woken.empty() ? QString() : wakerText(timeline, woken[0]);
    }
    if (state == "preempted")
        return tr("Taken off its CPU while it could have run on.");
    if (state == "unknown")
        return tr("No event tells what happened here.");
    return {};
}

/// What the row, or the rows that it shows together, did in the column: by look, as they are told apart by.
std::vector<std::pair<StateLook, StateTotal>> columnTotals(const TipQuestion& q)
{
    std::vector<std::pair<StateLook, StateTotal>> sums;
    for (const LaneSource& source : q.sources ? *q.sources : LaneSources{{q.track, 0}}) {
        const StateSet& set = statesOf(*q.timeline, source.track);
        for (const StateTotal& total : totals(*q.timeline, source.track, q.column)) {
            if (total.count == 0 || std::size_t(total.state) >= set.states.size())
                continue;
            const StateLook look = q.theme.lookOf(source.firstState == 0 ? set.id : "softirq", set.states[std::size_t(total.state)]);
            auto known = std::ranges::find_if(sums, [&](const auto& sum) { return sum.first.words == look.words; });
            if (known == sums.end())
                known = sums.insert(known, {look, {total.state, 0, {}, {}, {}}});
            known->second.count += total.count;
            known->second.total += total.total;
        }
    }
    return sums;
}

std::optional<TipContent> foldedTip(const TipQuestion& q)
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

/// Where events are all that is known of a row: those under the pointer, or that there are none.
TipContent eventTip(const TipQuestion& q)
{
    TipContent tip;
    tip.look = q.theme.lookOf("event", "event");
    const std::uint64_t count = eventsIn(*q.timeline, q.track, q.ticks);
    tip.title = count == 0 ? tr("No events here") : count == 1 ? tr("1 event") : tr("%1 events").arg(countText(qint64(count)));
    tip.place = q.name;
    tip.time = timeText(q.at, q.format, q.digits);
    tip.cause = count > 0 ? tr("A click goes there in the Events dock.") : tr("What the thread did between its events was not recorded.");
    return tip;
}

} // namespace

std::optional<TipContent> tipFor(const TipQuestion& q, std::stop_token stop)
{
    if (isEventThread(*q.timeline, q.track))
        return eventTip(q);
    const StateSet& set = statesOf(*q.timeline, q.track);
    if (!q.column.isEmpty())
        return foldedTip(q);
    const auto found = intervalAt(*q.timeline, q.track, q.at);
    if (found.empty() || std::size_t(found[0].state) >= set.states.size())
        return std::nullopt;
    const Interval& interval = found[0];
    const std::string& state = set.states[std::size_t(interval.state)];
    if (state == "unknown")
        if (auto samples = sampleTip(q, interval.range))
            return samples;
    TipContent tip;
    tip.look = q.theme.lookOf(set.id, state);
    tip.title = tip.look.words;
    tip.duration = durationText(interval.range.duration());
    tip.place = q.name;
    tip.time = timeText(interval.range.begin, q.format, q.digits);
    if (const std::string value = valueText(*q.timeline, q.track, interval.value); !value.empty())
        tip.facts.emplace_back(valueTitle(set.id, state), fromUtf8(value));
    const auto neighbour = [&](const QString& title, const std::vector<Interval>& it) {
        if (it.empty() || std::size_t(it[0].state) >= set.states.size())
            return;
        const std::string& name = set.states[std::size_t(it[0].state)];
        const StateLook look = q.theme.lookOf(set.id, name);
        const QString value = fromUtf8(valueText(*q.timeline, q.track, it[0].value));
        tip.facts.emplace_back(title,
                               look.legend + (value.isEmpty() ? QString() : joint(set.id, name) + value) + QStringLiteral(", ")
                                   + durationText(it[0].range.duration()));
    };
    neighbour(tr("Before"), previousInterval(*q.timeline, q.track, interval.range.begin));
    neighbour(tr("After"), intervalAt(*q.timeline, q.track, interval.range.end));
    if (!stop.stop_requested())
        tip.cause = causeOf(*q.timeline, q.track, interval, state);
    return tip;
}

} // namespace helio
