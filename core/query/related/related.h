#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <memory>
#include <stop_token>
#include <string_view>

namespace helio {

/// Runs a correlator of type Correlator::When::Asked for a request and returns the timeline with its links and rows added. All queries then
/// find these links and rows. Results are cached by request.
/// Threads: a query thread.
/// Cost: runs the correlator if its result is not cached.
/// Errors: NotFound if the correlator does not exist or does not apply to the timeline; Usage if the request is not valid for the
/// correlator; Cancelled.
Result<std::shared_ptr<const Timeline>> related(const Timeline& timeline, std::string_view relation, const CorrelatorRequest& question = {},
                                                std::stop_token stop = {});

/// True if the correlator's result in the timeline is incomplete because the request's time limit expired.
/// Cost: constant.
bool isPart(const Timeline& timeline, std::string_view relation);

/// True if the timeline lacks rows of correlators that run only when their rows are shown (Correlator::When::Shown).
/// Cost: checks each registered correlator.
bool hasMissingRows(const Timeline& timeline);

/// Returns the timeline with the rows of all correlators that run only when their rows are shown (Correlator::When::Shown), or only of
/// correlators with rows in `view`. Returns nullptr if no rows are missing. A correlator that fails leaves a diagnostic in the timeline.
/// Results are cached.
/// Threads: a query thread.
/// Cost: runs the correlators.
/// Errors: Cancelled.
Result<std::shared_ptr<const Timeline>> withShownRows(const Timeline& timeline, std::stop_token stop = {}, std::string_view view = {});

/// Like withShownRows(), but runs only correlators with rows that have states. Correlators that only make rows of sampled call stacks
/// do not run. Returns `timeline` itself if no rows are missing.
Result<std::shared_ptr<const Timeline>> withRowsOfStates(std::shared_ptr<const Timeline> timeline, std::string_view view = {},
                                                         std::stop_token stop = {});

/// Returns the timeline with missing correlator rows copied from `before`, an older timeline of the same traces. Views show the
/// copied rows until the correlators have computed the rows again. Returns `timeline` itself if no rows are missing.
std::shared_ptr<const Timeline> withCopiedRows(std::shared_ptr<const Timeline> timeline, const Timeline& before);

} // namespace helio
