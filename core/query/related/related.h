#pragma once

#include "core/base/result.h"
#include "core/experiment/timeline.h"

#include <memory>
#include <stop_token>
#include <string_view>

namespace helio {

/// Returns the timeline with a correlator's answer to a question (Correlator::When::Asked). Its links and rows are then found by the same
/// queries as all other links and rows. Answers are cached: the same question again is answered at once.
/// Threads: a query thread.
/// Cost: runs the correlator.
/// Errors: NotFound if there is no such correlator, or it finds nothing to work on; Usage if the question does not fit it; Cancelled.
Result<std::shared_ptr<const Timeline>> related(const Timeline& timeline, std::string_view relation, const CorrelatorRequest& question = {},
                                                std::stop_token stop = {});

/// True if a correlator's answer in the timeline is incomplete because the question's time limit ran out.
/// Cost: constant.
bool isPart(const Timeline& timeline, std::string_view relation);

/// True if there are correlators that run only when their rows are shown, and the timeline does not have their rows yet.
/// Cost: little.
bool hasMissingRows(const Timeline& timeline);

/// Returns the timeline with the rows of all correlators that run only when their rows are shown (Correlator::When::Shown), or only of
/// correlators with rows in `view`. nullptr if no row is missing. A correlator that fails leaves a diagnostic in the timeline. Answers are
/// cached.
/// Threads: a query thread.
/// Cost: runs the correlators.
/// Errors: Cancelled.
Result<std::shared_ptr<const Timeline>> withShownRows(const Timeline& timeline, std::stop_token stop = {}, std::string_view view = {});

/// Like withShownRows(), but only for correlators with rows that have states; correlators with nothing but samples' call stacks do not run.
/// Returns the timeline itself if no row is missing.
Result<std::shared_ptr<const Timeline>> withRowsOfStates(std::shared_ptr<const Timeline> timeline, std::string_view view = {},
                                                         std::stop_token stop = {});

/// Returns the timeline with such rows copied from `before`, an older timeline of the same traces. They are shown until the timeline's own
/// rows are made. Returns the timeline itself if no row is missing.
std::shared_ptr<const Timeline> withCopiedRows(std::shared_ptr<const Timeline> timeline, const Timeline& before);

} // namespace helio
