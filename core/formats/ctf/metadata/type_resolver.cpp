#include "core/formats/ctf/metadata/type_resolver.h"

#include <algorithm>
#include <map>
#include <utility>

namespace helio::ctf {
namespace {

using Names = std::vector<std::string>;

struct SectionName {
    std::array<std::string_view, 3> words;
    std::size_t count;
    Section section;
};
constexpr std::array<SectionName, 6> SectionNames{{{{"trace", "packet", "header"}, 3, Section::PacketHeader},
                                                   {{"stream", "packet", "context"}, 3, Section::PacketContext},
                                                   {{"stream", "event", "header"}, 3, Section::EventHeader},
                                                   {{"stream", "event", "context"}, 3, Section::StreamContext},
                                                   {{"event", "context", ""}, 2, Section::EventContext},
                                                   {{"event", "fields", ""}, 2, Section::Payload}}};

const SectionName* sectionNamedBy(const Names& path)
{
    for (const auto& name : SectionNames)
        if (path.size() > name.count && std::equal(name.words.begin(), name.words.begin() + name.count, path.begin()))
            return &name;
    return nullptr;
}

std::string joined(const Names& path)
{
    std::string text;
    for (const auto& name : path)
        text += (text.empty() ? "" : ".") + name;
    return text;
}

std::string_view withoutUnderscore(std::string_view name) { return name.starts_with('_') && name.size() > 1 ? name.substr(1) : name; }

/// True if `written` is the name of the member. Resolved members have lost their escaping underscore, which `written` may still have.
bool isMember(const Member& member, std::string_view written)
{
    return member.name == withoutUnderscore(written) || member.name == written;
}

const Member* memberOf(const std::vector<Member>& members, std::string_view written)
{
    const auto it = std::find_if(members.begin(), members.end(), [&](const Member& m) { return isMember(m, written); });
    return it == members.end() ? nullptr : &*it;
}

/// Returns the type of the field at the path [first, last) below resolved members; nullptr if there is no such field. Appends the displayed
/// names of the path to `shown`.
FieldTypePtr descend(const std::vector<Member>& members, const std::string* first, const std::string* last, Names& shown)
{
    const auto* member = memberOf(members, *first);
    if (!member)
        return nullptr;
    shown.push_back(member->name);
    if (first + 1 == last)
        return member->type;
    if (const auto* structure = std::get_if<StructType>(&member->type->shape))
        return descend(structure->members, first + 1, last, shown);
    if (const auto* variant = std::get_if<VariantType>(&member->type->shape))
        return descend(variant->options, first + 1, last, shown);
    return nullptr;
}

class Resolver {
public:
    Resolver(Section section, const SectionTypes& before)
        : m_section(section)
        , m_before(before)
    {
    }

    FieldTypePtr resolve(const FieldTypePtr& type)
    {
        return std::visit([&](const auto& shape) { return resolveShape(type, shape); }, type->shape);
    }

private:
    /// A structure that is being resolved: its members resolved so far, and its depth.
    struct Scope {
        const std::vector<Member>* members;
        std::size_t depth; ///< Depth of the structure in the section: number of names in the path m_path that lead to the structure.
    };
    struct Target {
        FieldPath path;
        FieldTypePtr type;
    };

    template <typename Leaf> FieldTypePtr resolveShape(const FieldTypePtr& type, const Leaf&) { return type; }

    FieldTypePtr resolveShape(const FieldTypePtr& type, const StructType& structure)
    {
        StructType result;
        result.members.reserve(structure.members.size());
        m_scopes.push_back({&result.members, m_path.size()});
        for (const auto& member : structure.members)
            result.members.push_back(resolveMember(member, result.members));
        m_scopes.pop_back();
        return std::make_shared<FieldType>(FieldType{type->alignment, std::move(result)});
    }

    FieldTypePtr resolveShape(const FieldTypePtr& type, const ArrayType& array)
    {
        return std::make_shared<FieldType>(FieldType{type->alignment, ArrayType{resolve(array.element), array.length}});
    }

    FieldTypePtr resolveShape(const FieldTypePtr& type, const SequenceType& sequence)
    {
        auto target = find(sequence.length.names, "length");
        if (!std::holds_alternative<IntegerType>(target.type->shape))
            throw "the length \"" + joined(sequence.length.names) + "\" is not an integer";
        return std::make_shared<FieldType>(FieldType{type->alignment, SequenceType{resolve(sequence.element), std::move(target.path)}});
    }

    FieldTypePtr resolveShape(const FieldTypePtr& type, const VariantType& variant)
    {
        if (variant.tag.names.empty())
            throw std::string("a variant without a tag");
        auto target = find(variant.tag.names, "tag");
        const auto* enumeration = std::get_if<EnumType>(&target.type->shape);
        if (!enumeration)
            throw "the tag \"" + joined(variant.tag.names) + "\" is not an enumeration";
        VariantType result{std::move(target.path), labelled(*target.type, *enumeration, variant.options), {}};
        for (const auto& option : variant.options)
            result.options.push_back(resolveMember(option, result.options));
        return std::make_shared<FieldType>(FieldType{type->alignment, std::move(result)});
    }

    /// Returns the type of a variant's tag. Each label that names an option is replaced by the option's displayed name, so that labels and
    /// options can be compared.
    static FieldTypePtr labelled(const FieldType& type, EnumType enumeration, const std::vector<Member>& options)
    {
        for (auto& range : enumeration.ranges)
            if (std::any_of(options.begin(), options.end(), [&](const Member& option) { return option.name == range.label; }))
                range.label = shownName(range.label, options);
        return std::make_shared<FieldType>(FieldType{type.alignment, std::move(enumeration)});
    }

    /// Returns the displayed name of a member: its name without the escaping underscore, unless a sibling already has this name.
    static std::string shownName(const std::string& written, const std::vector<Member>& siblings)
    {
        const auto bare = withoutUnderscore(written);
        const bool isTaken =
            bare != written && std::any_of(siblings.begin(), siblings.end(), [&](const Member& other) { return other.name == bare; });
        return isTaken ? written : std::string(bare);
    }

    Member resolveMember(const Member& member, const std::vector<Member>& before)
    {
        m_path.push_back(shownName(member.name, before));
        auto type = resolve(member.type);
        Member result{std::move(m_path.back()), std::move(type)};
        m_path.pop_back();
        return result;
    }

    Target find(const Names& path, std::string_view what) const
    {
        Target target;
        const bool isFound = sectionNamedBy(path) ? findAbsolute(path, target) : findAround(path, target) || findBefore(path, target);
        if (!isFound)
            throw "the " + std::string(what) + " \"" + joined(path) + "\" is not found";
        return target;
    }

    bool findAbsolute(const Names& path, Target& target) const
    {
        const auto& name = *sectionNamedBy(path);
        target.path.section = name.section;
        const auto* members = name.section == m_section ? m_scopes.front().members : membersOf(name.section);
        target.type = members ? descend(*members, path.data() + name.count, path.data() + path.size(), target.path.names) : nullptr;
        return target.type != nullptr;
    }

    bool findAround(const Names& path, Target& target) const
    {
        for (auto scope = m_scopes.rbegin(); scope != m_scopes.rend(); ++scope) {
            target.path = {m_section, Names(m_path.begin(), m_path.begin() + static_cast<std::ptrdiff_t>(scope->depth))};
            if ((target.type = descend(*scope->members, path.data(), path.data() + path.size(), target.path.names)))
                return true;
        }
        return false;
    }

    bool findBefore(const Names& path, Target& target) const
    {
        for (auto section = static_cast<int>(m_section) - 1; section >= 0; --section) {
            target.path = {static_cast<Section>(section), {}};
            const auto* members = membersOf(target.path.section);
            if (members && (target.type = descend(*members, path.data(), path.data() + path.size(), target.path.names)))
                return true;
        }
        return false;
    }

    const std::vector<Member>* membersOf(Section section) const
    {
        const auto& type = m_before[static_cast<std::size_t>(section)];
        const auto* structure = type && section < m_section ? std::get_if<StructType>(&type->shape) : nullptr;
        return structure ? &structure->members : nullptr;
    }

    Section m_section;
    const SectionTypes& m_before;
    Names m_path;
    std::vector<Scope> m_scopes;
};

} // namespace

FieldTypePtr resolved(const FieldTypePtr& type, Section section, const SectionTypes& before)
{
    if (!type)
        return nullptr;
    if (!std::holds_alternative<StructType>(type->shape))
        throw std::string("a section of an event is not a structure");
    return Resolver(section, before).resolve(type);
}

} // namespace helio::ctf
