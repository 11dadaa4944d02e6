#pragma once

#include "widgets/timeline/graph/axis/time_axis.h"

namespace helio {

/// Moves the cursor to the begin of the next state of the selected row; after the last state to its end, unless it is a call. Backward,
/// moves to the begin of the state at the cursor, then to those before it. A call at the new cursor is selected. Without a selected
/// row, the visible range is panned.
/// Threads: UI thread.
/// Cost: some microseconds, for a query of the store.
void stepState(TimeAxis& axis, bool forward);

/// Selects the longest call of `row` in the range `there`: the selected range, which the docks describe, becomes that of the call. The
/// cursor moves to the call's begin unless it is inside the call. Does nothing if the row's values are no calls.
void selectCall(TimeAxis& axis, TrackRef row, TimeRange there);

/// Zooms to the state of the selected row at the cursor, with some margin. Does nothing if there is none.
void zoomToState(TimeAxis& axis);

} // namespace helio
