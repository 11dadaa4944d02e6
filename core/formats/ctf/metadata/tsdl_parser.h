#pragma once

#include "core/formats/ctf/metadata/tsdl_lexer.h"
#include "core/trace/fields/field_type.h"
#include "core/trace/trace.h"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

namespace helio::ctf {

/// The names of types that one pair of braces declares.
struct TypeScope {
    std::map<std::string, FieldTypePtr, std::less<>> aliases;
    std::map<std::string, FieldTypePtr, std::less<>> structures;
    std::map<std::string, FieldTypePtr, std::less<>> variants;
    std::map<std::string, FieldTypePtr, std::less<>> enumerations;
};

/// The right side of `name = value`.
struct TsdlValue {
    unsigned line = 0;
    std::optional<std::int64_t> number;
    std::string text; ///< Of a string, or words joined by dots.
};

/// The token level and the types of TSDL. What it makes is not resolved yet: lengths and tags are the names as written, in a FieldPath
/// of no section, and members still have their escaping underscore.
///
/// Errors: throws TsdlError.
class TsdlParser {
public:
    using Shape = decltype(FieldType::shape);

    TsdlParser(std::string_view text, ByteOrder native);

    const Token& peek(std::size_t ahead = 0) { return ahead == 0 && !m_ahead.empty() ? m_ahead.front() : peekOn(ahead); }
    Token take();
    bool skipMark(std::string_view mark)
    {
        const bool isThere = peek().isMark(mark);
        if (isThere)
            m_ahead.pop_front();
        return isThere;
    }
    void expectMark(std::string_view mark);

    /// After an error: goes on at the next block after `from` (TsdlLexer::resumeAfter), in no block.
    void resumeAfter(const Token& from);
    std::string takeName(std::string_view what);
    [[noreturn]] void fail(std::string what) { throw TsdlError(peek().line, std::move(what)); }

    /// A path of words joined by dots.
    std::vector<std::string> takePath();
    std::int64_t takeExpression(int tightness = 0);
    TsdlValue takeValue();

    /// `{ a.b = value; a.b := type; typedef ...; }` with a scope of its own. Exactly one of value and type is given to `onEntry`.
    using OnEntry = std::function<void(const std::string& name, const TsdlValue* value, const FieldTypePtr& type)>;
    void takeBlock(const OnEntry& onEntry);

    /// Reads typedef, typealias or a named type up to its ';', where one begins here.
    bool takeDeclaration();
    FieldTypePtr takeType();
    ByteOrder byteOrderOf(const TsdlValue& value) const;

private:
    class Nesting;

    const Token& peekOn(std::size_t ahead);
    FieldTypePtr takeSpecifier();
    FieldTypePtr takeInteger();
    FieldTypePtr takeFloat();
    FieldTypePtr takeString();
    FieldTypePtr takeEnumeration();
    FieldTypePtr takeStructure();
    FieldTypePtr takeVariant();
    FieldTypePtr takeOptions(const std::string& name);
    std::vector<EnumRange> takeEnumRanges();
    std::vector<Member> takeMembers();
    void takeMember(std::vector<Member>& members);
    FieldTypePtr takeNamedType();
    FieldTypePtr takeArrays(FieldTypePtr element);
    void takeAlias();
    void takeTypedef();
    std::vector<std::pair<std::string, TsdlValue>> takeAttributes();
    std::int64_t takeOperand();

    /// How deep and how large a compound type is, named types written out.
    struct Weight {
        unsigned depth = 1;
        std::uint64_t parts = 1;
    };
    FieldTypePtr compoundOf(std::uint32_t alignment, Shape shape, std::span<const FieldTypePtr> parts);

    std::uint32_t alignmentFrom(const TsdlValue& value) const;
    FieldTypePtr find(std::map<std::string, FieldTypePtr, std::less<>> TypeScope::*kind, std::string_view name) const;
    void declare(std::map<std::string, FieldTypePtr, std::less<>> TypeScope::*kind, const std::string& name, FieldTypePtr type);

    TsdlLexer m_lexer;
    std::deque<Token> m_ahead;
    std::vector<TypeScope> m_scopes;
    ByteOrder m_native;
    unsigned m_depth = 0;
    std::unordered_map<const FieldType*, Weight> m_weights;
    std::vector<FieldTypePtr> m_kept; ///< So that no address in m_weights is used twice.
};

/// An attribute's truth: a number or one of TRUE, true, FALSE, false. Throws.
bool truthOf(const TsdlValue& value);
std::int64_t numberOf(const TsdlValue& value);

} // namespace helio::ctf
