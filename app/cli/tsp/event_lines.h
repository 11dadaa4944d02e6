#pragma once

#include "app/cli/tsp/output_request.h"
#include "core/base/result.h"

namespace helio {

// Contents of the table of events.
// Threads: any.
// Errors: Usage if a parameter is missing or wrong; Full if the response would be too long. A stop request leaves the model incomplete.

/// Writes the columns of the table. The columns "Trace" and "Host" are only there if the experiment has several of them.
Status writeColumns(ModelText& model, const OutputRequest& request);

/// Writes the requested lines: from a line number, from a time, or from the nearest line that matches the search.
/// Cost: a jump to another place costs a few ms; a search reads every event up to the match.
Status writeLines(ModelText& model, const OutputRequest& request);

} // namespace helio
