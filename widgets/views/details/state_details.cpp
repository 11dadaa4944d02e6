#include "widgets/views/details/state_details.h"

#include "core/query/arrows.h"
#include "core/query/facts.h"
#include "core/query/row_lookup.h"

namespace helio {

namespace {

QString text(std::string_view s) { return QString::fromUtf8(s.data(), qsizetype(s.size())); }

std::optional<StateDetails::Neighbour> neighbour(const Timeline& timeline, TrackRef track, const std::vector<Interval>& found)
{
    if (found.empty())
        return {};
    const Interval& it = found.front();
    return StateDetails::Neighbour{text(statesOf(timeline, track).id), text(stateName(timeline, track, it.state)),
                                   text(valueText(timeline, track, it.value)), it.range};
}

QString nameOf(const Timeline& timeline, TrackRef track)
{
    const auto row = track.isValid() ? rowOf(timeline, track) : std::nullopt;
    if (!row)
        return {};
    return text(row->label) + (row->tid >= 0 ? QStringLiteral("  %1").arg(row->tid) : QString());
}

/// The wake-up of this thread between two moments, both included.
std::optional<Arrow> wakeUp(const Timeline& timeline, TrackRef track, Timestamp from, Timestamp to)
{
    constexpr int MostSteps = 32;
    Timestamp at = to + Duration(1);
    for (int i = 0; i < MostSteps; ++i) {
        const auto found = previousArrow(timeline, track, at);
        if (found.empty() || found.front().toTime < from)
            return {};
        if (found.front().kind == LinkKind::Wakeup && found.front().to == track)
            return found.front();
        at = std::min(found.front().fromTime, at - Duration(1));
    }
    return {};
}

void addWaker(const Timeline& timeline, StateDetails& details)
{
    const bool isWaiting = details.state == "sleeping" || details.state == "blocked" || details.state == "waiting"
        || details.state == "idle-kthread" || details.state == "wait-cpu";
    if (!isWaiting)
        return;
    details.wakerEnds = details.state != "wait-cpu";
    const Timestamp around = details.wakerEnds ? details.range.end : details.range.begin;
    const auto arrow = wakeUp(timeline, details.track, around - std::chrono::microseconds(200), around);
    if (!arrow)
        return;
    details.waker = StateDetails::Waker{arrow->from, nameOf(timeline, arrow->from), text(arrow->detail), arrow->fromTime, arrow->cpu};
}

} // namespace

std::optional<StateDetails> stateDetails(const Timeline& timeline, TrackRef track, Timestamp at)
{
    const auto row = rowOf(timeline, track);
    auto here = intervalAt(timeline, track, at);
    if (!row)
        return {};
    if (here.empty()) // The row's last moment belongs to no interval.
        here = previousInterval(timeline, track, at);
    if (here.empty() || (here.front().range.end < at))
        return {};
    const Interval& it = here.front();
    StateDetails details;
    details.track = track;
    details.row = *row;
    details.host = text(hostName(timeline, row->host));
    details.setId = text(statesOf(timeline, track).id);
    details.state = text(stateName(timeline, track, it.state));
    details.value = text(valueText(timeline, track, it.value));
    details.range = it.range;
    details.before = neighbour(timeline, track, previousInterval(timeline, track, it.range.begin));
    details.after = neighbour(timeline, track, nextInterval(timeline, track, it.range.begin));
    if (row->kind == "thread")
        addWaker(timeline, details);
    return details;
}

} // namespace helio
