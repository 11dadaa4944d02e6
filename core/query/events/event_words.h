#pragma once

#include "core/query/filters/expression.h"

#include <memory>
#include <stop_token>
#include <string>

namespace helio {

/// Returns a clause for the user for each word of an expression that cannot match any event: for example, a field that no event type of any
/// trace has. Empty if every word can match.
std::vector<std::string> findMeaninglessWords(const Expression& expression, const Timeline& timeline);

/// True if the expression may match an event. Checks only event types, not events.
bool canMatchEvents(const std::shared_ptr<const Expression>& expression, const Timeline& timeline);

/// Returns an example of a filter that matches events of the timeline: the name of an event type (sched_switch if recorded, else the most
/// frequent type) and the value of a field. Empty if there is no event yet.
/// Cost: decodes a few events; a few ms.
std::string makeExampleFilter(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
