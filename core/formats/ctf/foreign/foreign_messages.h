#pragma once

#include "core/helper/wire.h"
#include "core/trace/trace.h"

// Messages from heliograph-babeltrace2 to heliograph.

namespace helio::foreign {

/// Description of a trace by libbabeltrace2.
struct TraceDescription {
    std::string uuid;
    ClockInfo clock;
    bool hasTimes = false;
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<EventType> types; ///< Event types in the order of their ids, without layouts.
    std::vector<StreamInfo> streams;
    std::vector<std::uint64_t> ports; ///< Number of each stream's output port in libbabeltrace2; parallel to `streams`.
    std::vector<Diagnostic> diagnostics;
};

enum class WireMessageKind : std::uint8_t { Failure, Described, Batch, End };

constexpr HelperProgram Babeltrace{"heliograph-babeltrace2", "babeltrace2", std::uint64_t{1} << 30};

} // namespace helio::foreign

namespace helio {

// The functions lastOf() return the last enumerator of each enumeration in messages. Larger numbers in a message are invalid.
constexpr Diagnostic::Severity lastOf(Diagnostic::Severity) { return Diagnostic::Severity::Error; }
constexpr ByteOrder lastOf(ByteOrder) { return ByteOrder::Big; }
constexpr DisplayBase lastOf(DisplayBase) { return DisplayBase::Hexadecimal; }
constexpr TextEncoding lastOf(TextEncoding) { return TextEncoding::Ascii; }
constexpr Section lastOf(Section) { return Section::Payload; }

// The functions parts() pass the members of a structure in messages to a WireWriter or a WireReader.
void parts(auto& wire, Is<ClockInfo> auto& it) { wire(it.name, it.uuid, it.description, it.frequency, it.offset, it.isAbsolute); }
void parts(auto& wire, Is<Diagnostic> auto& it) { wire(it.severity, it.kind, it.file, it.offset, it.count, it.what); }
void parts(auto& wire, Is<PacketInfo> auto& it) { wire(it.file, it.offset, it.size, it.contentBits, it.range, it.discarded, it.cpu); }
void parts(auto& wire, Is<StreamInfo> auto& it) { wire(it.label, it.cpu, it.files, it.packets); }
void parts(auto& wire, Is<EventType> auto& it)
{
    wire(it.name, it.packetHeader, it.packetContext, it.eventHeader, it.streamContext, it.eventContext, it.payload);
}
void parts(auto& wire, Is<foreign::TraceDescription> auto& it)
{
    wire(it.uuid, it.clock, it.hasTimes, it.environment, it.types, it.streams, it.ports, it.diagnostics);
}
void parts(auto& wire, Is<IntegerType> auto& it) { wire(it.bits, it.isSigned, it.order, it.base, it.encoding, it.clock); }
void parts(auto& wire, Is<EnumRange> auto& it) { wire(it.label, it.first, it.last); }
void parts(auto& wire, Is<EnumType> auto& it) { wire(it.container, it.ranges); }
void parts(auto& wire, Is<FieldPath> auto& it) { wire(it.section, it.names); }
void parts(auto& wire, Is<Member> auto& it) { wire(it.name, it.type, it.isHidden); }
void parts(auto& wire, Is<StructType> auto& it) { wire(it.members); }
void parts(auto& wire, Is<ArrayType> auto& it) { wire(it.element, it.length); }
void parts(auto& wire, Is<SequenceType> auto& it) { wire(it.element, it.length); }
void parts(auto& wire, Is<VariantType> auto& it) { wire(it.tag, it.tagType, it.options); }
void parts(auto& wire, Is<DataLocType> auto& it) { wire(it.element, it.order, it.isRelative); }
void parts(auto& wire, Is<FieldType> auto& it) { wire(it.alignment, it.shape); }

} // namespace helio
