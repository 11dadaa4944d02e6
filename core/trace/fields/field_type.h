#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace helio {

// Types of event fields, independent of any format's syntax. The model is CTF 1.8, section 4, which covers the needs of all other formats.
// Sizes and alignments are in bits; alignment is relative to the packet's first byte.

struct FieldType;
using FieldTypePtr = std::shared_ptr<const FieldType>;

enum class ByteOrder : std::uint8_t { Little, Big };
enum class DisplayBase : std::uint8_t { Binary = 2, Octal = 8, Decimal = 10, Hexadecimal = 16 };
enum class TextEncoding : std::uint8_t { None, Utf8, Ascii, Utf16Little, Utf16Big, Utf32Little, Utf32Big };

/// Size of a code unit in bytes. Encodings with one-byte units need no conversion to UTF-8.
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
    std::uint8_t bits = 8; ///< Size in bits, 1 to 64; 64 if isVariable.
    bool isSigned = false;
    ByteOrder order = ByteOrder::Little;
    DisplayBase base = DisplayBase::Decimal;
    TextEncoding encoding = TextEncoding::None; ///< Encoding of a text, if arrays of this integer type are texts; else None.
    std::string clock; ///< Name of the clock whose time the integer contains, in full or only the low bits; empty if it contains no time.
    /// True for a LEB128 number: 7 bits per byte, lowest bits first; the last byte is the one whose highest bit is 0.
    bool isVariable = false;
    /// True if the order of the bits is opposite to the usual one for `order` (lowest bit first for little-endian, highest bit first for
    /// big-endian).
    bool isReversed = false;
    bool isBoolean = false; ///< True for a boolean: 0 is false, any other value is true.
};

struct FloatType {
    std::uint8_t bits = 64; ///< Size in bits: 32 or 64.
    ByteOrder order = ByteOrder::Little;
    bool isReversed = false; ///< True if the bit order is reversed (see IntegerType::isReversed).
};

/// Label of an enumeration and its range of values, both ends included. Values compare signed or unsigned, as the enumeration's integer
/// type says.
struct EnumRange {
    std::string label;
    std::int64_t first = 0; ///< First value of the range; two's complement of the value if the enumeration's integer type is unsigned.
    std::int64_t last = 0;
};

struct EnumType {
    IntegerType container;
    std::vector<EnumRange> ranges; ///< Ranges in the order of declaration; ranges may overlap, and labels may repeat.
};

/// String that ends with a NUL; the NUL has the size of one code unit.
struct StringType {
    TextEncoding encoding = TextEncoding::Utf8;
};

struct Member {
    std::string name; ///< Name for the user, without CTF's escaping underscore.
    FieldTypePtr type;
    /// True for padding and for members that are shown elsewhere: they are left out of decoded values. A variant whose chosen option is
    /// hidden has no value.
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

/// Variant: one of several options is present; the label of the tag's value is the name of that option.
struct VariantType {
    FieldPath tag;
    FieldTypePtr tagType; ///< Type of the tag, an EnumType.
    std::vector<Member> options;
};

/// Elements that lie elsewhere in the packet and are located by a 32-bit word (the kernel's __data_loc and __rel_loc). The word's upper
/// half is the size of the elements in bytes. The lower half is the distance of the elements in bytes from the start of the section or, if
/// `isRelative`, from the end of the word.
struct DataLocType {
    FieldTypePtr element; ///< Type of the elements; its size is a whole number of bytes.
    ByteOrder order = ByteOrder::Little;
    bool isRelative = false;
};

struct FieldType {
    std::uint32_t alignment = 1; ///< Alignment in bits, a power of two; for a structure, at least the largest alignment of its members.
    std::variant<IntegerType, FloatType, EnumType, StringType, StructType, ArrayType, SequenceType, VariantType, DataLocType> shape;
};

} // namespace helio
