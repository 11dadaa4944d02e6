#pragma once

#include "core/formats/ctf/shape/ctf_metadata.h"

namespace helio::ctf {

/// Maps time stamp fields that name no clock to the trace's only clock. A trace without clocks gets a clock "default" that counts ns; in a
/// trace with several clocks the fields stay unmapped.
///
/// Time stamp fields are `timestamp` in an event header and `timestamp_begin` and `timestamp_end` in a packet context, at any depth of
/// structures and variants. CTF 1.8 does not say to which clock they belong (7.1.4); this class does as babeltrace2 does
/// (ctf-visitor-generate-ir.c, auto_map_fields_to_trace_clock_class).
class ClockMapping {
public:
    explicit ClockMapping(std::vector<Clock>& clocks)
        : m_clocks(clocks)
    {
    }

    FieldTypePtr mapHeader(const FieldTypePtr& header) { return mapped(header, {"timestamp"}); }
    FieldTypePtr mapPacketContext(const FieldTypePtr& context) { return mapped(context, {"timestamp_begin", "timestamp_end"}); }

private:
    using Names = std::vector<std::string_view>;

    FieldTypePtr mapped(const FieldTypePtr& type, const Names& names);
    FieldTypePtr mappedLeaf(const FieldTypePtr& type);
    std::vector<Member> mappedMembers(const std::vector<Member>& members, const Names& names);

    std::vector<Clock>& m_clocks;
};

} // namespace helio::ctf
