#pragma once

#include "core/query/filters/expression.h"
#include "core/query/filters/time_text.h"
#include "core/trace/fields/field_ref.h"

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace re2 {
class RE2;
}

// Nodes of a parsed expression. Only the parser and the two evaluators (for events, for rows) use them.

namespace helio {

enum class CompareOp : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, Matches, Contains };

/// A number stored without loss. Signed and unsigned 64-bit integers and floats are compared by their exact values.
using ExactNumber = std::variant<std::int64_t, std::uint64_t, double>;
std::partial_ordering compareExactly(const ExactNumber& a, const ExactNumber& b);

/// Regular expression in RE2's syntax (https://github.com/google/re2/wiki/Syntax). Texts are UTF-8; in a text that is not valid UTF-8, each
/// byte counts as a character. Matching takes time linear in the text's length. Immutable; copies share the compiled expressions.
class TextPattern {
public:
    /// Compiles a pattern.
    /// Errors: Usage if the pattern is not valid or needs more memory than MaxMemory. The message does not say at which column of the
    /// expression the pattern is; the caller adds the column.
    static Result<TextPattern> make(const std::string& pattern);

    /// True if the pattern matches anywhere in `text`.
    bool isFoundIn(std::string_view text) const;

private:
    static constexpr std::int64_t MaxMemory = 1 << 20; ///< Maximum memory for the compiled pattern and RE2's cache, in bytes.

    TextPattern(std::shared_ptr<const re2::RE2> characters, std::shared_ptr<const re2::RE2> bytes)
        : m_characters(std::move(characters))
        , m_bytes(std::move(bytes))
    {
    }
    std::shared_ptr<const re2::RE2> m_characters; ///< Pattern compiled for UTF-8 texts; nullptr if the pattern itself is not valid UTF-8.
    std::shared_ptr<const re2::RE2> m_bytes; ///< Pattern compiled for texts that are not valid UTF-8: matches bytes.
};

/// The right-hand side of a comparison.
struct Literal {
    enum class Kind : std::uint8_t { Text, Number, Elapsed, Time };
    Kind kind = Kind::Text;
    std::string text; ///< Text of the literal; set if `kind` is Text.
    ExactNumber number; ///< Number of the literal, set if `kind` is Number; or duration in ns if `kind` is Elapsed.
    TimeText time; ///< Time of the literal; set if `kind` is Time.
    std::optional<TextPattern> pattern; ///< Compiled regular expression; set if the operator is =~.
};

/// The left-hand side of a comparison.
struct FieldName {
    /// Property that the name refers to. Any, Payload and Context are fields of events and segments; the others are reserved words.
    enum class Scope : std::uint8_t { Name, Thread, Cpu, Time, Tid, Pid, Host, State, Elapsed, Any, Payload, Context };
    Scope scope = Scope::Any;
    std::string path; ///< Name of the event's or segment's field; set if `scope` is Any, Payload or Context.
};

struct ExpressionNode {
    enum class Kind : std::uint8_t { Or, And, Not, Compare, Anywhere };
    Kind kind = Kind::Anywhere;
    std::uint32_t left = 0; ///< Left operand, as an index into the expression's nodes; `right` is the right operand.
    std::uint32_t right = 0;
    FieldName field; ///< Field on the left of a comparison; set if `kind` is Compare.
    CompareOp op = CompareOp::Equal;
    Literal literal; ///< Right-hand side of a comparison; if `kind` is Anywhere, the word to search, in lower case.
};

class ParsedExpression final : public Expression {
public:
    ParsedExpression(std::string text, std::vector<ExpressionNode> nodes, std::uint32_t root)
        : m_text(std::move(text))
        , m_nodes(std::move(nodes))
        , m_root(root)
    {
    }
    const std::string& text() const override { return m_text; }
    bool needsStates() const override;
    bool needsNames() const override;
    bool needsIntervals() const override;
    bool needsDurations() const override;
    std::string firstFieldName() const override;
    bool needsBegin() const override;

    const std::vector<ExpressionNode>& nodes() const { return m_nodes; }
    std::uint32_t root() const { return m_root; }

private:
    bool asksFor(std::initializer_list<FieldName::Scope> scopes) const;

    std::string m_text;
    std::vector<ExpressionNode> m_nodes;
    std::uint32_t m_root = 0;
};

/// Returns a reference to the field of an event type for a name of scope Any, Payload or Context. Not valid if the type lacks the field.
FieldRef findField(const EventType& type, const FieldName& name);

bool compareText(std::string_view text, CompareOp op, const Literal& literal);
/// Compares `literal` with the recorded name of a host and with the name that the user gave the host (`given`; empty if none). True if
/// either name matches; for !=, true if both names differ from the literal.
bool compareNames(std::string_view name, std::string_view given, CompareOp op, const Literal& literal);
bool compareNumber(const ExactNumber& number, CompareOp op, const ExactNumber& literal);

/// True if `word` (in lower case) occurs in the text; ignores the case of ASCII letters.
bool containsWord(std::string_view text, std::string_view word);

} // namespace helio
