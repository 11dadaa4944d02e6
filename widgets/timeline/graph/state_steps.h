#pragma once

#include "widgets/timeline/graph/axis/time_axis.h"

namespace helio {

/// Moves the cursor one state forward or backward in the selected row. Forward: to the beginning of the next state, or to the end of the
/// last state unless it is a call. Backward: to the beginning of the state at the cursor; if the cursor is already there, to the
/// beginning of the previous state. A call at the new cursor becomes selected. Without a selected row, pans the visible range.
/// Threads: UI thread.
/// Cost: some microseconds, for a query of the store.
void stepState(TimeAxis& axis, bool forward);

/// Selects the longest call of `row` in `there`: the selected range becomes that of the call, so that the docks describe the call. The
/// cursor moves to the call's start unless it is inside the call. Does nothing if the row has no calls.
void selectCall(TimeAxis& axis, TrackRef row, TimeRange there);

/// Zooms to the state at the cursor in the selected row, with some margin. Does nothing if there is no such state.
void zoomToState(TimeAxis& axis);

} // namespace helio
