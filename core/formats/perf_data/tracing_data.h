#pragma once

#include "core/trace/fields/field_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace helio::perf {

/// A type of `bits` alignment. By default without any: records begin anywhere, the kernel's own alignment is in its offsets.
inline FieldTypePtr makeType(decltype(FieldType::shape) shape, std::uint32_t bits = 8)
{
    return std::make_shared<const FieldType>(FieldType{bits, std::move(shape)});
}

/// One field of a tracepoint's record, as its format file says.
struct TracepointField {
    std::string type; ///< The C type without the name and the brackets: "char", "unsigned long", "__data_loc char[]".
    std::string name;
    std::uint32_t offset = 0; ///< Bytes from the record's begin.
    std::uint32_t size = 0;
    bool isSigned = false;
    bool isArray = false;
};

struct Tracepoint {
    std::string system;
    std::string name;
    std::vector<TracepointField> fields; ///< In the order of the text; the common ones first.
};

/// What perf stores of the kernel's tracepoint formats (the output of `perf trace-event-info`).
struct TracingData {
    ByteOrder order = ByteOrder::Little;
    std::uint32_t longSize = 8;
    std::map<std::uint64_t, Tracepoint> tracepoints; ///< By id, which is the attribute's config.
    bool isDamaged = false; ///< Ended before its end: what was read up to there is kept.
};

TracingData parseTracingData(std::span<const std::byte> bytes);

/// Of one format file. The id is 0 where there is none.
std::uint64_t parseFormat(std::string_view text, Tracepoint& tracepoint);

/// The record as a structure. What is not covered by fields is hidden padding; what lies where it cannot is left out.
FieldTypePtr makeTracepointType(const Tracepoint& tracepoint, const TracingData& data);

} // namespace helio::perf
