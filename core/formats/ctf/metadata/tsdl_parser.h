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

/// Named types that are declared within one pair of braces.
struct TypeScope {
    std::map<std::string, FieldTypePtr, std::less<>> aliases;
    std::map<std::string, FieldTypePtr, std::less<>> structures;
    std::map<std::string, FieldTypePtr, std::less<>> variants;
    std::map<std::string, FieldTypePtr, std::less<>> enumerations;
};

/// Value of an attribute `name = value`.
struct TsdlValue {
    unsigned line = 0;
    std::optional<std::int64_t> number;
    std::string text; ///< Content of a string, or words joined by dots; empty if the value is a number.
};

/// Parses the tokens and types of TSDL. The types are not resolved: lengths and tags are names as written, in FieldPaths without a section,
/// and members still have their escaping underscore. resolved() completes the types.
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

    /// Recovers from a syntax error: skips to the first block that begins after `from` (TsdlLexer::resumeAfter). Parsing continues there as
    /// outside of any block.
    void resumeAfter(const Token& from);
    std::string takeName(std::string_view what);
    [[noreturn]] void fail(std::string what) { throw TsdlError(peek().line, std::move(what)); }

    /// Parses a path: words separated by dots.
    std::vector<std::string> takePath();
    /// Parses an integer expression, up to the first operator whose precedence is not above `tightness`.
    std::int64_t takeExpression(int tightness = 0);
    TsdlValue takeValue();

    /// Parses a block `{ a.b = value; a.b := type; typedef ...; }`, which has a type scope of its own. Calls `onEntry` for each entry with
    /// either a value or a type; the other argument is nullptr.
    using OnEntry = std::function<void(const std::string& name, const TsdlValue* value, const FieldTypePtr& type)>;
    void takeBlock(const OnEntry& onEntry);

    /// Parses a typedef, a typealias or a named type, including its ';'. Returns false if no declaration begins at the next token.
    bool takeDeclaration();
    FieldTypePtr takeType();
    ByteOrder byteOrderOf(const TsdlValue& value) const;

private:
    class NestingGuard;

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

    /// Size of a compound type: the depth of its nesting and its number of parts. A named type counts at each use.
    struct TypeSize {
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
    std::unordered_map<const FieldType*, TypeSize> m_weights;
    std::vector<FieldTypePtr> m_kept; ///< Keeps the types of m_weights alive, because m_weights identifies types by address.
};

/// Returns the Boolean value of an attribute: a number, TRUE, true, FALSE or false.
/// Errors: throws TsdlError for any other value.
bool truthOf(const TsdlValue& value);
/// Returns the number of an attribute.
/// Errors: throws TsdlError if the value is not a number.
std::int64_t numberOf(const TsdlValue& value);

} // namespace helio::ctf
