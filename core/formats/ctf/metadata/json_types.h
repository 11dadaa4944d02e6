#pragma once

#include "core/formats/ctf/metadata/json_text.h"
#include "core/formats/ctf/metadata/type_resolver.h"
#include "core/formats/ctf/shape/ctf_metadata.h"

#include <map>

namespace helio::ctf {

/// Converts field classes of CTF 2 to types.
///
/// An optional field becomes a variant of the field and a hidden empty structure. Integers of more than 64 bits, and floating-point numbers
/// other than single and double precision, are not supported.
///
/// Errors: throws TsdlError.
class JsonTypes {
public:
    /// Fields, keyed by role. Several fields may have the same role, for example an event's id in two options of a variant.
    using Roles = std::map<std::string, std::vector<FieldNames>, std::less<>>;

    /// Adds a field class to which later field classes may refer by name.
    void addAlias(const JsonValue& fragment);

    /// Returns the structure of a section; nullptr if `fieldClass` is nullptr. `before` contains the types of the preceding sections, and
    /// `clock` is the name of the clock of the section's time stamps. The section's fields that have a role are added to `roles`.
    FieldTypePtr sectionFrom(const JsonValue* fieldClass, Section section, const SectionTypes& before, const std::string& clock,
                             Roles& roles);

private:
    struct Scope {
        const std::vector<Member>* members;
        std::size_t depth; ///< Depth of the structure in the section: number of names in the path m_path that lead to the structure.
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
    /// Number of field types made so far, at most MaxTypeParts; without a limit, aliases could make a type grow exponentially.
    std::size_t m_parts = 0;
    unsigned m_depth = 0;

    Section m_section = Section::Payload;
    const SectionTypes* m_before = nullptr;
    std::string m_clock;
    Roles* m_roles = nullptr;
    FieldNames m_path;
    std::vector<Scope> m_scopes;
};

// Accessors of members of fragments and field classes. A missing member has the value `fallback`.
// Errors: throw TsdlError if a member is missing and no fallback is given, or if the member has the wrong type.
const JsonValue& memberOf(const JsonValue& object, std::string_view name);
std::int64_t integerOf(const JsonValue& object, std::string_view name, std::optional<std::int64_t> fallback = {});
std::string textOf(const JsonValue& object, std::string_view name, std::optional<std::string> fallback = {});

} // namespace helio::ctf
