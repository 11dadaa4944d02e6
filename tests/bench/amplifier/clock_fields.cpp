#include "tests/bench/amplifier/clock_fields.h"

#include <algorithm>

namespace helio::bench {
namespace {

bool hasClock(const FieldType& type)
{
    const auto isIn = [](const Member& member) { return hasClock(*member.type); };
    if (const auto* structure = std::get_if<StructType>(&type.shape))
        return std::any_of(structure->members.begin(), structure->members.end(), isIn);
    if (const auto* variant = std::get_if<VariantType>(&type.shape))
        return std::any_of(variant->options.begin(), variant->options.end(), isIn);
    if (const auto* array = std::get_if<ArrayType>(&type.shape))
        return hasClock(*array->element);
    if (const auto* sequence = std::get_if<SequenceType>(&type.shape))
        return hasClock(*sequence->element);
    const auto* integer = integerOf(type);
    return integer && !integer->clock.empty();
}

Error unsupported(const std::vector<std::string>& path, const std::string& what)
{
    std::string name;
    for (const auto& part : path)
        name += (name.empty() ? "" : ".") + part;
    return {Error::Kind::Unsupported, "the field \"" + name + "\" " + what};
}

} // namespace

void BitPlace::write(std::byte* packet, std::uint64_t value) const
{
    const bool isLittle = order == ByteOrder::Little;
    for (unsigned i = 0; i < bits;) {
        // Position of the field's bit i, counted from the lowest bit. If bits i to i + 7 fill a byte of the packet, the byte is written at
        // once.
        const std::uint64_t at = isLittle ? bit + i : bit + bits - 1 - i;
        if (bits - i >= 8 && (isLittle ? at % 8 == 0 : at % 8 == 7)) {
            packet[at / 8] = static_cast<std::byte>(value >> i);
            i += 8;
            continue;
        }
        const auto mask = static_cast<std::byte>(1u << (isLittle ? at % 8 : 7 - at % 8));
        packet[at / 8] = value >> i & 1 ? packet[at / 8] | mask : packet[at / 8] & ~mask;
        ++i;
    }
}

Status ClockFields::add(const StructLayout* layout, const FieldTypePtr& type, const std::string& clock)
{
    std::vector<std::string> path;
    return layout ? addPart(*layout, *type, path, clock) : Status(Done{});
}

void ClockFields::add(const FieldLocator& field)
{
    const auto& integer = *integerOf(*field.type());
    m_wide.push_back({field, integer.bits, integer.order});
}

Status ClockFields::addPart(const StructLayout& layout, const FieldType& type, std::vector<std::string>& path, const std::string& clock)
{
    const auto* structure = std::get_if<StructType>(&type.shape);
    const auto* variant = std::get_if<VariantType>(&type.shape);
    if (structure || variant) {
        for (const auto& member : structure ? structure->members : variant->options) {
            path.push_back(member.name);
            if (auto added = addPart(layout, *member.type, path, clock); !added)
                return added;
            path.pop_back();
        }
        return Done{};
    }
    if (const auto* integer = integerOf(type))
        return addInteger(layout, *integer, path, clock);
    if (hasClock(type))
        return unsupported(path, "has times in an array");
    return Done{};
}

Status ClockFields::addInteger(const StructLayout& layout, const IntegerType& integer, const std::vector<std::string>& path,
                               const std::string& clock)
{
    if (integer.clock.empty())
        return Done{};
    if (integer.clock != clock)
        return unsupported(path, "is of another clock than its stream");
    if (integer.bits <= WidestKept) {
        m_narrowBits = std::max<unsigned>(m_narrowBits, integer.bits);
        return Done{};
    }
    const auto field = layout.locate(path);
    if (!field.isValid())
        return unsupported(path, "cannot be found in an event's bytes");
    add(field);
    return Done{};
}

void ClockFields::collect(const FieldScope& scope, std::vector<BitPlace>& places) const
{
    for (const auto& wide : m_wide)
        if (const auto bit = wide.field.bit(scope); bit != CutOff)
            places.push_back({bit, wide.bits, wide.order});
}

} // namespace helio::bench
