#pragma once

#include "core/query/filters/expression.h"

#include <memory>
#include <stop_token>
#include <string>

namespace helio {

/// Returns a clause for each word of an expression that means nothing for a timeline's events, so that the expression finds less than the
/// user expects; empty if every word means something. A word is unknown only if no event type of any trace has it.
std::vector<std::string> findMeaninglessWords(const Expression& expression, const Timeline& timeline);

/// True if any event can match, judging by event types alone.
bool canMatchEvents(const std::shared_ptr<const Expression>& expression, const Timeline& timeline);

/// Returns an example of an expression that finds some of the timeline's events: sched_switch events if they were recorded, else events of
/// the most frequent type, with the value of one of their fields. Empty if there is no event yet.
/// Cost: decodes a few events; a few ms.
std::string makeExampleFilter(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
