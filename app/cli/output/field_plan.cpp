#include "app/cli/output/field_plan.h"

#include "app/cli/output/field_output.h"
#include "core/trace/fields/struct_layout.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

using Plain = std::array<bool, 256>;

/// Returns a table of the characters that need no escaping: all printable ASCII characters that are not in `others`.
constexpr Plain plainBut(std::string_view others)
{
    Plain plain{};
    for (int c = 0x20; c < 0x7f; ++c)
        plain[static_cast<std::size_t>(c)] = others.find(static_cast<char>(c)) == std::string_view::npos;
    return plain;
}

constexpr Plain PlainInText = plainBut("");
constexpr Plain PlainInCsv = plainBut("\";=\\,");
constexpr Plain PlainInJson = plainBut("\"\\");

const Plain& plainIn(OutputFormat format)
{
    return format == OutputFormat::Text ? PlainInText : format == OutputFormat::Csv ? PlainInCsv : PlainInJson;
}

bool isPlain(std::string_view text, const Plain& plain)
{
    return std::all_of(text.begin(), text.end(), [&](char c) { return plain[static_cast<unsigned char>(c)]; });
}

/// True if the range of an enumeration contains the number.
bool covers(const EnumRange& range, std::int64_t number, bool isSigned)
{
    if (isSigned)
        return range.first <= number && number <= range.last;
    const auto value = static_cast<std::uint64_t>(number);
    return static_cast<std::uint64_t>(range.first) <= value && value <= static_cast<std::uint64_t>(range.last);
}

} // namespace

FieldPlan::FieldPlan(const EventType& type, Part part, OutputFormat format)
    : m_format(format)
    , m_part(part)
{
    if (part == Part::Fields) {
        m_isPossible = addSection(type, Section::Payload);
    } else {
        m_isPossible = addSection(type, Section::StreamContext) && addSection(type, Section::EventContext);
    }
    m_isPossible = m_isPossible && !(format == OutputFormat::Json && hasDuplicateNames());
    if (!m_isPossible)
        m_steps.clear();
}

bool FieldPlan::hasDuplicateNames() const
{
    auto names = m_names;
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool FieldPlan::addSection(const EventType& type, Section section)
{
    const StructLayout* layout = type.layout(section);
    if (!layout)
        return true;
    const auto* structure = std::get_if<StructType>(&type.section(section)->shape);
    if (!structure || !layout->isUsable())
        return false;
    const std::size_t first = m_steps.size();
    for (std::uint32_t i = 0; i < structure->members.size(); ++i) {
        const Member& member = structure->members[i];
        if (member.isHidden || !addMember(member.name, *member.type))
            return false;
        m_steps.back().alignment = layout->node(layout->root().firstChild + i).alignment;
    }
    if (first < m_steps.size())
        m_steps[first].structAlignment = layout->alignment();
    return true;
}

bool FieldPlan::addMember(const std::string& name, const FieldType& type)
{
    const Plain& plain = plainIn(m_format);
    if (!isPlain(name, plain))
        return false;
    Step step;
    step.type = &type;
    if (const auto* any = integerOf(type); any && (any->isVariable || any->isBoolean))
        return false;
    if (const auto* integer = std::get_if<IntegerType>(&type.shape)) {
        step.kind = integer->isSigned ? Kind::Signed : Kind::Unsigned;
    } else if (const auto* enumeration = std::get_if<EnumType>(&type.shape)) {
        step.kind = Kind::Enumeration;
        for (const EnumRange& range : enumeration->ranges) {
            if (!isPlain(range.label, plain))
                return false;
            step.labels.push_back(m_format == OutputFormat::Json ? '"' + range.label + '"' : range.label);
        }
    } else if (std::holds_alternative<FloatType>(type.shape)) {
        step.kind = Kind::Real;
    } else if (std::holds_alternative<StringType>(type.shape) && isText(type)) {
        step.kind = Kind::Text;
    } else if (const auto* array = std::get_if<ArrayType>(&type.shape); array && isText(type)) {
        step.kind = Kind::Characters;
        step.count = array->length;
    } else {
        return false;
    }
    const bool isFirst = m_steps.empty();
    step.isQuoted = m_format != OutputFormat::Csv && isText(type);
    switch (m_format) {
    case OutputFormat::Text: step.before = (isFirst ? "" : ", ") + name + " = "; break;
    case OutputFormat::Csv: step.before = (isFirst ? "" : ";") + name + '='; break;
    case OutputFormat::Json: step.before = (isFirst ? "\"" : ",\"") + name + "\":"; break;
    }
    if (step.isQuoted)
        step.before += '"';
    m_names.push_back(name);
    m_steps.push_back(std::move(step));
    return true;
}

bool FieldPlan::append(TextBuffer& out, const EventView& event) const
{
    if (!m_isPossible)
        return false;
    const std::size_t begin = out.size();
    const EventRecord& record = *event.record;
    std::uint64_t bit = record.headerBit + (m_part == Part::Fields ? record.payloadOffset : record.contextOffset);
    for (const Step& step : m_steps) {
        bit = alignUp(alignUp(bit, step.structAlignment), step.alignment);
        out.append(step.before);
        if (bit > event.packet.contentBits || !appendStep(out, step, event.packet, bit)) [[unlikely]] {
            out.cutTo(begin);
            return false;
        }
        if (step.isQuoted)
            out.append('"');
    }
    return true;
}

bool FieldPlan::appendStep(TextBuffer& out, const Step& step, const PacketBytes& packet, std::uint64_t& bit) const
{
    if (step.kind == Kind::Text || step.kind == Kind::Characters)
        return appendText(out, step, packet, bit);
    const std::uint64_t at = bit;
    if (step.kind == Kind::Real) {
        const auto& real = std::get<FloatType>(step.type->shape);
        bit += real.bits;
        if (bit > packet.contentBits)
            return false;
        const double value = readFloat(packet.data, at, real);
        if (!std::isfinite(value))
            return false;
        out.appendReal(value);
        return true;
    }
    const IntegerType& integer = *integerOf(*step.type);
    bit += integer.bits;
    if (bit > packet.contentBits)
        return false;
    const std::int64_t value = readInteger(packet.data, at, integer);
    if (step.kind == Kind::Enumeration)
        appendEnumeration(out, step, value);
    else
        appendNumber(out, static_cast<std::uint64_t>(value), integer.isSigned, integer.base);
    return true;
}

/// Appends an integer: in decimal for JSON, else in the base that the trace's metadata specifies.
void FieldPlan::appendNumber(TextBuffer& out, std::uint64_t bits, bool isSigned, DisplayBase base) const
{
    if (base == DisplayBase::Decimal || m_format == OutputFormat::Json)
        return isSigned ? out.appendNumber(static_cast<std::int64_t>(bits)) : out.appendNumber(bits);
    if (isSigned && static_cast<std::int64_t>(bits) < 0) {
        out.append('-');
        bits = -bits;
    }
    out.append(base == DisplayBase::Hexadecimal ? "0x" : base == DisplayBase::Octal ? "0" : "0b");
    out.appendNumber(bits, static_cast<int>(base));
}

void FieldPlan::appendEnumeration(TextBuffer& out, const Step& step, std::int64_t number) const
{
    const auto& type = std::get<EnumType>(step.type->shape);
    const bool isSigned = type.container.isSigned;
    const bool isJson = m_format == OutputFormat::Json;
    if (isJson) {
        out.append("{\"value\":");
        appendNumber(out, static_cast<std::uint64_t>(number), isSigned, DisplayBase::Decimal);
        out.append(",\"labels\":[");
    }
    bool hasLabel = false;
    for (std::size_t i = 0; i < type.ranges.size(); ++i) {
        if (!covers(type.ranges[i], number, isSigned))
            continue;
        if (std::exchange(hasLabel, true))
            out.append(isJson ? ',' : '|');
        out.append(step.labels[i]);
    }
    if (isJson)
        out.append("]}");
    else if (!hasLabel)
        appendNumber(out, static_cast<std::uint64_t>(number), isSigned, type.container.base);
}

bool FieldPlan::appendText(TextBuffer& out, const Step& step, const PacketBytes& packet, std::uint64_t& bit) const
{
    const std::uint64_t left = (packet.contentBits - bit) / 8;
    if (bit % 8 != 0 || (step.kind == Kind::Characters && step.count > left))
        return false;
    const auto* characters = reinterpret_cast<const char*>(packet.data) + bit / 8;
    const std::uint64_t most = step.kind == Kind::Characters ? step.count : left;
    const auto* end = static_cast<const char*>(std::memchr(characters, '\0', most));
    if (!end && step.kind == Kind::Text)
        return false;
    const std::uint64_t length = end ? static_cast<std::uint64_t>(end - characters) : most;
    bit += 8 * (step.kind == Kind::Characters ? step.count : length + 1);
    return appendCharacters(out, {characters, length});
}

bool FieldPlan::appendCharacters(TextBuffer& out, std::string_view text) const
{
    if (!isPlain(text, plainIn(m_format)))
        return false;
    out.append(text);
    return true;
}

} // namespace helio
