#pragma once

#include "core/base/result.h"
#include "core/trace/fields/struct_layout.h"

#include <vector>

namespace helio::bench {

/// Position, width and byte order of an integer in a packet.
struct BitPlace {
    std::uint64_t bit = 0; ///< Offset in bits from the packet's beginning.
    std::uint8_t bits = 0;
    ByteOrder order = ByteOrder::Little;

    std::uint64_t read(const std::byte* packet) const { return readBits(packet, bit, bits, order); }
    void write(std::byte* packet, std::uint64_t value) const; ///< Writes the low `bits` bits of `value`.
};

/// Integer fields of a section that contain times of a clock. The amplifier repeats a trace with shifted times. A narrow field (up to 32
/// bits, such as LTTng's compact time stamps) contains only the low bits of a time. The shift is a multiple of 2^bits, so that the low bits
/// stay equal: only wide fields must be rewritten.
class ClockFields {
public:
    static constexpr unsigned WidestKept = 32;

    /// Adds the clock fields of a section; adds nothing if `layout` is nullptr.
    /// Errors: a field belongs to another clock, or cannot be located without decoding whole arrays.
    Status add(const StructLayout* layout, const FieldTypePtr& type, const std::string& clock);

    /// Adds a field as a wide field, even if its type is not mapped to a clock. Wide fields are rewritten in each repetition of the trace.
    void add(const FieldLocator& field);

    /// Number of low bits of a time that must be equal in all repetitions: the width of the widest narrow field, at most 32; 0 if there are
    /// only wide fields.
    unsigned narrowBits() const { return m_narrowBits; }
    bool hasWide() const { return !m_wide.empty(); }

    /// Appends the positions of the wide fields that exist in `scope`.
    void collect(const FieldScope& scope, std::vector<BitPlace>& places) const;

private:
    struct Wide {
        FieldLocator field;
        std::uint8_t bits = 0;
        ByteOrder order = ByteOrder::Little;
    };

    Status addPart(const StructLayout& layout, const FieldType& type, std::vector<std::string>& path, const std::string& clock);
    Status addInteger(const StructLayout& layout, const IntegerType& integer, const std::vector<std::string>& path,
                      const std::string& clock);

    std::vector<Wide> m_wide;
    unsigned m_narrowBits = 0;
};

} // namespace helio::bench
