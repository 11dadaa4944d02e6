#pragma once

#include "core/trace/fields/field_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace helio::perf {

/// Makes a type with an alignment of `bits`. The default is byte alignment, because records may begin anywhere and the kernel's offsets
/// already include alignment.
inline FieldTypePtr makeType(decltype(FieldType::shape) shape, std::uint32_t bits = 8)
{
    return std::make_shared<const FieldType>(FieldType{bits, std::move(shape)});
}

/// A field of a tracepoint's raw data, as the tracepoint's format file describes it.
struct TracepointField {
    std::string type; ///< C type without the name and the dimensions: "char", "unsigned long", "__data_loc char[]".
    std::string name;
    std::uint32_t offset = 0; ///< Offset in bytes from the start of the tracepoint's raw data.
    std::uint32_t size = 0; ///< Size of the field in bytes.
    bool isSigned = false;
    bool isArray = false;
};

struct Tracepoint {
    std::string system;
    std::string name;
    std::vector<TracepointField> fields; ///< Fields in the order of the format file, in which the common fields come first.
};

/// Tracepoint formats of the kernel, as perf stores them (the output of `perf trace-event-info`).
struct TracingData {
    ByteOrder order = ByteOrder::Little;
    std::uint32_t longSize = 8;
    std::map<std::uint64_t, Tracepoint> tracepoints; ///< Tracepoints, keyed by id, which is Attribute::config.
    bool isDamaged = false; ///< True if the data is invalid or ends early; formats before that position are kept.
};

TracingData parseTracingData(std::span<const std::byte> bytes);

/// Parses one format file. Returns the id of the tracepoint; 0 if the file contains none.
std::uint64_t parseFormat(std::string_view text, Tracepoint& tracepoint);

/// Returns the type of a tracepoint's raw data. Gaps between fields become hidden padding; fields at impossible offsets are skipped.
FieldTypePtr makeTracepointType(const Tracepoint& tracepoint, const TracingData& data);

} // namespace helio::perf
