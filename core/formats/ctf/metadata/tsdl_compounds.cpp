// Parses the structures, variants and enumerations of TSDL.

#include "core/formats/ctf/metadata/tsdl_parser.h"

#include <algorithm>

namespace helio::ctf {
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
        fail("no structure is called \"" + name + "\"");
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
        return; // A declaration of a type without a member.
    do {
        if (peek().isMark("*"))
            fail("a pointer to a type that is not declared as an alias");
        auto name = takeName("a field's name");
        auto type = takeArrays(base);
        const bool isTaken = std::any_of(members.begin(), members.end(), [&](const Member& other) { return other.name == name; });
        if (isTaken)
            fail("two fields called \"" + name + "\"");
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
        fail("no variant is called \"" + name + "\"");
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
            fail("no enumeration is called \"" + name + "\"");
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
