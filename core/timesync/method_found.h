#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <string>

namespace helio {

/// How the host's clock would be related if nobody decided anything: the best of what its messages with others say. None: they say nothing.
ClockMethod methodFound(const Timeline& timeline, std::uint32_t host);

/// What the messages that a method follows from are called here: "packets". Empty: it follows from none.
std::string messagesOf(const Timeline& timeline, ClockMethod method);

/// What the messages of one of its relations are called: "packets". Requires: it found some.
std::string messagesOfRelation(const Timeline& timeline, std::size_t relation);

/// The same of messages in general: of those that relations find, else "messages".
std::string messagesIn(const Timeline& timeline);

} // namespace helio
