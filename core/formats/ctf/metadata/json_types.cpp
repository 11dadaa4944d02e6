#include "core/formats/ctf/metadata/json_types.h"

#include "core/formats/ctf/metadata/tsdl_lexer.h"

#include <algorithm>
#include <bit>

namespace helio::ctf {
namespace {

constexpr std::size_t MaxTypeParts = 1 << 20;

constexpr std::array<std::pair<std::string_view, Section>, 6> Origins{{{"packet-header", Section::PacketHeader},
                                                                       {"packet-context", Section::PacketContext},
                                                                       {"event-record-header", Section::EventHeader},
                                                                       {"event-record-common-context", Section::StreamContext},
                                                                       {"event-record-specific-context", Section::EventContext},
                                                                       {"event-record-payload", Section::Payload}}};

[[noreturn]] void fail(const JsonValue& at, std::string what) { throw TsdlError(at.line, std::move(what)); }

[[noreturn]] void decline(const JsonValue& at, std::string what) { throw TsdlUnsupportedError(at.line, std::move(what)); }

std::optional<Section> sectionNamed(const JsonValue& name)
{
    for (const auto& [text, section] : Origins)
        if (name.isText(text))
            return section;
    return {};
}

FieldTypePtr made(std::uint32_t alignment, decltype(FieldType::shape) shape)
{
    return std::make_shared<FieldType>(FieldType{alignment, std::move(shape)});
}

std::uint32_t alignmentOf(const JsonValue& fieldClass, std::string_view name, std::int64_t fallback)
{
    const auto alignment = integerOf(fieldClass, name, fallback);
    if (alignment <= 0 || alignment > (1 << 16) || !std::has_single_bit(static_cast<std::uint64_t>(alignment)))
        fail(fieldClass, "an alignment of " + std::to_string(alignment) + " bits");
    return static_cast<std::uint32_t>(alignment);
}

/// Sets the byte order and the bit order of a number.
template <typename Number> void readOrder(const JsonValue& fieldClass, Number& number)
{
    const auto order = textOf(fieldClass, "byte-order");
    if (order != "little-endian" && order != "big-endian")
        fail(fieldClass, "\"" + order + "\" is not a byte order");
    const bool isLittle = order == "little-endian";
    const std::string natural = isLittle ? "first-to-last" : "last-to-first";
    const auto bits = textOf(fieldClass, "bit-order", natural);
    if (bits != "first-to-last" && bits != "last-to-first")
        fail(fieldClass, "\"" + bits + "\" is not a bit order");
    number.order = isLittle ? ByteOrder::Little : ByteOrder::Big;
    number.isReversed = bits != natural;
}

TextEncoding encodingFrom(const JsonValue& fieldClass)
{
    constexpr std::array<std::pair<std::string_view, TextEncoding>, 5> Encodings{{{"utf-8", TextEncoding::Utf8},
                                                                                  {"utf-16le", TextEncoding::Utf16Little},
                                                                                  {"utf-16be", TextEncoding::Utf16Big},
                                                                                  {"utf-32le", TextEncoding::Utf32Little},
                                                                                  {"utf-32be", TextEncoding::Utf32Big}}};
    const auto name = textOf(fieldClass, "encoding", "utf-8");
    for (const auto& [text, encoding] : Encodings)
        if (name == text)
            return encoding;
    fail(fieldClass, "\"" + name + "\" is not an encoding");
}

DisplayBase baseOf(const JsonValue& fieldClass)
{
    switch (integerOf(fieldClass, "preferred-display-base", 10)) {
    case 2: return DisplayBase::Binary;
    case 8: return DisplayBase::Octal;
    case 16: return DisplayBase::Hexadecimal;
    default: return DisplayBase::Decimal;
    }
}

std::vector<EnumRange> rangesFrom(const JsonValue& set, const std::string& label)
{
    std::vector<EnumRange> ranges;
    for (const auto& range : set.items) {
        if (range.items.size() != 2 || range.items[0].kind != JsonValue::Kind::Integer || range.items[1].kind != JsonValue::Kind::Integer)
            fail(range, "not a range of integers");
        ranges.push_back({label, range.items[0].integer, range.items[1].integer});
    }
    return ranges;
}

/// Returns the field at the path `names` below a type; nullptr if there is none. Paths do not contain the options of variants: the first
/// option that has the field counts.
FieldTypePtr descend(const FieldTypePtr& type, std::span<const std::string> names)
{
    if (const auto* variant = std::get_if<VariantType>(&type->shape)) {
        for (const Member& option : variant->options)
            if (auto found = option.isHidden ? nullptr : descend(option.type, names))
                return found;
        return nullptr;
    }
    if (names.empty())
        return type;
    const auto* structure = std::get_if<StructType>(&type->shape);
    const auto member =
        structure ? std::ranges::find(structure->members, names.front(), &Member::name) : std::vector<Member>::const_iterator();
    return structure && member != structure->members.end() ? descend(member->type, names.subspan(1)) : nullptr;
}

const IntegerType* integerIn(const FieldTypePtr& type)
{
    if (const auto* enumeration = std::get_if<EnumType>(&type->shape))
        return &enumeration->container;
    return std::get_if<IntegerType>(&type->shape);
}

} // namespace

const JsonValue& memberOf(const JsonValue& object, std::string_view name)
{
    const auto* member = object.find(name);
    if (!member)
        fail(object, "\"" + std::string(name) + "\" is missing");
    return *member;
}

std::int64_t integerOf(const JsonValue& object, std::string_view name, std::optional<std::int64_t> fallback)
{
    if (fallback && !object.find(name))
        return *fallback;
    const auto& member = memberOf(object, name);
    if (member.kind != JsonValue::Kind::Integer)
        fail(member, "\"" + std::string(name) + "\" is not an integer");
    return member.integer;
}

std::string textOf(const JsonValue& object, std::string_view name, std::optional<std::string> fallback)
{
    if (fallback && !object.find(name))
        return *fallback;
    const auto& member = memberOf(object, name);
    if (member.kind != JsonValue::Kind::Text)
        fail(member, "\"" + std::string(name) + "\" is not a string");
    return member.text;
}

void JsonTypes::addAlias(const JsonValue& fragment) { m_aliases[textOf(fragment, "name")] = memberOf(fragment, "field-class"); }

FieldTypePtr JsonTypes::sectionFrom(const JsonValue* fieldClass, Section section, const SectionTypes& before, const std::string& clock,
                                    Roles& roles)
{
    if (!fieldClass)
        return nullptr;
    m_section = section;
    m_depth = 0;
    m_before = &before;
    m_clock = clock;
    m_roles = &roles;
    m_path.clear();
    m_scopes.clear();
    auto type = typeFrom(*fieldClass);
    if (!std::holds_alternative<StructType>(type->shape))
        fail(*fieldClass, "a section of an event is not a structure");
    return type;
}

FieldTypePtr JsonTypes::typeFrom(const JsonValue& fieldClass)
{
    if (++m_depth > MaxTypeNesting)
        throw TsdlLimitError(fieldClass.line, "types nested more than " + std::to_string(MaxTypeNesting) + " deep");
    if (++m_parts > MaxTypeParts)
        throw TsdlLimitError(fieldClass.line, "types of more than " + std::to_string(MaxTypeParts) + " parts");
    FieldTypePtr type;
    if (fieldClass.kind == JsonValue::Kind::Text) {
        const auto alias = m_aliases.find(fieldClass.text);
        if (alias == m_aliases.end())
            fail(fieldClass, "no field class is named \"" + fieldClass.text + "\"");
        type = typeFrom(alias->second);
    } else {
        type = typeOf(fieldClass, textOf(fieldClass, "type"));
    }
    --m_depth;
    return type;
}

FieldTypePtr JsonTypes::typeOf(const JsonValue& fieldClass, const std::string& kind)
{
    if (kind == "fixed-length-floating-point-number")
        return realFrom(fieldClass);
    if (kind.starts_with("fixed-length-"))
        return bitsFrom(fieldClass, kind);
    if (kind == "variable-length-unsigned-integer" || kind == "variable-length-unsigned-enumeration")
        return variableFrom(fieldClass, false);
    if (kind == "variable-length-signed-integer" || kind == "variable-length-signed-enumeration")
        return variableFrom(fieldClass, true);
    if (kind == "null-terminated-string")
        return made(8, StringType{encodingFrom(fieldClass)});
    if (kind == "static-length-string" || kind == "dynamic-length-string")
        return bytesFrom(fieldClass, true, kind[0] == 'd');
    if (kind == "static-length-blob" || kind == "dynamic-length-blob")
        return bytesFrom(fieldClass, false, kind[0] == 'd');
    if (kind == "structure")
        return structureFrom(fieldClass);
    if (kind == "static-length-array" || kind == "dynamic-length-array")
        return arrayFrom(fieldClass, kind[0] == 'd');
    if (kind == "optional")
        return optionalFrom(fieldClass);
    if (kind == "variant")
        return variantFrom(fieldClass);
    fail(fieldClass, "the field class \"" + kind + "\" is not supported");
}

FieldTypePtr JsonTypes::bitsFrom(const JsonValue& fieldClass, const std::string& kind)
{
    const auto is = [&](std::string_view name) { return std::string_view(kind).substr(std::string_view("fixed-length-").size()) == name; };
    const bool isSigned = is("signed-integer") || is("signed-enumeration");
    const bool isArray = is("bit-array") || is("bit-map");
    if (!isSigned && !isArray && !is("boolean") && !is("unsigned-integer") && !is("unsigned-enumeration"))
        fail(fieldClass, "the field class \"" + kind + "\" is not supported");
    IntegerType integer;
    const auto bits = integerOf(fieldClass, "length");
    if (bits > 64)
        decline(fieldClass, "an integer of " + std::to_string(bits) + " bits");
    if (bits < 1)
        fail(fieldClass, "an integer of " + std::to_string(bits) + " bits");
    integer.bits = static_cast<std::uint8_t>(bits);
    integer.isSigned = isSigned;
    integer.isBoolean = is("boolean");
    readOrder(fieldClass, integer);
    integer.base = isArray ? DisplayBase::Hexadecimal : baseOf(fieldClass);
    return integerFrom(fieldClass, std::move(integer), alignmentOf(fieldClass, "alignment", 1));
}

FieldTypePtr JsonTypes::variableFrom(const JsonValue& fieldClass, bool isSigned)
{
    IntegerType integer;
    integer.bits = 64;
    integer.isVariable = true;
    integer.isSigned = isSigned;
    integer.base = baseOf(fieldClass);
    return integerFrom(fieldClass, std::move(integer), 8);
}

FieldTypePtr JsonTypes::integerFrom(const JsonValue& fieldClass, IntegerType integer, std::uint32_t alignment)
{
    noteRoles(fieldClass, &integer);
    const auto* mappings = fieldClass.find("mappings");
    if (!mappings || mappings->items.empty())
        return made(alignment, std::move(integer));
    EnumType enumeration{std::move(integer), {}};
    for (std::size_t i = 0; i < mappings->names.size(); ++i)
        for (auto& range : rangesFrom(mappings->items[i], mappings->names[i]))
            enumeration.ranges.push_back(std::move(range));
    return made(alignment, std::move(enumeration));
}

FieldTypePtr JsonTypes::realFrom(const JsonValue& fieldClass)
{
    const auto bits = integerOf(fieldClass, "length");
    if (bits != 32 && bits != 64)
        decline(fieldClass, "a floating-point number that is neither single nor double");
    FloatType real;
    real.bits = static_cast<std::uint8_t>(bits);
    readOrder(fieldClass, real);
    return made(alignmentOf(fieldClass, "alignment", 1), real);
}

FieldTypePtr JsonTypes::bytesFrom(const JsonValue& fieldClass, bool isText, bool isDynamic)
{
    IntegerType byte;
    byte.encoding = isText ? encodingFrom(fieldClass) : TextEncoding::None;
    byte.base = isText ? DisplayBase::Decimal : DisplayBase::Hexadecimal;
    noteRoles(fieldClass, nullptr);
    return listOf(fieldClass, made(8, std::move(byte)), isDynamic);
}

FieldTypePtr JsonTypes::listOf(const JsonValue& fieldClass, FieldTypePtr element, bool isDynamic)
{
    const auto alignment = std::max(element->alignment, alignmentOf(fieldClass, "minimum-alignment", 1));
    if (!isDynamic) {
        const auto length = integerOf(fieldClass, "length");
        if (length < 0 || length > (std::int64_t(1) << 40))
            throw TsdlLimitError(fieldClass.line, "an array of " + std::to_string(length) + " elements");
        return made(alignment, ArrayType{std::move(element), static_cast<std::uint64_t>(length)});
    }
    const auto& location = memberOf(fieldClass, "length-field-location");
    auto target = locate(location);
    if (!integerIn(target.type))
        fail(location, "the length is not an integer");
    return made(alignment, SequenceType{std::move(element), std::move(target.path)});
}

FieldTypePtr JsonTypes::arrayFrom(const JsonValue& fieldClass, bool isDynamic)
{
    return listOf(fieldClass, typeFrom(memberOf(fieldClass, "element-field-class")), isDynamic);
}

FieldTypePtr JsonTypes::structureFrom(const JsonValue& fieldClass)
{
    StructType structure;
    auto alignment = alignmentOf(fieldClass, "minimum-alignment", 1);
    m_scopes.push_back({&structure.members, m_path.size()});
    if (const auto* members = fieldClass.find("member-classes")) {
        structure.members.reserve(members->items.size());
        for (const auto& member : members->items) {
            structure.members.push_back(optionFrom(memberOf(member, "field-class"), textOf(member, "name")));
            alignment = std::max(alignment, structure.members.back().type->alignment);
        }
    }
    m_scopes.pop_back();
    return made(alignment, std::move(structure));
}

Member JsonTypes::optionFrom(const JsonValue& fieldClass, std::string name)
{
    m_path.push_back(std::move(name));
    auto type = typeFrom(fieldClass);
    Member member{std::move(m_path.back()), std::move(type)};
    m_path.pop_back();
    return member;
}

FieldTypePtr JsonTypes::optionalFrom(const JsonValue& fieldClass)
{
    const auto& location = memberOf(fieldClass, "selector-field-location");
    auto target = locate(location);
    const auto* selector = integerIn(target.type);
    if (!selector)
        fail(location, "the selector is not an integer");
    const auto* ranges = fieldClass.find("selector-field-ranges");
    EnumType tag{*selector, ranges ? rangesFrom(*ranges, "value") : std::vector<EnumRange>{{"value", 1, -1}}};
    // Add a range of all selector values for the empty structure, which means that the field is absent. This range comes last, because the
    // first matching range counts.
    const auto first = selector->isSigned ? INT64_MIN : 0;
    const auto last = selector->isSigned ? INT64_MAX : -1;
    tag.ranges.push_back({"none", first, last});
    VariantType variant{std::move(target.path), made(1, std::move(tag)), {}};
    variant.options.push_back(optionFrom(memberOf(fieldClass, "field-class"), "value"));
    variant.options.push_back({"none", made(1, StructType{}), true});
    return made(1, std::move(variant));
}

FieldTypePtr JsonTypes::variantFrom(const JsonValue& fieldClass)
{
    const auto& location = memberOf(fieldClass, "selector-field-location");
    auto target = locate(location);
    const auto* selector = integerIn(target.type);
    if (!selector)
        fail(location, "the selector is not an integer");
    EnumType tag{*selector, {}};
    VariantType variant{std::move(target.path), nullptr, {}};
    for (const auto& option : memberOf(fieldClass, "options").items) {
        const auto name = textOf(option, "name", "option" + std::to_string(variant.options.size()));
        for (auto& range : rangesFrom(memberOf(option, "selector-field-ranges"), name))
            tag.ranges.push_back(std::move(range));
        variant.options.push_back(optionFrom(memberOf(option, "field-class"), name));
    }
    variant.tagType = made(1, std::move(tag));
    return made(1, std::move(variant));
}

JsonTypes::Target JsonTypes::locate(const JsonValue& location) const
{
    // A location is an object with a path and an optional origin. In release candidates, it is an array that begins with the origin.
    const bool isArray = location.kind == JsonValue::Kind::Array;
    const auto& path = isArray ? location : memberOf(location, "path");
    const auto* origin = isArray ? (path.items.empty() ? nullptr : &path.items.front()) : location.find("origin");
    const auto section = origin ? sectionNamed(*origin) : std::nullopt;
    Target target{{section.value_or(m_section), {}}, nullptr};
    std::size_t i = isArray && section ? 1 : 0;
    std::size_t scope = m_scopes.size();
    for (; !section && i < path.items.size() && path.items[i].kind == JsonValue::Kind::Null; ++i)
        scope -= scope > 0;
    FieldNames below;
    for (; i < path.items.size(); ++i)
        below.push_back(path.items[i].text);
    if (section && *section != m_section) {
        const auto& type = (*m_before)[static_cast<std::size_t>(*section)];
        target.type = type && *section < m_section ? descend(type, below) : nullptr;
        target.path.names = std::move(below);
    } else if (scope = section ? 1 : scope; scope > 0 && scope <= m_scopes.size()) {
        findHere(scope - 1, below, target);
    }
    if (!target.type)
        fail(location, "the field location does not exist");
    return target;
}

/// Looks up the field path `names`, starting with the members of the structure m_scopes[scope]. If a name denotes the member that is still
/// being built, the search continues in that member's structure, which is m_scopes[scope + 1]. If that member is an array, the structure is
/// its current element.
void JsonTypes::findHere(std::size_t scope, std::span<const std::string> names, Target& target) const
{
    for (; !names.empty(); names = names.subspan(1), ++scope) {
        const Scope& at = m_scopes[scope];
        target.path.names.assign(m_path.begin(), m_path.begin() + static_cast<std::ptrdiff_t>(at.depth));
        const auto member = std::ranges::find(*at.members, names.front(), &Member::name);
        if (member != at.members->end()) {
            target.type = descend(member->type, names.subspan(1));
            target.path.names.insert(target.path.names.end(), names.begin(), names.end());
            return;
        }
        const bool leadsOn = scope + 1 < m_scopes.size() && m_path[at.depth] == names.front();
        if (!leadsOn)
            return;
    }
}

void JsonTypes::noteRoles(const JsonValue& fieldClass, IntegerType* integer)
{
    const auto* roles = fieldClass.find("roles");
    for (std::size_t i = 0; roles && i < roles->items.size(); ++i) {
        const auto& role = roles->items[i].text;
        (*m_roles)[role].push_back(m_path);
        if (role == "default-clock-timestamp" && integer)
            integer->clock = m_clock;
    }
}

} // namespace helio::ctf
