#pragma once

#include "core/correlation/transmissions.h"
#include "core/trace/event.h"
#include "core/trace/fields/event_type.h"

#include <optional>

namespace helio::packets {

/// Whether it is the entry of connect, or the exit of accept, and says the other end's address: LTTng's kernel tracer reads it from 2.11
/// on.
bool isSocketCall(const EventType& type);

/// Nothing: it failed, or is of no address. Trace and tid are left open. Requires: isSocketCall(). Cost: decodes the whole event; they are
/// few.
std::optional<SocketCall> readSocketCall(const EventView& event);

} // namespace helio::packets
