#include "core/formats/ctf/shape/event_header.h"

#include <algorithm>

namespace helio::ctf {
namespace {

const IntegerType* plainInteger(const Member& member, unsigned bits)
{
    const auto* integer = std::get_if<IntegerType>(&member.type->shape);
    return integer && integer->bits == bits && !integer->isSigned && !integer->isVariable && !integer->isReversed ? integer : nullptr;
}

const StructType* structureOf(const Member& member, std::size_t members)
{
    const auto* structure = std::get_if<StructType>(&member.type->shape);
    return structure && structure->members.size() == members ? structure : nullptr;
}

/// True if `id` is LTTng's type enum { compact = 0 ... max - 1, extended = max }.
bool isLttngId(const EnumType& id, std::int64_t max)
{
    const auto is = [&](std::size_t i, std::string_view label, std::int64_t first, std::int64_t last) {
        return id.ranges[i].label == label && id.ranges[i].first == first && id.ranges[i].last == last;
    };
    return !id.container.isSigned && !id.container.isVariable && !id.container.isReversed && id.container.clock.empty()
        && id.ranges.size() == 2 && is(0, "compact", 0, max - 1) && is(1, "extended", max, max);
}

} // namespace

EventHeader::EventHeader(const EventType& frame, const std::string& clock, const std::vector<FieldNames>* ids)
{
    m_layout = frame.layout(Section::EventHeader);
    if (!m_layout)
        return;
    m_alignment = m_layout->alignment();
    const auto& header = std::get<StructType>(frame.eventHeader->shape);
    if (recognizeLttng(header, clock))
        return;
    FieldNames path;
    collect(*m_layout, *frame.eventHeader, path, clock, ids);
    m_kind = recognizeFixed(*m_layout) ? Kind::Fixed : Kind::General;
}

bool EventHeader::recognizeLttng(const StructType& header, const std::string& clock)
{
    if (header.members.size() != 2 || header.members[0].name != "id" || m_alignment % 8)
        return false;
    const auto* variant = std::get_if<VariantType>(&header.members[1].type->shape);
    const auto* id = variant ? std::get_if<EnumType>(&variant->tagType->shape) : nullptr;
    if (!id || !integerOf(*header.members[0].type) || variant->options.size() != 2 || variant->options[0].name != "compact"
        || variant->options[1].name != "extended" || variant->tag != FieldPath{Section::EventHeader, {"id"}})
        return false;
    const bool isCompact = id->container.bits == 5 && isLttngId(*id, 31);
    if (!isCompact && !(id->container.bits == 16 && isLttngId(*id, 65535)))
        return false;
    const auto* shortForm = structureOf(variant->options[0], 1);
    const auto* longForm = structureOf(variant->options[1], 2);
    if (!shortForm || !longForm || longForm->members[0].name != "id")
        return false;
    const auto* shortStamp = plainInteger(shortForm->members[0], isCompact ? 27 : 32);
    const auto* longId = plainInteger(longForm->members[0], 32);
    const auto* longStamp = plainInteger(longForm->members[1], 64);
    if (!shortStamp || !longId || !longStamp || shortStamp->clock != clock || longStamp->clock != clock || !longId->clock.empty())
        return false;
    m_order = id->container.order;
    m_compactAlignment = variant->options[0].type->alignment;
    m_extendedAlignment = variant->options[1].type->alignment;
    m_stampAlignment = longForm->members[1].type->alignment;
    const bool isOneOrder = shortStamp->order == m_order && longId->order == m_order && longStamp->order == m_order;
    const bool isPacked = isCompact ? m_compactAlignment == 1 : m_compactAlignment % 8 == 0;
    if (!isOneOrder || !isPacked || m_extendedAlignment % 8 || m_stampAlignment % 8 || header.members[0].type->alignment > m_alignment)
        return false;
    m_kind = isCompact ? Kind::Compact : Kind::Large;
    return true;
}

EventHeader::ShortForm EventHeader::shortForm() const
{
    const bool isNative = (m_order == ByteOrder::Little) == (std::endian::native == std::endian::little);
    if (m_kind == Kind::Compact && isNative)
        return {32, 31};
    if (m_kind == Kind::Large && isNative && m_compactAlignment <= m_alignment)
        return {alignUp(16, m_compactAlignment) + 32, 65535};
    return {};
}

bool EventHeader::recognizeFixed(const StructLayout& layout)
{
    if (!layout.isFixed() || layout.fixedBits() > UINT16_MAX || m_ids.size() > 1 || m_stamps.size() > 1)
        return false;
    const auto partOf = [](const FieldLocator& field, Part& part) {
        const auto* integer = integerOf(*field.type());
        part = {static_cast<std::uint32_t>(field.constantOffset()), integer->bits, integer->order};
        return field.constantOffset() <= UINT16_MAX && !integer->isSigned && !integer->isReversed;
    };
    m_size = layout.fixedBits();
    return (m_ids.empty() || partOf(m_ids[0], m_id)) && (m_stamps.empty() || partOf(m_stamps[0], m_stamp));
}

void EventHeader::collect(const StructLayout& layout, const FieldType& type, FieldNames& path, const std::string& clock,
                          const std::vector<FieldNames>* ids)
{
    const auto* structure = std::get_if<StructType>(&type.shape);
    const auto* variant = std::get_if<VariantType>(&type.shape);
    if (structure || variant) {
        for (const auto& member : structure ? structure->members : variant->options) {
            path.push_back(member.name);
            collect(layout, *member.type, path, clock, ids);
            path.pop_back();
        }
        return;
    }
    const auto* integer = integerOf(type);
    if (!integer)
        return;
    const auto field = layout.locate(path);
    if (!field.isValid())
        return;
    if (ids ? std::find(ids->begin(), ids->end(), path) != ids->end() : path.back() == "id")
        m_ids.push_back(field);
    if (!integer->clock.empty() && integer->clock == clock)
        m_stamps.push_back(field);
}

bool EventHeader::readGeneral(const FieldScope& scope, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock,
                              std::uint64_t& end) const
{
    end = m_layout->skip(scope, start);
    if (end == CutOff)
        return false;
    for (const auto& field : m_ids)
        if (const auto value = field.integer(scope))
            id = static_cast<std::uint64_t>(*value);
    unsigned bits = 64;
    for (const auto& field : m_stamps)
        if (const auto value = field.integer(scope, &bits))
            clock = advanceClock(clock, static_cast<std::uint64_t>(*value), bits);
    return true;
}

} // namespace helio::ctf
