#include "core/formats/ctf/shape/clock_conversion.h"

#include "core/trace/fields/struct_layout.h"

#include <algorithm>

namespace helio::ctf {

FieldTypePtr ClockMapping::mapped(const FieldTypePtr& type, const Names& names)
{
    if (!type || m_clocks.size() > 1 || (m_clocks.size() == 1 && m_clocks.front().name.empty()))
        return type;
    if (const auto* structure = std::get_if<StructType>(&type->shape))
        return std::make_shared<FieldType>(FieldType{type->alignment, StructType{mappedMembers(structure->members, names)}});
    if (const auto* variant = std::get_if<VariantType>(&type->shape))
        return std::make_shared<FieldType>(
            FieldType{type->alignment, VariantType{variant->tag, variant->tagType, mappedMembers(variant->options, names)}});
    return type;
}

std::vector<Member> ClockMapping::mappedMembers(const std::vector<Member>& members, const Names& names)
{
    std::vector<Member> result = members;
    for (Member& member : result) {
        const bool isStamp = std::find(names.begin(), names.end(), member.name) != names.end();
        member.type = isStamp && integerOf(*member.type) ? mappedLeaf(member.type) : mapped(member.type, names);
    }
    return result;
}

FieldTypePtr ClockMapping::mappedLeaf(const FieldTypePtr& type)
{
    if (!integerOf(*type)->clock.empty())
        return type;
    if (m_clocks.empty())
        m_clocks.emplace_back().name = "default";
    FieldType result = *type;
    auto* enumeration = std::get_if<EnumType>(&result.shape);
    IntegerType& integer = enumeration ? enumeration->container : std::get<IntegerType>(result.shape);
    integer.clock = m_clocks.front().name;
    return std::make_shared<FieldType>(std::move(result));
}

} // namespace helio::ctf
