#pragma once

#include "core/formats/ctf/cutout/packet_output.h"
#include "core/trace/event.h"
#include "core/trace/fields/struct_layout.h"

#include <vector>

namespace helio::ctf {

/// Returns the bit after the event, counted from the start of its packet; CutOff if the event exceeds its packet.
std::uint64_t endOf(const EventView& event);

/// Returns a hash of all fields of the event, which is the same at any position.
/// Cost: like copying the event field by field.
std::uint64_t hashOf(const EventView& event);

/// Copies events to other positions.
class EventCopier {
public:
    /// Ownership: `types` must outlive the copier.
    explicit EventCopier(const EventTypes& types)
        : m_types(types)
        , m_alignments(types.size())
    {
    }

    /// Appends the event to the output. All fields keep their bits. If the alignment of the fields allows it, the bytes between the first
    /// and the last bit of the event are copied at once. Otherwise each field is copied to the position that its alignment gives at the new
    /// place of the event.
    ///
    /// Returns false if the event exceeds its packet.
    bool copy(const EventView& event, PacketOutput& output);

private:
    std::uint64_t largestAlignment(EventTypeId type);

    const EventTypes& m_types;
    std::vector<std::uint64_t> m_alignments; ///< Largest alignment of all fields in bits, by event type; 0 if not computed yet.
};

} // namespace helio::ctf
