#pragma once

#include "app/gui/common/session_file.h"

namespace helio {

class ExperimentPane;

/// Returns the user's position in an experiment: traces, visible range, selected row, bookmarks and search. Does not set the layout and the
/// filter, which the window stores.
SessionState positionOf(ExperimentPane& pane);

/// Restores a position. If the timeline does not have the selected row yet, searches later timelines until the row is found or the timeline
/// is complete.
void restorePosition(ExperimentPane& pane, const SessionState& place);

/// Returns a session state that contains only the selected row. restoreRow() selects this row again, even if the user selected another row
/// meanwhile or the row got another track.
SessionState selectedRowPosition(ExperimentPane& pane);
void restoreRow(ExperimentPane& pane, const SessionState& place);

} // namespace helio
