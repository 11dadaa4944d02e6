#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace helio {

// The types of event fields, free of any format's syntax. CTF 1.8 section 4 is the model: it has all that the
// other formats need. Sizes and alignments are in bits; alignment is relative to the packet's first byte.

struct FieldType;
using FieldTypePtr = std::shared_ptr<const FieldType>;

enum class ByteOrder : std::uint8_t { Little, Big };
enum class DisplayBase : std::uint8_t { Binary = 2, Octal = 8, Decimal = 10, Hexadecimal = 16 };
enum class TextEncoding : std::uint8_t { None, Utf8, Ascii, Utf16Little, Utf16Big, Utf32Little, Utf32Big };

/// Bytes of the smallest part of a text; those of one byte need no conversion.
constexpr unsigned unitBytes(TextEncoding encoding)
{
    return encoding < TextEncoding::Utf16Little ? 1 : encoding < TextEncoding::Utf32Little ? 2 : 4;
}

/// The part of an event (or of its packet) that a field lives in.
enum class Section : std::uint8_t { PacketHeader, PacketContext, EventHeader, StreamContext, EventContext, Payload };

/// Where the length of a sequence or the tag of a variant is found: a section and the member names below it.
struct FieldPath {
    Section section = Section::Payload;
    std::vector<std::string> names;
    bool operator==(const FieldPath&) const = default;
};

struct IntegerType {
    std::uint8_t bits = 8; ///< 1 to 64. 64 where isVariable.
    bool isSigned = false;
    ByteOrder order = ByteOrder::Little;
    DisplayBase base = DisplayBase::Decimal;
    TextEncoding encoding = TextEncoding::None; ///< Not None: an array of it is text.
    std::string clock; ///< The clock whose value it updates; empty for none.
    bool isVariable = false; ///< LEB128: 7 bits a byte, the lowest first, until a byte's highest bit is 0.
    bool isReversed = false; ///< The order of its bits is not that of its byte order.
    bool isBoolean = false; ///< 0 is false, all else is true.
};

struct FloatType {
    std::uint8_t bits = 64; ///< 32 or 64.
    ByteOrder order = ByteOrder::Little;
    bool isReversed = false; ///< The order of its bits is not that of its byte order, see IntegerType.
};

/// One label of an enumeration and the values it stands for, both ends included. Compare as the container's sign says.
struct EnumRange {
    std::string label;
    std::int64_t first = 0; ///< Two's complement of the unsigned value where the container is unsigned.
    std::int64_t last = 0;
};

struct EnumType {
    IntegerType container;
    std::vector<EnumRange> ranges; ///< In the order of declaration; ranges may overlap and labels repeat.
};

/// Ends with a NUL, which has as many bytes as the encoding's units.
struct StringType {
    TextEncoding encoding = TextEncoding::Utf8;
};

struct Member {
    std::string name; ///< As shown: CTF's escaping underscore is gone.
    FieldTypePtr type;
    bool isHidden = false; ///< Padding, and what is shown elsewhere: whole values leave it out. A hidden option of a variant has no value.
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

/// The option whose name equals a label of the tag's value is the one that is present.
struct VariantType {
    FieldPath tag;
    FieldTypePtr tagType; ///< An EnumType.
    std::vector<Member> options;
};

/// A 32-bit word that says where the elements are: their bytes in its upper half, and in its lower half how far they lie from the
/// section's begin, or (relative) from the word's end. The kernel's __data_loc and __rel_loc.
struct LocatedType {
    FieldTypePtr element; ///< A number of whole bytes.
    ByteOrder order = ByteOrder::Little;
    bool isRelative = false;
};

struct FieldType {
    std::uint32_t alignment = 1; ///< A power of two, in bits. A structure's is at least the largest of its members'.
    std::variant<IntegerType, FloatType, EnumType, StringType, StructType, ArrayType, SequenceType, VariantType, LocatedType> shape;
};

} // namespace helio
