#pragma once

#include "app/cli/tsp/output_request.h"
#include "core/base/result.h"

namespace helio {

// Annotations of time ranges: ranges in which events were lost.
// Threads: any.

/// Writes the names of the categories of annotations; none if no events were lost.
Status writeCategories(ModelText& model, const OutputRequest& request);

/// Writes the annotations of the requested range, at most one for each requested time.
/// Errors: Usage if no range was requested.
Status writeAnnotations(ModelText& model, const OutputRequest& request);

} // namespace helio
