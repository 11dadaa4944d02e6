#include "widgets/timeline/graph/state_steps.h"

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/rows/row_calls.h"

namespace helio {

namespace {

void moveTo(TimeWindow& window, Timestamp at) { window.jump({.cursor = at}); }

/// Moves the cursor to the beginning of the next state. In the last state, moves it to the end of this state, unless the row has calls.
void toNextState(const Timeline& timeline, TimeWindow& window)
{
    if (const auto next = nextInterval(timeline, window.row(), window.cursor()); !next.empty())
        moveTo(window, next[0].range.begin);
    else if (valueKindOf(timeline, window.row()) == ValueKind::Frame)
        return;
    else if (const auto last = intervalAt(timeline, window.row(), window.cursor()); !last.empty())
        moveTo(window, last[0].range.end);
}

void toPreviousState(const Timeline& timeline, TimeWindow& window)
{
    const auto here = intervalAt(timeline, window.row(), window.cursor());
    // If the cursor is inside a state, it moves to the beginning of this state.
    const bool isInside = !here.empty() && here[0].range.begin < window.cursor();
    const auto found = isInside ? here : previousInterval(timeline, window.row(), window.cursor());
    if (!found.empty())
        moveTo(window, found[0].range.begin);
}

} // namespace

void stepState(TimeAxis& axis, bool forward)
{
    TimeWindow& window = axis.window();
    if (!window.row().isValid())
        return forward ? axis.panRight() : axis.panLeft();
    if (!axis.timeline())
        return;
    const auto neighbours = [timeline = axis.timeline(), row = window.row(), at = window.cursor(), forward] {
        (void)intervalAt(*timeline, row, at);
        (void)(forward ? nextInterval(*timeline, row, at) : previousInterval(*timeline, row, at));
    };
    axis.stepOnceFetched(axis, neighbours, [&axis, &window, forward] {
        const TimeWindow::Step step(window);
        forward ? toNextState(*axis.timeline(), window) : toPreviousState(*axis.timeline(), window);
        selectCall(axis, window.row(), {window.cursor(), window.cursor() + Duration(1)});
    });
}

void selectCall(TimeAxis& axis, TrackRef row, TimeRange there)
{
    if (!axis.timeline() || valueKindOf(*axis.timeline(), row) != ValueKind::Frame)
        return;
    const auto calls = [timeline = axis.timeline(), row, there] { (void)findColumnCalls(*timeline, row, there); };
    axis.stepOnceFetched(axis, calls, [&axis, row, there] {
        TimeWindow& window = axis.window();
        const auto call = findColumnCalls(*axis.timeline(), row, there).longest;
        if (!call)
            return;
        if (!call->range.contains(window.cursor()))
            window.setCursor(call->range.begin);
        window.setSelection(call->range);
    });
}

void zoomToState(TimeAxis& axis)
{
    const TimeWindow& window = axis.window();
    if (!axis.timeline() || !window.row().isValid())
        return;
    const auto state = [timeline = axis.timeline(), row = window.row(), at = window.cursor()] { return intervalAt(*timeline, row, at); };
    axis.stepOnceFetched(axis, state, [&axis, state] {
        const auto found = state();
        if (found.empty())
            return;
        const Duration margin = std::max(Duration(1), found[0].range.duration() / 8);
        axis.zoomTo({found[0].range.begin - margin, found[0].range.end + margin});
    });
}

} // namespace helio
