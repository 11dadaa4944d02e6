#include "core/trace/fields/field_ref.h"

#include "core/trace/fields/struct_layout.h"

namespace helio {
namespace {

constexpr std::uint64_t NoLimit = ~std::uint64_t{0};

/// True if the integer is a machine word in native byte order at a byte boundary.
bool isWord(const IntegerType& type, std::uint64_t offset)
{
    const bool isNative = type.bits == 8 || (type.order == ByteOrder::Little) == (std::endian::native == std::endian::little);
    if (type.isReversed)
        return false;
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
    const bool isNear = section == Section::Payload || section == Section::StreamContext;
    if (isNear && locator.constantOffset() != CutOff) {
        m_kind = Kind::Placed;
        m_offset = locator.constantOffset();
    }
    if (const IntegerType* integer = integerOf(*m_type)) {
        m_isSigned = integer->isSigned;
        m_bits = integer->bits;
        m_kind = integer->isVariable ? Kind::Walk : m_kind;
        if (m_kind == Kind::Placed && layout->alignment() % 8 == 0 && isWord(*integer, m_offset))
            m_kind = Kind::Aligned;
    } else if (const auto* array = std::get_if<ArrayType>(&m_type->shape)) {
        m_textBytes = m_isText ? array->length : 0;
    } else if (std::holds_alternative<StringType>(m_type->shape)) {
        m_textBytes = NoLimit;
    } else if (m_isText) {
        m_kind = Kind::Walk; // The offset is not constant: the length of an earlier sequence must be read first.
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
    if (m_kind == Kind::Walk)
        return m_locator->integer(scopeOf(event));
    const std::uint64_t bit = sectionBit(event) + m_offset;
    if (m_kind == Kind::None || m_bits == 0 || bit + m_bits > event.packet.contentBits)
        return {};
    return readInteger(event.packet.data, bit, *integerOf(*m_type));
}

std::optional<double> FieldRef::number(const EventView& event) const
{
    return isValid() ? m_locator->number(scopeOf(event)) : std::nullopt;
}

std::string_view FieldRef::text(const EventView& event) const
{
    if (!m_isText)
        return {};
    if (m_kind == Kind::Placed)
        return placedText(event);
    const std::span<const std::byte> bytes = m_locator->text(scopeOf(event));
    const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return all.substr(0, all.find('\0'));
}

std::string_view FieldRef::placedText(const EventView& event) const
{
    const std::uint64_t bit = sectionBit(event) + m_offset;
    if (bit % 8 != 0 || bit > event.packet.contentBits)
        return {};
    const std::uint64_t left = (event.packet.contentBits - bit) / 8;
    const bool isString = m_textBytes == NoLimit;
    if (!isString && m_textBytes > left)
        return {};
    const std::string_view all(reinterpret_cast<const char*>(event.packet.data + bit / 8), isString ? left : m_textBytes);
    const std::size_t end = all.find('\0');
    if (end == std::string_view::npos)
        return isString ? std::string_view() : all;
    return all.substr(0, end);
}

} // namespace helio
