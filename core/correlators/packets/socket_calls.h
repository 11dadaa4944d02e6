#pragma once

#include "core/correlation/transmissions.h"
#include "core/trace/event.h"
#include "core/trace/fields/event_type.h"

#include <optional>

namespace helio::packets {

/// True for the entry of connect and the exit of accept, if the event has the address of the other end: LTTng's kernel tracer records it
/// from version 2.11 on.
bool isSocketCall(const EventType& type);

/// Reads a call; empty if it failed or has no address. The caller sets its trace and tid. Requires: isSocketCall().
/// Cost: decodes the whole event; such events are few.
std::optional<SocketCall> readSocketCall(const EventView& event);

} // namespace helio::packets
