#pragma once

#include "app/gui/common/session_file.h"

namespace helio {

class ExperimentPane;

/// Where a person is in an experiment: its traces, the window on time, the chosen row, bookmarks, the search. Layout and filter are
/// the window's.
SessionState placeOf(ExperimentPane& pane);

/// Goes there again. The row may come with a later timeline: it is looked for until it is there.
void restorePlace(ExperimentPane& pane, const SessionState& place);

/// The selected row alone; and selects it again where it is another one, or another timeline calls it otherwise. `place`: placeOfRow()'s.
SessionState placeOfRow(ExperimentPane& pane);
void restoreRow(ExperimentPane& pane, const SessionState& place);

} // namespace helio
