#pragma once

#include "app/cli/tsp/output_request.h"
#include "core/base/result.h"

namespace helio {

class ChartStyles;

// Contents of outputs that show rows with states. Each function writes the model of one kind of request.
// Threads: any.
// Errors: Usage if a parameter is missing or wrong; Full if the response would be too long. A stop request leaves the model incomplete.

/// Writes the rows as a tree: groups, rows, and rows below rows. With requested times, only rows that exist in this range.
Status writeRows(ModelText& model, const OutputRequest& request);

/// Writes the states of the requested rows at the resolution of the requested times. Where intervals are shorter than the resolution, one
/// state stands for several of them: the longest.
/// Cost: proportional to the number of rows and times, however many intervals the rows have.
Status writeStates(ModelText& model, const OutputRequest& request, const ChartStyles& styles);

/// Writes the arrows between rows that overlap the requested range. `note` receives a message if there are too many to write them all.
Status writeArrows(ModelText& model, const OutputRequest& request, const ChartStyles& styles, std::string& note);

/// Writes names and values about the requested element.
Status writeTooltip(ModelText& model, const OutputRequest& request);

/// Writes the styles of all states and arrows of the view, by key. Clients ask for them once. If the traces are still indexed then, later
/// states and arrows contain their styles, because new ones may have come.
Status writeStyles(ModelText& model, const OutputRequest& request, const ChartStyles& styles);

} // namespace helio
