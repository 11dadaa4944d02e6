#pragma once

#include "app/gui/common/session_file.h"

namespace helio {

class ExperimentPane;

/// Returns the user's position in an experiment: its traces, the visible range, the selected row, bookmarks and the search. Layout and
/// filter are left to the window.
SessionState positionOf(ExperimentPane& pane);

/// Restores a position. If the row is in no timeline yet, later timelines are searched until it is found or the timeline is complete.
void restorePosition(ExperimentPane& pane, const SessionState& place);

/// Returns the position with only the selected row. restoreRow() selects that row again if the selection or the row's track changed;
/// `place` comes from selectedRowPosition().
SessionState selectedRowPosition(ExperimentPane& pane);
void restoreRow(ExperimentPane& pane, const SessionState& place);

} // namespace helio
