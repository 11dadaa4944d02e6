#include "core/query/rows/row_states.h"

#include "core/query/rows/rows.h"
#include "core/query/rows/timeline_access.h"

namespace helio {

RowStates rowStates(const Timeline& timeline, TrackRef row) { return {&statesOf(timeline, row), ownerOf(timeline, row)}; }

} // namespace helio
