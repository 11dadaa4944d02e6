#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>

namespace helio {

/// Returns the best method by which messages relate the host's clock, whatever the user decided; None if messages do not relate it.
ClockMethod bestMessageMethod(const Timeline& timeline, std::uint32_t host);

/// Returns the plural of the messages that a method uses, for example "packets"; empty if it uses none.
std::string messagesOf(const Timeline& timeline, ClockMethod method);

/// Returns the plural of a relation's messages, for example "packets". Requires: the relation found messages.
std::string messagesOfRelation(const Timeline& timeline, std::size_t relation);

/// Returns the plural of the messages of all relations; "messages" if there are several kinds or none.
std::string messagesPlural(const Timeline& timeline);

} // namespace helio
