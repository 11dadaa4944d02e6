#include "widgets/timeline/graph/rows/row_calls.h"

#include "widgets/time/time_format.h"
#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/lanes/value_colors.h"

#include <QCoreApplication>

namespace helio {

namespace {

/// Returns the duration of a call as text; "open" if the trace ends before the call.
QString durationOf(const Timeline& timeline, TrackRef row, const Interval& call)
{
    const StateKind state = stateKind(timeline, row, call.state);
    return isOpenEnd(state.style.drawing) ? QCoreApplication::translate("CursorCalls", "open")
                                          : frameDurationText(state, call.range.duration());
}

} // namespace

ColumnCalls findColumnCalls(const Timeline& timeline, TrackRef row, TimeRange column)
{
    ColumnCalls found;
    auto call = intervalAt(timeline, row, column.begin);
    if (call.empty())
        call = nextInterval(timeline, row, column.begin);
    while (!call.empty() && call[0].range.begin < column.end && found.count < MostColumnCalls) {
        ++found.count;
        if (!found.longest || call[0].range.duration() > found.longest->range.duration())
            found.longest = call[0];
        call = nextInterval(timeline, row, call[0].range.begin);
    }
    return found;
}

CallsByRow callsAt(const Timeline& timeline, const std::vector<TrackRef>& rows, Timestamp at, const FrameChoice& frames)
{
    CallsByRow calls;
    for (const TrackRef row : rows)
        for (const Interval& call : intervalAt(timeline, row, at))
            if (const auto state = stateByValue(timeline, row, call, frames))
                calls[row] = {*state, shortValue(valueText(timeline, row, call.value)), durationOf(timeline, row, call)};
    return calls;
}

void CursorCalls::request(std::shared_ptr<const Timeline> timeline, std::vector<TrackRef> rows, Timestamp at, FrameChoice frames)
{
    m_job.post([this, timeline = std::move(timeline), rows = std::move(rows), at,
                frames = std::move(frames)](std::stop_token) -> LatestTask::Delivery {
        return [this, calls = callsAt(*timeline, rows, at, frames)]() mutable { set(std::move(calls)); };
    });
}

void CursorCalls::forget()
{
    m_job.cancel();
    set({});
}

void CursorCalls::set(CallsByRow calls)
{
    if (calls == m_calls)
        return;
    m_calls = std::move(calls);
    emit changed();
}

QString frameDurationText(const StateKind& state, Duration duration)
{
    // The states of sampled calls have an explanation for tooltips, those of recorded calls do not.
    const bool isSampled = state.style.has(StateFlag::ExplainedInTips);
    if (state.style.has(StateFlag::AlwaysVisible)) // The tick of a call of duration 0.
        return durationText(Duration(0));
    return isSampled && duration <= Duration(1) ? QCoreApplication::translate("FrameDuration", "1 sample") : durationText(duration);
}

} // namespace helio
