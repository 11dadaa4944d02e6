#pragma once

#include "core/formats/ctf/shape/ctf_metadata.h"

namespace helio::ctf {

/// Maps a trace's time stamps that name no clock: to its only clock, and where it has none to a new one, called "default", that counts ns.
/// Those are an event header's `timestamp` and a packet context's `timestamp_begin` and `timestamp_end`, however deep in structures and
/// variants. Of several clocks none is chosen. CTF 1.8 leaves it open (7.1.4); this is what babeltrace2 does
/// (ctf-visitor-generate-ir.c, auto_map_fields_to_trace_clock_class).
class ClockMapping {
public:
    explicit ClockMapping(std::vector<Clock>& clocks)
        : m_clocks(clocks)
    {
    }

    FieldTypePtr ofHeader(const FieldTypePtr& header) { return mapped(header, {"timestamp"}); }
    FieldTypePtr ofPacketContext(const FieldTypePtr& context) { return mapped(context, {"timestamp_begin", "timestamp_end"}); }

private:
    using Names = std::vector<std::string_view>;

    FieldTypePtr mapped(const FieldTypePtr& type, const Names& names);
    FieldTypePtr mappedLeaf(const FieldTypePtr& type);
    std::vector<Member> mappedMembers(const std::vector<Member>& members, const Names& names);

    std::vector<Clock>& m_clocks;
};

} // namespace helio::ctf
