#pragma once

#include "core/formats/ctf/cutout/packet_output.h"
#include "core/trace/event.h"
#include "core/trace/fields/struct_layout.h"

namespace helio::ctf {

/// Returns the bit after the event, counted from the start of its packet; CutOff if the event exceeds its packet.
std::uint64_t endOf(const EventView& event);

/// Appends the event to the output. All fields keep their bits. If the alignment of the fields allows it, the bytes between the first and
/// the last bit of the event are copied at once. Otherwise each field is copied to the position that its alignment gives at the new place
/// of the event.
///
/// Returns false if the event exceeds its packet.
bool copyEvent(const EventView& event, PacketOutput& output);

} // namespace helio::ctf
