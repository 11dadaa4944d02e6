#pragma once

#include "core/query/filters/expression.h"

namespace helio {

/// Returns a clause for each word of an expression that means nothing for a timeline's events, so that the expression finds less than the
/// user expects; empty if every word means something. A word is unknown only if no event type of any trace has it.
std::vector<std::string> findMeaninglessWords(const Expression& expression, const Timeline& timeline);

/// True if any event can match, judging by event types alone.
bool canMatchEvents(const std::shared_ptr<const Expression>& expression, const Timeline& timeline);

} // namespace helio
