#pragma once

#include "app/cli/tsp/output_request.h"
#include "core/base/result.h"

namespace helio {

// Contents of outputs that show numbers in a tree.
// Threads: any.
// Errors: Full if the response would be too long. A stop request leaves the model incomplete.

/// Writes the number of events of each type. With requested times, only events in this range are counted.
/// Cost: with requested times, 10 to 50 ns for each event in the range.
Status writeEventCounts(ModelText& model, const OutputRequest& request);

/// Writes number and duration of the states of each row of a view, as the command `stats` prints them.
Status writeStateTimes(ModelText& model, const OutputRequest& request);

} // namespace helio
