#include "core/base/utf8.h"
#include "core/query/filters/expression_tokens.h"
#include "core/query/filters/expression_tree.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <re2/re2.h>

namespace helio {
namespace {

constexpr std::size_t MaxLength = 4'096; ///< Maximum length of an expression, in bytes.
constexpr int MaxDepth = 100; ///< Maximum nesting depth of parentheses and negations.

using Kind = ExpressionToken::Kind;

std::optional<ExactNumber> parseNumber(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    std::string_view digits = text.substr(isNegative || text.starts_with('+') ? 1 : 0);
    const bool isHex = digits.starts_with("0x") || digits.starts_with("0X");
    if (isHex)
        digits.remove_prefix(2);
    if (digits.empty())
        return {};
    const char* const last = digits.data() + digits.size();
    std::uint64_t value = 0;
    if (const auto [end, error] = std::from_chars(digits.data(), last, value, isHex ? 16 : 10); error == std::errc() && end == last) {
        if (!isNegative)
            return ExactNumber(value);
        if (value <= std::uint64_t(INT64_MAX) + 1)
            return ExactNumber(static_cast<std::int64_t>(0 - value));
        return {};
    }
    if (isHex || digits.find_first_not_of("0123456789") == std::string_view::npos || digits.find_first_of("0123456789") > 1)
        return {};
    double real = 0;
    if (const auto [end, error] = std::from_chars(digits.data(), last, real); error == std::errc() && end == last && std::isfinite(real))
        return ExactNumber(isNegative ? -real : real);
    return {};
}

CompareOp operatorOf(std::string_view text)
{
    static constexpr std::array<std::pair<std::string_view, CompareOp>, 8> operators{{{"==", CompareOp::Equal},
                                                                                      {"!=", CompareOp::NotEqual},
                                                                                      {"<", CompareOp::Less},
                                                                                      {"<=", CompareOp::LessEqual},
                                                                                      {">", CompareOp::Greater},
                                                                                      {">=", CompareOp::GreaterEqual},
                                                                                      {"=~", CompareOp::Matches},
                                                                                      {"contains", CompareOp::Contains}}};
    return std::find_if(operators.begin(), operators.end(), [&](const auto& entry) { return entry.first == text; })->second;
}

FieldName fieldOf(std::string_view word)
{
    using Scope = FieldName::Scope;
    static constexpr std::array<std::pair<std::string_view, Scope>, 9> reserved{{{"name", Scope::Name},
                                                                                 {"thread", Scope::Thread},
                                                                                 {"cpu", Scope::Cpu},
                                                                                 {"time", Scope::Time},
                                                                                 {"tid", Scope::Tid},
                                                                                 {"pid", Scope::Pid},
                                                                                 {"host", Scope::Host},
                                                                                 {"state", Scope::State},
                                                                                 {"duration", Scope::Elapsed}}};
    for (const auto& [name, scope] : reserved)
        if (word == name)
            return {scope, std::string(word)};
    if (word.starts_with("fields."))
        return {Scope::Payload, std::string(word.substr(7))};
    if (word.starts_with("context."))
        return {Scope::Context, std::string(word.substr(8))};
    return {Scope::Any, std::string(word)};
}

/// Returns the error text for a word that is not valid as the right-hand side of an operator.
std::string noLiteral(const std::string& word)
{
    const bool isNumeric = word.find_first_not_of("+-0123456789.") == std::string::npos;
    if (isNumeric)
        return word + " is not a 64-bit number";
    return "\"" + word + "\" is not a number or a time; write text in double quotes";
}

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
        , m_tokens(text)
    {
    }

    Result<std::shared_ptr<const Expression>> parse();

private:
    using Index = Result<std::uint32_t>;

    Status advance();
    Index binary(Kind kind, int depth);
    Index unary(int depth);
    Index operand();
    Index comparison(ExpressionToken left);
    Result<Literal> literal(const FieldName& field, CompareOp op, const ExpressionToken& opToken);
    Result<Literal> textLiteral(const FieldName& field, CompareOp op);
    Result<Literal> numberLiteral(const FieldName& field);
    Result<Literal> timeLiteral();
    Index anywhere(const ExpressionToken& token);
    std::uint32_t add(ExpressionNode node);
    Error unexpected() const;

    std::string m_text;
    ExpressionTokenizer m_tokens;
    ExpressionToken m_token;
    std::vector<ExpressionNode> m_nodes;
};

Result<std::shared_ptr<const Expression>> Parser::parse()
{
    if (m_text.size() > MaxLength)
        return columnError(MaxLength, "the expression is longer than " + std::to_string(MaxLength) + " bytes");
    if (const auto done = advance(); !done)
        return done.error();
    if (m_token.kind == Kind::End)
        return columnError(1, "the expression is empty");
    const auto root = binary(Kind::Or, 0);
    if (!root)
        return root.error();
    if (m_token.kind == Kind::Close)
        return columnError(m_token.column, "unmatched )");
    if (m_token.kind != Kind::End)
        return unexpected();
    return std::shared_ptr<const Expression>(std::make_shared<ParsedExpression>(m_text, std::move(m_nodes), *root));
}

Status Parser::advance()
{
    auto token = m_tokens.next();
    if (!token)
        return token.error();
    m_token = std::move(*token);
    return Done{};
}

std::uint32_t Parser::add(ExpressionNode node)
{
    m_nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(m_nodes.size() - 1);
}

Error Parser::unexpected() const
{
    if (m_token.kind == Kind::Operator)
        return columnError(m_token.column, "expected a field before " + m_token.text);
    return columnError(m_token.column, "expected && or || here");
}

/// Parses a chain of `||` or `&&`. `||` binds weaker than `&&`; both associate to the left.
Parser::Index Parser::binary(Kind kind, int depth)
{
    const auto side = [&] { return kind == Kind::Or ? binary(Kind::And, depth) : unary(depth); };
    auto left = side();
    while (left && m_token.kind == kind) {
        if (const auto done = advance(); !done)
            return done.error();
        const auto right = side();
        if (!right)
            return right;
        ExpressionNode node;
        node.kind = kind == Kind::Or ? ExpressionNode::Kind::Or : ExpressionNode::Kind::And;
        node.left = *left;
        node.right = *right;
        left = add(std::move(node));
    }
    return left;
}

Parser::Index Parser::unary(int depth)
{
    if (m_token.kind != Kind::Not && m_token.kind != Kind::Open)
        return operand();
    const auto start = m_token;
    if (depth >= MaxDepth)
        return columnError(start.column, "more than " + std::to_string(MaxDepth) + " nested parentheses or negations");
    if (const auto done = advance(); !done)
        return done.error();
    if (start.kind == Kind::Open) {
        const auto inner = binary(Kind::Or, depth + 1);
        if (!inner)
            return inner;
        if (m_token.kind == Kind::End)
            return columnError(start.column, "missing ) for this (");
        if (m_token.kind != Kind::Close)
            return unexpected();
        const auto done = advance();
        return done ? inner : Index(done.error());
    }
    const auto inner = unary(depth + 1);
    if (!inner)
        return inner;
    ExpressionNode node;
    node.kind = ExpressionNode::Kind::Not;
    node.left = *inner;
    return add(std::move(node));
}

Parser::Index Parser::operand()
{
    if (m_token.kind == Kind::End)
        return columnError(m_token.column, "expected a condition at the end");
    if (m_token.kind != Kind::Word && m_token.kind != Kind::Text)
        return m_token.kind == Kind::Operator ? unexpected() : columnError(m_token.column, "expected a condition before " + m_token.text);
    auto left = m_token;
    if (const auto done = advance(); !done)
        return done.error();
    const bool isOperator = m_token.kind == Kind::Operator || (m_token.kind == Kind::Word && m_token.text == "contains");
    return isOperator ? comparison(std::move(left)) : anywhere(left);
}

Parser::Index Parser::comparison(ExpressionToken left)
{
    if (left.kind == Kind::Text)
        return columnError(left.column, "expected a field name before " + m_token.text + ", without quotes");
    if (parseNumber(left.text) || parseDuration(left.text))
        return columnError(left.column, "expected a field name before " + m_token.text + ", and the number after it");
    ExpressionNode node;
    node.kind = ExpressionNode::Kind::Compare;
    node.field = fieldOf(left.text);
    if (node.field.path.empty() || node.field.path.front() == '.' || node.field.path.back() == '.')
        return columnError(left.column, left.text + " is not a field name");
    const auto opToken = m_token;
    node.op = operatorOf(opToken.text);
    if (const auto done = advance(); !done)
        return done.error();
    auto value = literal(node.field, node.op, opToken);
    if (!value)
        return value.error();
    node.literal = std::move(*value);
    if (const auto done = advance(); !done)
        return done.error();
    return add(std::move(node));
}

Result<Literal> Parser::literal(const FieldName& field, CompareOp op, const ExpressionToken& opToken)
{
    if (m_token.kind == Kind::Text)
        return textLiteral(field, op);
    if (m_token.kind != Kind::Word)
        return columnError(m_token.column, "expected a value after " + opToken.text);
    if (op == CompareOp::Matches || op == CompareOp::Contains)
        return columnError(m_token.column, "expected text in double quotes after " + opToken.text);
    return numberLiteral(field);
}

Result<Literal> Parser::textLiteral(const FieldName& field, CompareOp op)
{
    using Scope = FieldName::Scope;
    Literal value;
    value.kind = Literal::Kind::Text;
    value.text = m_token.text;
    if (field.scope == Scope::Time || field.scope == Scope::Cpu || field.scope == Scope::Tid || field.scope == Scope::Pid
        || field.scope == Scope::Elapsed)
        return columnError(m_token.column, field.path + " is a number and cannot be compared with text");
    if (op == CompareOp::Matches) {
        auto pattern = TextPattern::make(value.text);
        if (!pattern)
            return columnError(m_token.column, pattern.error().what);
        value.pattern = std::move(*pattern);
    }
    return value;
}

Result<Literal> Parser::numberLiteral(const FieldName& field)
{
    using Scope = FieldName::Scope;
    if (field.scope == Scope::Name || field.scope == Scope::Thread || field.scope == Scope::Host || field.scope == Scope::State)
        return columnError(m_token.column, field.path + " is a text field; put its value in double quotes");
    if (field.scope == Scope::Time)
        return timeLiteral();
    Literal value;
    if (const auto number = parseNumber(m_token.text)) {
        value.kind = Literal::Kind::Number;
        value.number = *number;
        return value;
    }
    if (const auto duration = parseDuration(m_token.text)) {
        value.kind = Literal::Kind::Elapsed;
        value.number = ExactNumber(*duration);
        return value;
    }
    if (const auto time = parseTime(m_token.text); time && time->kind == TimeText::Kind::OfDay)
        return columnError(m_token.column, "a time of day can only be compared with time");
    return columnError(m_token.column, noLiteral(m_token.text));
}

/// Parses a time in the syntax of --begin and --end. A number of seconds is a time only with a leading +.
Result<Literal> Parser::timeLiteral()
{
    Literal value;
    if (const auto number = parseNumber(m_token.text); number && !std::holds_alternative<double>(*number) && m_token.text.front() != '+') {
        value.kind = Literal::Kind::Number;
        value.number = *number;
        return value;
    }
    const auto time = parseTime(m_token.text);
    if (!time)
        return columnError(m_token.column, time.error().what);
    value.kind = Literal::Kind::Time;
    value.time = *time;
    return value;
}

Parser::Index Parser::anywhere(const ExpressionToken& token)
{
    if (token.text.empty())
        return columnError(token.column, "an empty text matches everything");
    ExpressionNode node;
    node.kind = ExpressionNode::Kind::Anywhere;
    node.literal.text = token.text;
    std::transform(token.text.begin(), token.text.end(), node.literal.text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    return add(std::move(node));
}

bool holds(std::partial_ordering order, CompareOp op)
{
    switch (op) {
    case CompareOp::Equal: return order == 0;
    case CompareOp::NotEqual: return order != 0;
    case CompareOp::Less: return order < 0;
    case CompareOp::LessEqual: return order <= 0;
    case CompareOp::Greater: return order > 0;
    case CompareOp::GreaterEqual: return order >= 0;
    default: return false;
    }
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

} // namespace

Result<std::shared_ptr<const Expression>> Expression::parse(std::string_view text) { return Parser(text).parse(); }

bool ParsedExpression::asksFor(std::initializer_list<FieldName::Scope> scopes) const
{
    return std::any_of(m_nodes.begin(), m_nodes.end(), [&](const ExpressionNode& node) {
        return node.kind == ExpressionNode::Kind::Compare && std::find(scopes.begin(), scopes.end(), node.field.scope) != scopes.end();
    });
}

bool ParsedExpression::needsStates() const { return asksFor({FieldName::Scope::Thread, FieldName::Scope::Tid, FieldName::Scope::Pid}); }
bool ParsedExpression::needsIntervals() const { return needsDurations() || asksFor({FieldName::Scope::Time}); }
bool ParsedExpression::needsDurations() const { return asksFor({FieldName::Scope::State, FieldName::Scope::Elapsed}); }
bool ParsedExpression::needsNames() const
{
    return asksFor({FieldName::Scope::Name})
        || std::ranges::any_of(m_nodes, [](const ExpressionNode& node) { return node.kind == ExpressionNode::Kind::Anywhere; });
}
std::string ParsedExpression::firstFieldName() const
{
    for (const ExpressionNode& node : m_nodes)
        if (node.kind == ExpressionNode::Kind::Compare && node.field.scope >= FieldName::Scope::Any)
            return node.field.path;
    return {};
}
bool ParsedExpression::needsBegin() const
{
    return std::any_of(m_nodes.begin(), m_nodes.end(), [](const ExpressionNode& node) {
        return node.kind == ExpressionNode::Kind::Compare && node.field.scope == FieldName::Scope::Time
            && node.literal.kind != Literal::Kind::Number;
    });
}

std::partial_ordering compareExactly(const ExactNumber& a, const ExactNumber& b)
{
    return std::visit(
        [](auto x, auto y) -> std::partial_ordering {
            using X = decltype(x);
            using Y = decltype(y);
            if constexpr (std::is_floating_point_v<X> || std::is_floating_point_v<Y>) {
                // On all supported CPUs, long double represents every 64-bit integer exactly.
                const auto left = static_cast<long double>(x);
                const auto right = static_cast<long double>(y);
                return left <=> right;
            } else {
                if (std::cmp_equal(x, y))
                    return std::partial_ordering::equivalent;
                return std::cmp_less(x, y) ? std::partial_ordering::less : std::partial_ordering::greater;
            }
        },
        a, b);
}

bool compareNumber(const ExactNumber& number, CompareOp op, const ExactNumber& literal)
{
    return holds(compareExactly(number, literal), op);
}

bool compareText(std::string_view text, CompareOp op, const Literal& literal)
{
    if (literal.kind != Literal::Kind::Text)
        return false;
    if (op == CompareOp::Contains)
        return text.find(literal.text) != std::string_view::npos;
    if (op == CompareOp::Matches)
        return literal.pattern && literal.pattern->isFoundIn(text);
    return holds(text <=> std::string_view(literal.text), op);
}

bool compareNames(std::string_view name, std::string_view given, CompareOp op, const Literal& literal)
{
    const bool isIt = compareText(name, op, literal);
    if (given.empty())
        return isIt;
    return op == CompareOp::NotEqual ? isIt && compareText(given, op, literal) : isIt || compareText(given, op, literal);
}

bool containsWord(std::string_view text, std::string_view word)
{
    return std::search(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) { return lower(a) == b; }) != text.end();
}

Result<TextPattern> TextPattern::make(const std::string& pattern)
{
    RE2::Options options(RE2::Quiet);
    options.set_max_mem(MaxMemory);
    auto characters = std::make_shared<const RE2>(pattern, options);
    options.set_encoding(RE2::Options::EncodingLatin1);
    auto bytes = std::make_shared<const RE2>(pattern, options);
    if (characters->error_code() == RE2::ErrorBadUTF8)
        characters = nullptr;
    const RE2& checked = characters ? *characters : *bytes;
    if (checked.ok() && bytes->ok())
        return TextPattern(std::move(characters), std::move(bytes));
    const std::string& fault = checked.error_arg();
    const bool isBackReference = checked.error_code() == RE2::ErrorBadEscape && fault.size() == 2 && fault[1] >= '1' && fault[1] <= '9';
    return Error{Error::Kind::Usage,
                 isBackReference ? "the pattern uses a back reference (" + fault + "), which is not supported"
                                 : "invalid pattern: " + checked.error()};
}

bool TextPattern::isFoundIn(std::string_view text) const
{
    const re2::StringPiece searched(text.data(), text.size());
    return RE2::PartialMatch(searched, m_characters && isUtf8(text) ? *m_characters : *m_bytes);
}

} // namespace helio
