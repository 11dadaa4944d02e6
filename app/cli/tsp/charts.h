#pragma once

#include "app/cli/tsp/output_request.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>

namespace helio {

// Contents of outputs that show curves over time: counters of a view, the histogram of events, the use of CPUs.
// Threads: any.
// Errors: Usage if a parameter is missing or wrong; Full if the response would be too long. A stop request leaves the model incomplete.

/// Writes the curves of the output as a tree.
Status writeCurveTree(ModelText& model, const OutputRequest& request);

/// Writes the values of the requested curves at the requested times. Each time stands for the column in which it lies; the distance of the
/// times is the width of a column. The value of a counter is its mean over the column, of a growing counter its growth per second, of the
/// histogram the number of events. The value is 0 where it is unknown, because the protocol has no unknown values.
Status writeCurves(ModelText& model, const OutputRequest& request);

/// Writes the exact value of a counter at a time, as names and values.
Status writeCurveTooltip(ModelText& model, const OutputRequest& request, Timestamp at, std::optional<std::int64_t> series);

} // namespace helio
