#pragma once

#include "widgets/timeline/graph/axis/time_axis.h"

namespace helio {

/// Moves the cursor to where the next state of the selected row begins, or to the begin of its own and then of those before; after the last
/// one to its end, but never out of the last call. A call is selected. Without a selected row the window is panned. Asks the store: some
/// microseconds, on the UI thread.
void stepState(TimeAxis& axis, bool forward);

/// Selects the longest call of a row there, and its range: all docks are about it then. The cursor goes to its begin where it is elsewhere.
/// Nothing where the row's values are no calls.
void selectCall(TimeAxis& axis, TrackRef row, TimeRange there);

/// Zooms to the state of the selected row that the cursor is in, with some room around. Nothing where there is none.
void zoomToState(TimeAxis& axis);

} // namespace helio
