#pragma once

#include "core/query/filters/expression.h"

#include <memory>
#include <stop_token>
#include <string>

namespace helio {

/// Returns one text for each comparison in `expression` that cannot match any event of the timeline, for example: no event has a field
/// "foo". The texts are clauses to be shown to the user. Empty if every comparison can match.
std::vector<std::string> findMeaninglessWords(const Expression& expression, const Timeline& timeline);

/// True if the expression may match an event. Checks only event types, not events.
bool canMatchEvents(const std::shared_ptr<const Expression>& expression, const Timeline& timeline);

/// Returns an example of a filter that matches events of the timeline: the name of an event type (sched_switch if recorded, else the most
/// frequent type) and the value of a field. Empty if there is no event yet.
/// Cost: decodes a few events; a few ms.
std::string makeExampleFilter(const std::shared_ptr<const Timeline>& timeline, std::stop_token stop = {});

} // namespace helio
