#pragma once

#include "core/query/filters/expression.h"

namespace helio {

/// What an expression says that means nothing for a timeline's events, so that it finds less than it seems to ask for: a clause each.
/// Empty: every word means something. A word is unknown only where no event type of any trace has it.
std::vector<std::string> meaninglessWords(const Expression& expression, const Timeline& timeline);

/// Whether any event can match at all, as far as event types show.
bool canMatchEvents(const std::shared_ptr<const Expression>& expression, const Timeline& timeline);

} // namespace helio
