#pragma once

#include "core/trace/fields/binary_reader.h"
#include "core/trace/fields/field_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Formats of the kernel's tracepoints, as the kernel describes them in events/*/*/format of tracefs. perf stores these descriptions in the
// feature TRACING_DATA of a recording, trace-cmd at the start of trace.dat (version 6) or in sections of trace.dat (version 7).

namespace helio::tracepoint {

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
    std::uint32_t size = 0; ///< Size of the field in bytes; 0 for an array that ends where the record ends.
    bool isSigned = false;
    bool isArray = false;

    /// True for the fields that all tracepoints of a kernel share: common_type, common_flags, common_preempt_count and common_pid.
    bool isCommon() const { return name.starts_with("common_"); }
};

struct Tracepoint {
    std::string system;
    std::string name;
    std::vector<TracepointField> fields; ///< Fields in the order of the format file, in which the common fields come first.
    std::string format; ///< Complete text of the tracepoint's format file; empty if the text is longer than any real format file.
};

/// Layout of a page of the kernel's ring buffer: a 64-bit time stamp, the size of the data with two flags ("commit"), and the data.
struct RingPageLayout {
    std::uint32_t commitOffset = 8; ///< Offset of the commit word in bytes.
    std::uint32_t commitSize = 8; ///< Size of the commit word in bytes, 4 or 8.
    std::uint32_t dataOffset = 16; ///< Offset of the first event in bytes.
};

/// Descriptions of the kernel that recorded.
struct TracingData {
    ByteOrder order = ByteOrder::Little;
    std::uint32_t longSize = 8; ///< Size of `long` in bytes.
    std::uint32_t pageSize = 4096; ///< Size of a memory page in bytes.
    RingPageLayout page;
    /// Tracepoints, keyed by id, which is common_type of the raw data and Attribute::config of perf.
    std::map<std::uint64_t, Tracepoint> tracepoints;
    std::string symbols; ///< Text of /proc/kallsyms: a line "ADDRESS TYPE NAME [MODULE]" for each kernel symbol.
    /// Text of the tracefs file printk_formats: a line with an address and a quoted format for each format string of trace_printk().
    std::string printkFormats;
    std::string commandLines; ///< Text of saved_cmdlines: a line "TID NAME" for each thread.
    bool isDamaged = false; ///< True if the data is invalid or ends early; formats before that position are kept.
};

/// Parses the layout that perf and trace.dat version 6 share: magic number, sizes, and all descriptions.
/// @param end Receives the position after the descriptions, in bytes; may be nullptr.
TracingData parseTracingData(std::span<const std::byte> bytes, std::uint64_t* end = nullptr);

// Parts of that layout, which are separate sections in trace.dat version 7.

void readPageHeader(BinaryReader& reader, TracingData& data); ///< Reads header_page and header_event.
void readFtraceFormats(BinaryReader& reader, TracingData& data); ///< Reads the formats of the system "ftrace".
void readEventFormats(BinaryReader& reader, TracingData& data); ///< Reads the formats of all other systems.
void readSymbols(BinaryReader& reader, TracingData& data);
void readPrintkFormats(BinaryReader& reader, TracingData& data);
void readCommandLines(BinaryReader& reader, TracingData& data);

/// Parses one format file. Returns the id of the tracepoint; 0 if the file contains none.
std::uint64_t parseFormat(std::string_view text, Tracepoint& tracepoint);

/// Returns the minimum size in bytes of a tracepoint's raw data, that is, the end of its last field; 65,536 at most.
std::uint32_t minRecordSize(const Tracepoint& tracepoint);

/// Returns the type of a tracepoint's raw data. Gaps between fields become hidden padding; fields at impossible offsets are skipped.
FieldTypePtr makeTracepointType(const Tracepoint& tracepoint, const TracingData& data);

/// Returns the type of the fields that are not common. The common fields are hidden padding, because offsets count from the start of the
/// record.
FieldTypePtr makeOwnFieldsType(const Tracepoint& tracepoint, const TracingData& data);

/// Returns the type of the common fields, without "common_" in their names. "common_pid" is named "tid", because it is a thread id.
/// common_type is hidden.
FieldTypePtr makeCommonFieldsType(const Tracepoint& tracepoint, const TracingData& data);

} // namespace helio::tracepoint
