#include "core/trace/fields/field_value.h"

#include "core/base/utf8.h"
#include "core/trace/fields/struct_layout.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

namespace helio {
namespace {

constexpr std::size_t MaxValues = std::size_t{1} << 20; ///< Maximum number of values in one section: limits the cost of a hostile event.

/// Converts the text before its NUL to UTF-8; code units have two or four bytes.
std::string utf8From(std::string_view bytes, TextEncoding encoding)
{
    const std::size_t unit = codeUnitBytes(encoding);
    const bool isBig = encoding == TextEncoding::Utf16Big || encoding == TextEncoding::Utf32Big;
    const auto unitAt = [&](std::size_t at) {
        return static_cast<std::uint32_t>(readBits(reinterpret_cast<const std::byte*>(bytes.data()), 8 * at,
                                                   static_cast<unsigned>(8 * unit), isBig ? ByteOrder::Big : ByteOrder::Little));
    };
    std::string text;
    for (std::size_t at = 0; at + unit <= bytes.size(); at += unit) {
        std::uint32_t point = unitAt(at);
        if (point == 0)
            break;
        const bool isPair = unit == 2 && point >= 0xd800 && point < 0xdc00 && at + 2 * unit <= bytes.size();
        if (const std::uint32_t low = isPair ? unitAt(at + unit) : 0; low >= 0xdc00 && low < 0xe000) {
            point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
            at += unit;
        }
        appendCodePoint(text, point);
    }
    return text;
}

/// Decodes a section along its layout's tree. A failed read ends the decoding; values read before it are kept.
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

    /// Reason why members() ended early; empty if it reached the end.
    const std::string& cause() const { return m_cause; }

private:
    /// Stores the reason for a failed read and returns false. Keeps the first reason, which names the innermost field; ignores later
    /// reasons.
    bool fail(std::string_view before, std::string_view after = {})
    {
        if (!m_cause.empty())
            return false;
        std::string name;
        for (const std::string* part : m_path)
            name += (name.empty() ? "" : ".") + *part;
        m_cause.append(before).append(" \"").append(name).append("\"").append(after);
        return false;
    }
    bool failAtEnd() { return fail("the packet ends within"); }

    bool decodeMember(const LayoutNode& node, const Member& member, FieldValue& out)
    {
        m_path.push_back(&member.name);
        const bool isWhole = decode(node, out);
        m_path.pop_back();
        return isWhole;
    }

    /// Decodes the field into `out`. Returns false if the field is cut off; `out` then has the values before the cut, if any.
    bool decode(const LayoutNode& node, FieldValue& out)
    {
        if (++m_values > MaxValues)
            return fail("too many values in");
        m_bit = alignUp(m_bit, node.alignment);
        if (m_bit > m_scope.packet.contentBits)
            return failAtEnd();
        return std::visit([&](const auto& type) { return decodeShape(node, type, out); }, node.type->shape);
    }

    bool fits(std::uint64_t bits) const { return m_bit + bits <= m_scope.packet.contentBits; }

    /// Reads the number and advances past it. If a later length or tag refers to the number, it is also stored.
    bool readNumber(const LayoutNode& node, const IntegerType& type, std::int64_t& number)
    {
        if (type.isVariable) {
            const Leb128Number read = readLeb128(m_scope.packet.data, m_scope.packet.contentBits, m_bit, type.isSigned);
            if (read.end == CutOff)
                return failAtEnd();
            number = read.value;
            if (node.slot != LayoutNode::None)
                m_slots[node.slot] = number;
            m_bit = read.end;
            return true;
        }
        if (!fits(type.bits))
            return failAtEnd();
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
        if (type.isBoolean)
            out.value = number != 0;
        else if (type.isSigned)
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
            return failAtEnd();
        out.value = readFloat(m_scope.packet.data, m_bit, type);
        m_bit += type.bits;
        return true;
    }

    bool decodeShape(const LayoutNode&, const StringType& type, FieldValue& out)
    {
        if (codeUnitBytes(type.encoding) > 1) {
            const std::uint64_t end = endOfText(type.encoding);
            if (end == CutOff)
                return failAtEnd();
            out.value = utf8From(characters((end - m_bit) / 8), type.encoding);
            m_bit = end;
            return true;
        }
        const std::string_view left = characters((m_scope.packet.contentBits - m_bit) / 8);
        const std::size_t length = left.find('\0');
        if (length == std::string_view::npos)
            return failAtEnd();
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
                if (!skipHidden(m_layout.node(node.firstChild + i)))
                    return false;
                continue;
            }
            members.push_back({type.members[i].name, {}});
            if (!decodeMember(m_layout.node(node.firstChild + i), type.members[i], members.back().value)) {
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
        if (!length)
            return fail("there is no length for");
        return decodeElements(node, static_cast<std::uint64_t>(*length), out);
    }

    bool decodeShape(const LayoutNode& node, const VariantType& type, FieldValue& out)
    {
        const auto tag = m_layout.resolve(node.reference, m_scope, m_slots);
        const std::uint32_t option = tag ? m_layout.option(node.table, *tag) : LayoutNode::None;
        if (option == LayoutNode::None)
            return fail("no option of", tag ? " has the tag " + std::to_string(*tag) : std::string(" is chosen: its tag is absent"));
        const LayoutNode& chosen = m_layout.node(node.firstChild + option);
        return type.options[option].isHidden ? skipHidden(chosen) : decode(chosen, out);
    }

    /// Returns the bit after the NUL that ends the text at m_bit; CutOff if the packet has no NUL there. For encodings whose code units,
    /// and therefore the NUL, have several bytes.
    std::uint64_t endOfText(TextEncoding encoding) const
    {
        const std::uint64_t step = 8 * codeUnitBytes(encoding);
        for (std::uint64_t at = m_bit; at + step <= m_scope.packet.contentBits; at += step)
            if (readBits(m_scope.packet.data, at, static_cast<unsigned>(step), ByteOrder::Little) == 0)
                return at + step;
        return CutOff;
    }

    bool decodeShape(const LayoutNode& node, const DataLocType& type, FieldValue& out)
    {
        const auto place = locateDataLoc(m_scope.packet, type, m_sectionBit, m_bit);
        if (!place)
            return fail("the packet does not hold the data of");
        const std::uint64_t after = m_bit + 32;
        m_bit = place->first * 8;
        const LayoutNode& element = m_layout.node(node.firstChild);
        const bool isDone = decodeElements(node, element.bits >= 8 ? place->count * 8 / element.bits : 0, out);
        m_bit = after;
        return isDone;
    }

    /// Advances the position past a field with Member::isHidden (for example padding), whose value is not returned. Fields whose size
    /// follows from their type and length are skipped without decoding.
    bool skipHidden(const LayoutNode& node)
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
        if (bits != 0 && count > left / bits)
            return failAtEnd();
        m_bit += count * bits;
        return true;
    }

    /// Reads `count` characters. Requires: the content has `count` more bytes, at a byte boundary unless `count` is 0.
    std::string_view characters(std::uint64_t count) const
    {
        return {reinterpret_cast<const char*>(m_scope.packet.data) + m_bit / 8, count};
    }

    bool decodeElements(const LayoutNode& node, std::uint64_t count, FieldValue& out)
    {
        const LayoutNode& element = m_layout.node(node.firstChild);
        const auto failAtLength = [&] { return fail("the packet ends within", ", which has " + std::to_string(count) + " elements"); };
        if (element.leastBits > 0 && count > (m_scope.packet.contentBits - m_bit) / element.leastBits)
            return failAtLength();
        if (element.leastBits == 0 && count > std::max(m_scope.packet.contentBits - m_bit, MaxEmptyElements))
            return fail("too many elements without bits in");
        if (const TextEncoding encoding = encodingOf(*node.type); encoding != TextEncoding::None && m_bit % 8 == 0) {
            const std::string_view all = characters(count);
            out.value = codeUnitBytes(encoding) > 1 ? utf8From(all, encoding) : std::string(all.substr(0, all.find('\0')));
            m_bit += count * 8;
            return true;
        }
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
    std::vector<const std::string*> m_path; ///< Names of the members that contain the current field, outermost first.
    std::string m_cause;
};

/// Formats decoded values as text.
class TextWriter {
public:
    std::string text;

    void write(const FieldValue& value)
    {
        std::visit([&](const auto& v) { writeShape(v, value.base); }, value.value);
    }

private:
    void writeShape(std::monostate, DisplayBase) { text += "<none>"; }
    void writeShape(bool v, DisplayBase) { text += v ? "true" : "false"; }
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

std::string explainCutOff(const StructLayout& layout, const FieldScope& scope, std::uint64_t bit)
{
    Decoder decoder(layout, scope);
    decoder.members(bit);
    return decoder.cause();
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
