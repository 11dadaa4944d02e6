#pragma once

#include "core/formats/ctf/metadata/json_text.h"
#include "core/formats/ctf/metadata/type_resolver.h"
#include "core/formats/ctf/shape/ctf_metadata.h"

#include <map>

namespace helio::ctf {

/// Turns CTF 2's field classes into types. Errors: throws TsdlError.
///
/// An optional field becomes a variant of the field and of an empty structure, which is hidden. Not read: integers above 64 bits, and
/// floating-point numbers other than single and double.
class JsonTypes {
public:
    /// Fields with a role, by its name. A role may have several (an event's id in two options).
    using Roles = std::map<std::string, std::vector<FieldNames>, std::less<>>;

    void addAlias(const JsonValue& fragment);

    /// The structure of a section. `before` has the sections that precede it; `clock` names the clock whose values time stamps hold.
    FieldTypePtr sectionFrom(const JsonValue* fieldClass, Section section, const SectionTypes& before, const std::string& clock,
                             Roles& roles);

private:
    struct Scope {
        const std::vector<Member>* members;
        std::size_t depth; ///< Of m_path.
    };
    struct Target {
        FieldPath path;
        FieldTypePtr type;
    };

    FieldTypePtr typeFrom(const JsonValue& fieldClass);
    FieldTypePtr typeOf(const JsonValue& fieldClass, const std::string& kind);
    FieldTypePtr bitsFrom(const JsonValue& fieldClass, const std::string& kind);
    FieldTypePtr variableFrom(const JsonValue& fieldClass, bool isSigned);
    FieldTypePtr integerFrom(const JsonValue& fieldClass, IntegerType integer, std::uint32_t alignment);
    FieldTypePtr realFrom(const JsonValue& fieldClass);
    FieldTypePtr bytesFrom(const JsonValue& fieldClass, bool isText, bool isDynamic);
    FieldTypePtr structureFrom(const JsonValue& fieldClass);
    FieldTypePtr arrayFrom(const JsonValue& fieldClass, bool isDynamic);
    FieldTypePtr optionalFrom(const JsonValue& fieldClass);
    FieldTypePtr variantFrom(const JsonValue& fieldClass);
    FieldTypePtr listOf(const JsonValue& fieldClass, FieldTypePtr element, bool isDynamic);
    Member optionFrom(const JsonValue& fieldClass, std::string name);

    Target locate(const JsonValue& location) const;
    void findHere(std::size_t scope, std::span<const std::string> names, Target& target) const;
    void noteRoles(const JsonValue& fieldClass, IntegerType* integer);

    std::map<std::string, JsonValue, std::less<>> m_aliases;
    std::size_t m_parts = 0; ///< Made so far: aliases make it easy to write a bomb.
    unsigned m_depth = 0;

    Section m_section = Section::Payload;
    const SectionTypes* m_before = nullptr;
    std::string m_clock;
    Roles* m_roles = nullptr;
    FieldNames m_path;
    std::vector<Scope> m_scopes;
};

// What fragments and field classes are made of. Throw where a member is missing or of another kind.
const JsonValue& memberOf(const JsonValue& object, std::string_view name);
std::int64_t integerOf(const JsonValue& object, std::string_view name, std::optional<std::int64_t> fallback = {});
std::string textOf(const JsonValue& object, std::string_view name, std::optional<std::string> fallback = {});

} // namespace helio::ctf
