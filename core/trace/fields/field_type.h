#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace helio {

// Types of event fields, independent of any format's syntax. The model is CTF 1.8, section 4: it has all that the other formats need. Sizes
// and alignments are in bits; alignment is relative to the packet's first byte.

struct FieldType;
using FieldTypePtr = std::shared_ptr<const FieldType>;

enum class ByteOrder : std::uint8_t { Little, Big };
enum class DisplayBase : std::uint8_t { Binary = 2, Octal = 8, Decimal = 10, Hexadecimal = 16 };
enum class TextEncoding : std::uint8_t { None, Utf8, Ascii, Utf16Little, Utf16Big, Utf32Little, Utf32Big };

/// Size in bytes of a code unit; encodings with units of one byte need no conversion.
constexpr unsigned codeUnitBytes(TextEncoding encoding)
{
    return encoding < TextEncoding::Utf16Little ? 1 : encoding < TextEncoding::Utf32Little ? 2 : 4;
}

/// Section of an event (or of its packet) that a field belongs to.
enum class Section : std::uint8_t { PacketHeader, PacketContext, EventHeader, StreamContext, EventContext, Payload };

/// Path to the length of a sequence or the tag of a variant: a section and the member names below it.
struct FieldPath {
    Section section = Section::Payload;
    std::vector<std::string> names;
    bool operator==(const FieldPath&) const = default;
};

struct IntegerType {
    std::uint8_t bits = 8; ///< Size, 1 to 64; 64 if isVariable.
    bool isSigned = false;
    ByteOrder order = ByteOrder::Little;
    DisplayBase base = DisplayBase::Decimal;
    TextEncoding encoding = TextEncoding::None; ///< Encoding of an array of such integers; None if the array is not text.
    std::string clock; ///< Name of the clock that the integer updates; empty if none.
    bool isVariable = false; ///< True for LEB128: 7 bits a byte, the lowest first, until a byte's highest bit is 0.
    bool isReversed = false; ///< True if the order of the bits differs from that of the byte order.
    bool isBoolean = false; ///< True for a boolean: 0 is false, any other value is true.
};

struct FloatType {
    std::uint8_t bits = 64; ///< Size: 32 or 64.
    ByteOrder order = ByteOrder::Little;
    bool isReversed = false; ///< True if the order of the bits differs from that of the byte order, see IntegerType.
};

/// Label of an enumeration and the range of its values, both ends included. Ranges compare signed or unsigned, like the container.
struct EnumRange {
    std::string label;
    std::int64_t first = 0; ///< First value; two's complement of the unsigned value if the container is unsigned.
    std::int64_t last = 0;
};

struct EnumType {
    IntegerType container;
    std::vector<EnumRange> ranges; ///< Ranges in the order of declaration; ranges may overlap and labels repeat.
};

/// String that ends with a NUL of one code unit.
struct StringType {
    TextEncoding encoding = TextEncoding::Utf8;
};

struct Member {
    std::string name; ///< Name as shown, without CTF's escaping underscore.
    FieldTypePtr type;
    /// True for padding and for members that are shown elsewhere: decoded values omit them. A hidden option of a variant has no value.
    bool isHidden = false;
};

struct StructType {
    std::vector<Member> members;
};

struct ArrayType {
    FieldTypePtr element;
    std::uint64_t length = 0;
};

struct SequenceType {
    FieldTypePtr element;
    FieldPath length;
};

/// Variant: the option that is present is the one with the name of a label of the tag's value.
struct VariantType {
    FieldPath tag;
    FieldTypePtr tagType; ///< Type of the tag, an EnumType.
    std::vector<Member> options;
};

/// Elements at another place in the packet, located by a 32-bit word: its upper half is their size in bytes, its lower half their distance
/// from the section's begin or, if `isRelative`, from the word's end. The kernel's __data_loc and __rel_loc.
struct DataLocType {
    FieldTypePtr element; ///< Type of the elements: a number of whole bytes.
    ByteOrder order = ByteOrder::Little;
    bool isRelative = false;
};

struct FieldType {
    std::uint32_t alignment = 1; ///< Alignment in bits, a power of two; for a structure, at least the largest alignment of its members.
    std::variant<IntegerType, FloatType, EnumType, StringType, StructType, ArrayType, SequenceType, VariantType, DataLocType> shape;
};

} // namespace helio
