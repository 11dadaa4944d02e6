#pragma once

#include "core/helper/wire.h"
#include "core/trace/trace.h"

// Members of traces and of their event types for WireWriter and WireReader (core/helper/wire.h). Packed indexes contain them, too: after a
// change, raise IndexVersion (core/trace/packed/index_description.h).

namespace helio {

// The functions lastOf() return the last enumerator of each enumeration. Larger numbers are invalid.
constexpr Diagnostic::Severity lastOf(Diagnostic::Severity) { return Diagnostic::Severity::Error; }
constexpr ByteOrder lastOf(ByteOrder) { return ByteOrder::Big; }
constexpr DisplayBase lastOf(DisplayBase) { return DisplayBase::Hexadecimal; }
constexpr TextEncoding lastOf(TextEncoding) { return TextEncoding::Utf32Big; }
constexpr Section lastOf(Section) { return Section::Payload; }

// The functions parts() pass the members of a structure to a WireWriter or a WireReader.
void parts(auto& wire, Is<ClockInfo> auto& it) { wire(it.name, it.uuid, it.description, it.frequency, it.offset, it.isAbsolute); }
void parts(auto& wire, Is<Diagnostic> auto& it) { wire(it.severity, it.kind, it.file, it.offset, it.count, it.what); }
void parts(auto& wire, Is<PacketInfo> auto& it) { wire(it.file, it.offset, it.size, it.contentBits, it.range, it.discarded, it.cpu); }
void parts(auto& wire, Is<StreamInfo> auto& it) { wire(it.label, it.cpu, it.files, it.packets, it.hasTimes); }
void parts(auto& wire, Is<EventType> auto& it)
{
    wire(it.name, it.packetHeader, it.packetContext, it.eventHeader, it.streamContext, it.eventContext, it.payload);
}
void parts(auto& wire, Is<IntegerType> auto& it)
{
    wire(it.bits, it.isSigned, it.order, it.base, it.encoding, it.clock, it.isVariable, it.isReversed, it.isBoolean);
}
void parts(auto& wire, Is<FloatType> auto& it) { wire(it.bits, it.order, it.isReversed); }
void parts(auto& wire, Is<StringType> auto& it) { wire(it.encoding); }
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
