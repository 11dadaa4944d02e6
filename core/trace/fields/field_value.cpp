#include "core/trace/fields/field_value.h"

#include "core/trace/fields/struct_layout.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace helio {
namespace {

constexpr std::size_t MaxValues = std::size_t{1} << 20; ///< In one section: what a hostile event may cost.

/// Decodes a section by walking its layout's tree. A read that is not possible ends the walk; what was read stays.
class Decoder {
public:
    Decoder(const StructLayout& layout, const FieldScope& scope)
        : m_layout(layout)
        , m_scope(scope)
        , m_slots(layout.makeSlots())
    {
    }

    std::vector<NamedValue> members(std::uint64_t bit)
    {
        m_bit = m_sectionBit = m_layout.alignedStart(bit);
        FieldValue whole;
        if (m_layout.isUsable() && m_bit <= m_scope.packet.contentBits)
            decode(m_layout.root(), whole);
        auto* all = std::get_if<std::vector<NamedValue>>(&whole.value);
        return all ? std::move(*all) : std::vector<NamedValue>();
    }

private:
    /// False where it is cut off: `out` then has the parts before that, if any.
    bool decode(const LayoutNode& node, FieldValue& out)
    {
        if (++m_values > MaxValues)
            return false;
        m_bit = alignUp(m_bit, node.alignment);
        if (m_bit > m_scope.packet.contentBits)
            return false;
        return std::visit([&](const auto& type) { return decodeShape(node, type, out); }, node.type->shape);
    }

    bool fits(std::uint64_t bits) const { return m_bit + bits <= m_scope.packet.contentBits; }

    /// Reads the number, keeps it where a later length or tag needs it, and moves past it.
    bool readNumber(const LayoutNode& node, const IntegerType& type, std::int64_t& number)
    {
        if (!fits(type.bits))
            return false;
        number = readInteger(m_scope.packet.data, m_bit, type);
        if (node.slot != LayoutNode::None)
            m_slots[node.slot] = number;
        m_bit += type.bits;
        return true;
    }

    bool decodeShape(const LayoutNode& node, const IntegerType& type, FieldValue& out)
    {
        std::int64_t number = 0;
        if (!readNumber(node, type, number))
            return false;
        out.base = type.base;
        if (type.isSigned)
            out.value = number;
        else
            out.value = static_cast<std::uint64_t>(number);
        return true;
    }

    bool decodeShape(const LayoutNode& node, const EnumType& type, FieldValue& out)
    {
        EnumValue value;
        value.isSigned = type.container.isSigned;
        if (!readNumber(node, type.container, value.number))
            return false;
        for (const EnumRange& range : type.ranges) {
            const bool isIn = value.isSigned ? range.first <= value.number && value.number <= range.last
                                             : static_cast<std::uint64_t>(range.first) <= static_cast<std::uint64_t>(value.number)
                    && static_cast<std::uint64_t>(value.number) <= static_cast<std::uint64_t>(range.last);
            if (isIn)
                value.labels.push_back(range.label);
        }
        out.base = type.container.base;
        out.value = std::move(value);
        return true;
    }

    bool decodeShape(const LayoutNode&, const FloatType& type, FieldValue& out)
    {
        if (!fits(type.bits))
            return false;
        out.value = readFloat(m_scope.packet.data, m_bit, type);
        m_bit += type.bits;
        return true;
    }

    bool decodeShape(const LayoutNode&, const StringType&, FieldValue& out)
    {
        const std::string_view left = characters((m_scope.packet.contentBits - m_bit) / 8);
        const std::size_t length = left.find('\0');
        if (length == std::string_view::npos)
            return false;
        out.value = std::string(left.substr(0, length));
        m_bit += (length + 1) * 8;
        return true;
    }

    bool decodeShape(const LayoutNode& node, const StructType& type, FieldValue& out)
    {
        auto& members = out.value.emplace<std::vector<NamedValue>>();
        members.reserve(type.members.size());
        for (std::uint32_t i = 0; i < node.children; ++i) {
            if (type.members[i].isHidden) {
                if (!pass(m_layout.node(node.firstChild + i)))
                    return false;
                continue;
            }
            members.push_back({type.members[i].name, {}});
            if (!decode(m_layout.node(node.firstChild + i), members.back().value)) {
                dropIfEmpty(members);
                return false;
            }
        }
        return true;
    }

    bool decodeShape(const LayoutNode& node, const ArrayType& type, FieldValue& out) { return decodeElements(node, type.length, out); }

    bool decodeShape(const LayoutNode& node, const SequenceType&, FieldValue& out)
    {
        const auto length = m_layout.resolve(node.reference, m_scope, m_slots);
        return length && decodeElements(node, static_cast<std::uint64_t>(*length), out);
    }

    bool decodeShape(const LayoutNode& node, const VariantType&, FieldValue& out)
    {
        const auto tag = m_layout.resolve(node.reference, m_scope, m_slots);
        const std::uint32_t option = tag ? m_layout.option(node.table, *tag) : LayoutNode::None;
        return option != LayoutNode::None && decode(m_layout.node(node.firstChild + option), out);
    }

    bool decodeShape(const LayoutNode& node, const LocatedType& type, FieldValue& out)
    {
        const auto place = locatedBytes(m_scope.packet, type, m_sectionBit, m_bit);
        if (!place)
            return false;
        const std::uint64_t after = m_bit + 32;
        m_bit = place->first * 8;
        const LayoutNode& element = m_layout.node(node.firstChild);
        const bool isDone = decodeElements(node, element.bits >= 8 ? place->count * 8 / element.bits : 0, out);
        m_bit = after;
        return isDone;
    }

    /// Moves past a part that is not shown: what is large is not decoded.
    bool pass(const LayoutNode& node)
    {
        const auto* sequence = std::get_if<SequenceType>(&node.type->shape);
        const bool isPlain = sequence && m_layout.node(node.firstChild).isFixed();
        if (!isPlain && (!node.isFixed() || node.keepsNumbers)) {
            FieldValue ignored;
            return decode(node, ignored);
        }
        std::uint64_t count = 1;
        std::uint64_t bits = node.bits;
        if (isPlain) {
            const auto length = m_layout.resolve(node.reference, m_scope, m_slots);
            const LayoutNode& element = m_layout.node(node.firstChild);
            bits = alignUp(element.bits, element.alignment);
            count = length ? static_cast<std::uint64_t>(*length) : CutOff;
        }
        m_bit = alignUp(m_bit, node.alignment);
        const std::uint64_t left = m_scope.packet.contentBits - std::min(m_bit, m_scope.packet.contentBits);
        if (count > left || (bits != 0 && count > left / bits))
            return false;
        m_bit += count * bits;
        return true;
    }

    /// Requires: on a byte's bound or count is 0; that many bytes are left.
    std::string_view characters(std::uint64_t count) const
    {
        return {reinterpret_cast<const char*>(m_scope.packet.data) + m_bit / 8, count};
    }

    bool decodeElements(const LayoutNode& node, std::uint64_t count, FieldValue& out)
    {
        if (count > m_scope.packet.contentBits - m_bit)
            return false;
        if (isText(*node.type) && m_bit % 8 == 0) {
            if (!fits(count * 8))
                return false;
            const std::string_view all = characters(count);
            out.value = std::string(all.substr(0, all.find('\0')));
            m_bit += count * 8;
            return true;
        }
        const LayoutNode& element = m_layout.node(node.firstChild);
        if (element.leastBits > 1 && count > (m_scope.packet.contentBits - m_bit) / element.leastBits)
            return false;
        auto& elements = out.value.emplace<std::vector<FieldValue>>();
        for (std::uint64_t i = 0; i < count; ++i) {
            elements.emplace_back();
            if (!decode(element, elements.back())) {
                if (std::holds_alternative<std::monostate>(elements.back().value))
                    elements.pop_back();
                return false;
            }
        }
        return true;
    }

    static void dropIfEmpty(std::vector<NamedValue>& members)
    {
        if (std::holds_alternative<std::monostate>(members.back().value.value))
            members.pop_back();
    }

    const StructLayout& m_layout;
    const FieldScope& m_scope;
    LayoutSlots m_slots;
    std::uint64_t m_sectionBit = 0;
    std::uint64_t m_bit = 0;
    std::size_t m_values = 0;
};

/// Writes values as text.
class TextWriter {
public:
    std::string text;

    void write(const FieldValue& value)
    {
        std::visit([&](const auto& v) { writeShape(v, value.base); }, value.value);
    }

private:
    void writeShape(std::monostate, DisplayBase) { }
    void writeShape(std::int64_t v, DisplayBase base) { number(static_cast<std::uint64_t>(v), v < 0, base); }
    void writeShape(std::uint64_t v, DisplayBase base) { number(v, false, base); }
    void writeShape(const std::string& v, DisplayBase) { text += v; }

    void writeShape(double v, DisplayBase)
    {
        char buffer[32];
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, v);
        text.append(buffer, end.ptr);
    }

    void writeShape(const EnumValue& v, DisplayBase base)
    {
        for (std::size_t i = 0; i < v.labels.size(); ++i)
            text += (i == 0 ? "" : "|") + v.labels[i];
        if (v.labels.empty())
            number(static_cast<std::uint64_t>(v.number), v.isSigned && v.number < 0, base);
    }

    void writeShape(const std::vector<FieldValue>& v, DisplayBase)
    {
        text += '[';
        for (std::size_t i = 0; i < v.size(); ++i) {
            if (i != 0)
                text += ',';
            write(v[i]);
        }
        text += ']';
    }

    void writeShape(const std::vector<NamedValue>& v, DisplayBase)
    {
        text += '{';
        for (std::size_t i = 0; i < v.size(); ++i) {
            if (i != 0)
                text += ',';
            text += v[i].name;
            text += '=';
            write(v[i].value);
        }
        text += '}';
    }

    void number(std::uint64_t magnitude, bool isNegative, DisplayBase base)
    {
        char buffer[72];
        if (isNegative) {
            text += '-';
            magnitude = -magnitude;
        }
        if (base == DisplayBase::Hexadecimal)
            text += "0x";
        else if (base == DisplayBase::Octal)
            text += '0';
        else if (base == DisplayBase::Binary)
            text += "0b";
        text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, magnitude, static_cast<int>(base)).ptr);
    }
};

} // namespace

std::vector<NamedValue> decodeSection(const EventView& event, Section section)
{
    const StructLayout* layout = event.type->layout(section);
    const FieldScope scope = scopeOf(event);
    if (!layout || scope.start(section) > scope.packet.contentBits)
        return {};
    return Decoder(*layout, scope).members(scope.start(section));
}

std::vector<NamedValue> decodeContext(const EventView& event)
{
    std::vector<NamedValue> all = decodeSection(event, Section::StreamContext);
    std::vector<NamedValue> own = decodeSection(event, Section::EventContext);
    std::move(own.begin(), own.end(), std::back_inserter(all));
    return all;
}

std::string displayText(const FieldValue& value)
{
    TextWriter writer;
    writer.write(value);
    return std::move(writer.text);
}

} // namespace helio
