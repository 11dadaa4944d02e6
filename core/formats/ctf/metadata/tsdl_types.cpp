#include "core/formats/ctf/metadata/tsdl_parser.h"

#include <algorithm>
#include <array>
#include <bit>

// Parser of the types of TSDL: specifiers, declarators, structures, variants, enumerations, and the scopes of their names.

namespace helio::ctf {
namespace {

/// Maximum number of parts of one type, because named types can make types grow exponentially.
constexpr std::uint64_t MaxParts = 1u << 20;
constexpr std::uint32_t MaxAlignment = 1u << 16;

constexpr std::array<std::string_view, 12> CWords{"void",   "char",   "short",    "int",   "long",     "float",
                                                  "double", "signed", "unsigned", "_Bool", "_Complex", "_Imaginary"};

bool isCWord(const Token& token)
{
    return token.kind == Token::Kind::Word && std::find(CWords.begin(), CWords.end(), token.text) != CWords.end();
}

FieldTypePtr typeOf(std::uint32_t alignment, TsdlParser::Shape shape)
{
    return std::make_shared<FieldType>(FieldType{alignment, std::move(shape)});
}

TextEncoding encodingOf(const TsdlValue& value)
{
    if (value.text == "UTF8" || value.text == "utf8" || value.text == "utf-8" || value.text == "UTF-8")
        return TextEncoding::Utf8;
    if (value.text == "ASCII" || value.text == "ascii")
        return TextEncoding::Ascii;
    if (value.text == "none" || value.text == "None" || value.text == "NONE")
        return TextEncoding::None;
    throw TsdlError(value.line, "\"" + value.text + "\" is not an encoding");
}

DisplayBase baseOf(const TsdlValue& value)
{
    const auto is = [&](std::initializer_list<std::string_view> words, std::int64_t number) {
        return value.number ? *value.number == number : std::find(words.begin(), words.end(), value.text) != words.end();
    };
    if (is({"decimal", "dec", "d", "i", "u"}, 10))
        return DisplayBase::Decimal;
    if (is({"hexadecimal", "hex", "x", "X", "p", "symaddress"}, 16))
        return DisplayBase::Hexadecimal;
    if (is({"octal", "oct", "o"}, 8))
        return DisplayBase::Octal;
    if (is({"binary", "b"}, 2))
        return DisplayBase::Binary;
    throw TsdlError(value.line, "not a number base");
}

std::string clockOf(const TsdlValue& value)
{
    constexpr std::string_view prefix = "clock.";
    constexpr std::string_view suffix = ".value";
    const std::string_view text = value.text;
    if (!text.starts_with(prefix) || !text.ends_with(suffix) || text.size() <= prefix.size() + suffix.size())
        throw TsdlError(value.line, "the clock map is not of the form clock.NAME.value");
    return std::string(text.substr(prefix.size(), text.size() - prefix.size() - suffix.size()));
}

} // namespace

/// Counts one nesting level of a type's text as long as the object exists.
/// Errors: throws TsdlLimitError beyond MaxTypeNesting.
class TsdlParser::NestingGuard {
public:
    explicit NestingGuard(TsdlParser& parser)
        : m_parser(parser)
    {
        if (++parser.m_depth > MaxTypeNesting)
            throw TsdlLimitError(parser.peek().line, "types nested more than " + std::to_string(MaxTypeNesting) + " deep");
    }
    ~NestingGuard() { --m_parser.m_depth; }

private:
    TsdlParser& m_parser;
};

FieldTypePtr TsdlParser::find(std::map<std::string, FieldTypePtr, std::less<>> TypeScope::*kind, std::string_view name) const
{
    for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope)
        if (const auto it = ((*scope).*kind).find(name); it != ((*scope).*kind).end())
            return it->second;
    return nullptr;
}

void TsdlParser::declare(std::map<std::string, FieldTypePtr, std::less<>> TypeScope::*kind, const std::string& name, FieldTypePtr type)
{
    (m_scopes.back().*kind)[name] = std::move(type);
}

std::uint32_t TsdlParser::alignmentFrom(const TsdlValue& value) const
{
    const auto number = numberOf(value);
    if (number <= 0 || number > MaxAlignment || !std::has_single_bit(static_cast<std::uint64_t>(number)))
        throw TsdlError(value.line, "an alignment of " + std::to_string(number) + " bits");
    return static_cast<std::uint32_t>(number);
}

FieldTypePtr TsdlParser::compoundOf(std::uint32_t alignment, Shape shape, std::span<const FieldTypePtr> parts)
{
    TypeSize weight{1, 1};
    for (const auto& part : parts) {
        const auto it = m_weights.find(part.get());
        const auto own = it == m_weights.end() ? TypeSize{1, 1} : it->second;
        weight.depth = std::max(weight.depth, own.depth + 1);
        weight.parts += own.parts;
    }
    if (weight.depth > MaxTypeNesting)
        throw TsdlLimitError(peek().line, "types nested more than " + std::to_string(MaxTypeNesting) + " deep");
    if (weight.parts > MaxParts)
        throw TsdlLimitError(peek().line, "a type of more than " + std::to_string(MaxParts) + " parts");
    auto type = typeOf(alignment, std::move(shape));
    m_weights[type.get()] = weight;
    m_kept.push_back(type);
    return type;
}

bool TsdlParser::takeDeclaration()
{
    const auto& token = peek();
    if (token.isWord("typealias"))
        takeAlias();
    else if (token.isWord("typedef"))
        takeTypedef();
    else if (token.isWord("struct") || token.isWord("variant") || token.isWord("enum"))
        takeType();
    else
        return false;
    expectMark(";");
    return true;
}

void TsdlParser::takeAlias()
{
    take();
    auto type = takeType();
    expectMark(":=");
    std::string name;
    while (peek().kind == Token::Kind::Word || peek().isMark("*")) {
        const auto word = take().text;
        if (word != "const")
            name += (name.empty() ? "" : " ") + word;
    }
    if (name.empty())
        fail("the alias's name is missing");
    declare(&TypeScope::aliases, name, std::move(type));
}

void TsdlParser::takeTypedef()
{
    take();
    const auto base = takeSpecifier();
    do {
        const auto name = takeName("the new type's name");
        declare(&TypeScope::aliases, name, takeArrays(base));
    } while (skipMark(","));
}

FieldTypePtr TsdlParser::takeType() { return takeArrays(takeSpecifier()); }

FieldTypePtr TsdlParser::takeSpecifier()
{
    const NestingGuard nesting(*this);
    while (peek().isWord("const"))
        take();
    if (peek().kind != Token::Kind::Word)
        fail("a type is missing");
    const auto& word = peek().text;
    if (word == "integer")
        return takeInteger();
    if (word == "floating_point")
        return takeFloat();
    if (word == "string")
        return takeString();
    if (word == "enum")
        return takeEnumeration();
    if (word == "struct")
        return takeStructure();
    if (word == "variant")
        return takeVariant();
    return takeNamedType();
}

FieldTypePtr TsdlParser::takeNamedType()
{
    std::string name = peek().text;
    const bool isC = isCWord(take());
    while (isC && (isCWord(peek()) || peek().isWord("const"))) {
        const auto word = take().text;
        if (word != "const")
            name += " " + word;
    }
    while (peek().isMark("*")) {
        take();
        name += " *";
    }
    auto type = find(&TypeScope::aliases, name);
    if (!type)
        fail("no type is named \"" + name + "\"");
    return type;
}

FieldTypePtr TsdlParser::takeArrays(FieldTypePtr element)
{
    if (!skipMark("["))
        return element;
    const NestingGuard nesting(*this); // Count each array dimension as a nesting level.
    ArrayType array;
    SequenceType sequence;
    const bool isSequence = peek().kind == Token::Kind::Word;
    if (isSequence)
        sequence.length.names = takePath();
    else
        array.length = static_cast<std::uint64_t>(takeExpression());
    expectMark("]");
    if (array.length > (std::uint64_t(1) << 40))
        throw TsdlLimitError(peek().line, "an array of " + std::to_string(array.length) + " elements");
    element = takeArrays(std::move(element)); // Parse the following dimensions first: int a[2][3] is two arrays of three elements, as in C.
    const auto alignment = element->alignment;
    if (isSequence) {
        sequence.element = element;
        return compoundOf(alignment, std::move(sequence), {&element, 1});
    }
    array.element = element;
    return compoundOf(alignment, std::move(array), {&element, 1});
}

FieldTypePtr TsdlParser::takeInteger()
{
    take();
    IntegerType integer;
    integer.order = m_native;
    std::int64_t bits = 0;
    std::uint32_t alignment = 0;
    for (const auto& [name, value] : takeAttributes()) {
        if (name == "size")
            bits = numberOf(value);
        else if (name == "align")
            alignment = alignmentFrom(value);
        else if (name == "signed")
            integer.isSigned = truthOf(value);
        else if (name == "byte_order")
            integer.order = byteOrderOf(value);
        else if (name == "base")
            integer.base = baseOf(value);
        else if (name == "encoding")
            integer.encoding = encodingOf(value);
        else if (name == "map")
            integer.clock = clockOf(value);
    }
    if (bits > 64)
        throw TsdlUnsupportedError(peek().line, "an integer of " + std::to_string(bits) + " bits");
    if (bits < 1)
        fail("an integer of " + std::to_string(bits) + " bits");
    integer.bits = static_cast<std::uint8_t>(bits);
    if (!alignment)
        alignment = bits % 8 ? 1 : 8;
    return typeOf(alignment, std::move(integer));
}

FieldTypePtr TsdlParser::takeFloat()
{
    take();
    FloatType real;
    real.order = m_native;
    std::int64_t exponent = 0;
    std::int64_t mantissa = 0;
    std::uint32_t alignment = 1;
    for (const auto& [name, value] : takeAttributes()) {
        if (name == "exp_dig")
            exponent = numberOf(value);
        else if (name == "mant_dig")
            mantissa = numberOf(value);
        else if (name == "align")
            alignment = alignmentFrom(value);
        else if (name == "byte_order")
            real.order = byteOrderOf(value);
    }
    const bool isSingle = exponent == 8 && mantissa == 24;
    if (!isSingle && !(exponent == 11 && mantissa == 53))
        throw TsdlUnsupportedError(peek().line, "a floating-point number that is neither single nor double");
    real.bits = isSingle ? 32 : 64;
    return typeOf(alignment, real);
}

FieldTypePtr TsdlParser::takeString()
{
    take();
    StringType text;
    if (peek().isMark("{"))
        for (const auto& [name, value] : takeAttributes())
            if (name == "encoding")
                text.encoding = encodingOf(value);
    return typeOf(8, text);
}

FieldTypePtr TsdlParser::takeStructure()
{
    take();
    std::string name;
    if (peek().kind == Token::Kind::Word && !peek().isWord("align"))
        name = take().text;
    FieldTypePtr type;
    if (peek().isMark("{")) {
        StructType structure;
        structure.members = takeMembers();
        std::uint32_t alignment = 1;
        std::vector<FieldTypePtr> parts;
        for (const auto& member : structure.members) {
            alignment = std::max(alignment, member.type->alignment);
            parts.push_back(member.type);
        }
        if (peek().isWord("align")) {
            take();
            expectMark("(");
            TsdlValue value;
            value.line = peek().line;
            value.number = takeExpression();
            expectMark(")");
            alignment = std::max(alignment, alignmentFrom(value));
        }
        type = compoundOf(alignment, std::move(structure), parts);
        if (!name.empty())
            declare(&TypeScope::structures, name, type);
        return type;
    }
    if (!(type = find(&TypeScope::structures, name)))
        fail("no structure is named \"" + name + "\"");
    return type;
}

std::vector<Member> TsdlParser::takeMembers()
{
    std::vector<Member> members;
    expectMark("{");
    m_scopes.emplace_back();
    while (!skipMark("}")) {
        if (skipMark(";"))
            continue;
        if (peek().isWord("typealias") || peek().isWord("typedef"))
            takeDeclaration();
        else
            takeMember(members);
    }
    m_scopes.pop_back();
    return members;
}

void TsdlParser::takeMember(std::vector<Member>& members)
{
    const auto base = takeSpecifier();
    if (skipMark(";"))
        return; // The declaration contains only a type and declares no field, as in "struct name { … };".
    do {
        if (peek().isMark("*"))
            fail("a pointer to a type that is not declared as an alias");
        auto name = takeName("a field's name");
        auto type = takeArrays(base);
        const bool isTaken = std::any_of(members.begin(), members.end(), [&](const Member& other) { return other.name == name; });
        if (isTaken)
            fail("two fields named \"" + name + "\"");
        members.push_back({std::move(name), std::move(type)});
    } while (skipMark(","));
    expectMark(";");
}

FieldTypePtr TsdlParser::takeVariant()
{
    take();
    std::string name;
    if (peek().kind == Token::Kind::Word)
        name = take().text;
    std::vector<std::string> tag;
    if (skipMark("<")) {
        tag = takePath();
        expectMark(">");
    }
    const auto untagged = peek().isMark("{") ? takeOptions(name) : find(&TypeScope::variants, name);
    if (!untagged)
        fail("no variant is named \"" + name + "\"");
    if (tag.empty())
        return untagged;
    auto variant = std::get<VariantType>(untagged->shape);
    variant.tag.names = std::move(tag);
    return compoundOf(1, std::move(variant), {&untagged, 1});
}

FieldTypePtr TsdlParser::takeOptions(const std::string& name)
{
    VariantType variant;
    variant.options = takeMembers();
    if (variant.options.empty())
        fail("a variant without options");
    std::vector<FieldTypePtr> parts;
    for (const auto& option : variant.options)
        parts.push_back(option.type);
    auto type = compoundOf(1, std::move(variant), parts);
    if (!name.empty())
        declare(&TypeScope::variants, name, type);
    return type;
}

FieldTypePtr TsdlParser::takeEnumeration()
{
    take();
    std::string name;
    if (peek().kind == Token::Kind::Word)
        name = take().text;
    FieldTypePtr container;
    if (skipMark(":"))
        container = takeSpecifier();
    if (!peek().isMark("{")) {
        const auto known = find(&TypeScope::enumerations, name);
        if (!known)
            fail("no enumeration is named \"" + name + "\"");
        return known;
    }
    if (!container && !(container = find(&TypeScope::aliases, "int")))
        fail("an enumeration without an integer type");
    const auto* integer = std::get_if<IntegerType>(&container->shape);
    if (!integer)
        fail("an enumeration of something that is not an integer");
    EnumType enumeration{*integer, takeEnumRanges()};
    FieldTypePtr type = std::make_shared<FieldType>(FieldType{container->alignment, std::move(enumeration)});
    if (!name.empty())
        declare(&TypeScope::enumerations, name, type);
    return type;
}

std::vector<EnumRange> TsdlParser::takeEnumRanges()
{
    std::vector<EnumRange> ranges;
    expectMark("{");
    std::int64_t following = 0;
    while (!peek().isMark("}")) {
        EnumRange range;
        if (peek().kind != Token::Kind::Text && peek().kind != Token::Kind::Word)
            fail("a label is missing");
        range.label = take().text;
        range.first = range.last = following;
        if (skipMark("=")) {
            range.first = range.last = takeExpression();
            if (skipMark("..."))
                range.last = takeExpression();
        }
        following = static_cast<std::int64_t>(static_cast<std::uint64_t>(range.last) + 1);
        ranges.push_back(std::move(range));
        if (!skipMark(","))
            break;
    }
    expectMark("}");
    return ranges;
}

} // namespace helio::ctf
