#include "core/trace/field_ref.h"

#include "core/trace/struct_layout.h"

namespace helio {
namespace {

/// Whether it is a machine word in native order on byte bounds.
bool isWord(const IntegerType& type, std::uint64_t offset)
{
    const bool isNative = type.bits == 8 || (type.order == ByteOrder::Little) == (std::endian::native == std::endian::little);
    const bool isWhole = type.bits == 8 || type.bits == 16 || type.bits == 32 || type.bits == 64;
    return isNative && isWhole && offset % 8 == 0;
}

} // namespace

FieldRef::FieldRef(const EventType& type, Section section, std::string_view path)
    : m_section(section)
{
    const StructLayout* layout = type.layout(section);
    FieldLocator locator = layout ? layout->locate(path) : FieldLocator();
    if (!locator.isValid())
        return;
    m_kind = Kind::Walk;
    m_type = locator.type();
    m_isText = helio::isText(*m_type);
    m_isFloat = std::holds_alternative<FloatType>(m_type->shape);
    const bool startsAtByte = layout->alignment() % 8 == 0;
    const bool isNear = section == Section::Payload || section == Section::StreamContext;
    if (const IntegerType* integer = integerOf(*m_type)) {
        m_isSigned = integer->isSigned;
        if (isNear && startsAtByte && locator.constantOffset() != CutOff && isWord(*integer, locator.constantOffset())) {
            m_kind = Kind::Aligned;
            m_bits = integer->bits;
            m_offset = locator.constantOffset();
        }
    }
    m_locator = std::make_shared<const FieldLocator>(std::move(locator));
}

FieldRef FieldRef::find(const EventType& type, std::string_view path)
{
    for (const Section section : {Section::Payload, Section::EventContext, Section::StreamContext}) {
        FieldRef found(type, section, path);
        if (found.isValid())
            return found;
    }
    return {};
}

std::optional<std::int64_t> FieldRef::slowInteger(const EventView& event) const
{
    return isValid() ? m_locator->integer(scopeOf(event)) : std::nullopt;
}

std::optional<double> FieldRef::number(const EventView& event) const
{
    return isValid() ? m_locator->number(scopeOf(event)) : std::nullopt;
}

std::string_view FieldRef::text(const EventView& event) const
{
    if (!m_isText)
        return {};
    const std::span<const std::byte> bytes = m_locator->text(scopeOf(event));
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return all.substr(0, all.find('\0'));
}

} // namespace helio
