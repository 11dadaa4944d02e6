#include "core/formats/ctf/metadata/tsdl_parser.h"

#include <array>

namespace helio::ctf {

TsdlParser::TsdlParser(std::string_view text, ByteOrder native)
    : m_lexer(text)
    , m_scopes(1)
    , m_native(native)
{
}

const Token& TsdlParser::peekOn(std::size_t ahead)
{
    while (m_ahead.size() <= ahead)
        m_ahead.push_back(m_lexer.next());
    return m_ahead[ahead];
}

Token TsdlParser::take()
{
    peek();
    Token token = std::move(m_ahead.front());
    m_ahead.pop_front();
    return token;
}

void TsdlParser::resumeAfter(const Token& from)
{
    m_lexer.resumeAfter(from);
    m_ahead.clear();
    m_scopes.resize(1);
}

void TsdlParser::expectMark(std::string_view mark)
{
    if (skipMark(mark))
        return;
    const auto& found = peek();
    const bool isEnd = found.kind == Token::Kind::End;
    fail("'" + std::string(mark) + "' is missing before " + (isEnd ? std::string("the end") : "'" + found.text.substr(0, 40) + "'"));
}

std::string TsdlParser::takeName(std::string_view what)
{
    if (peek().kind != Token::Kind::Word)
        fail(std::string(what) + " is missing");
    return take().text;
}

std::vector<std::string> TsdlParser::takePath()
{
    std::vector<std::string> path{takeName("a name")};
    while (skipMark(".")) {
        if (peek().kind == Token::Kind::Text)
            path.push_back(take().text); // Accept a string, because the name of a clock may be any text.
        else
            path.push_back(takeName("a name after '.'"));
    }
    return path;
}

namespace {

struct Operator {
    std::string_view mark;
    int tightness;
};
constexpr std::array<Operator, 10> Operators{
    {{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}}};

const Operator* operatorAt(const Token& token)
{
    for (const auto& candidate : Operators)
        if (token.isMark(candidate.mark))
            return &candidate;
    return nullptr;
}

/// Returns the result of an operator; nullopt if it is undefined, for example a division by 0. Arithmetic wraps around as for unsigned
/// numbers.
std::optional<std::int64_t> applied(std::string_view mark, std::int64_t left, std::int64_t right)
{
    const auto a = static_cast<std::uint64_t>(left);
    const auto b = static_cast<std::uint64_t>(right);
    const auto result = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    switch (mark[0]) {
    case '|': return result(a | b);
    case '^': return result(a ^ b);
    case '&': return result(a & b);
    case '<': return b < 64 ? std::optional(result(a << b)) : std::nullopt;
    case '>': return b < 64 ? std::optional(result(a >> b)) : std::nullopt;
    case '+': return result(a + b);
    case '-': return result(a - b);
    case '*': return result(a * b);
    case '/': return b && right != -1 ? std::optional(left / right) : std::nullopt;
    default: return b && right != -1 ? std::optional(left % right) : std::nullopt;
    }
}

} // namespace

std::int64_t TsdlParser::takeOperand()
{
    if (++m_depth > 200)
        throw TsdlLimitError(peek().line, "an expression nested too deeply");
    std::int64_t value = 0;
    if (skipMark("-"))
        value = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(takeOperand()));
    else if (skipMark("+"))
        value = takeOperand();
    else if (skipMark("~"))
        value = ~takeOperand();
    else if (skipMark("(")) {
        value = takeExpression();
        expectMark(")");
    } else if (peek().kind == Token::Kind::Number)
        value = static_cast<std::int64_t>(take().number);
    else
        fail("a number is missing");
    --m_depth;
    return value;
}

std::int64_t TsdlParser::takeExpression(int tightness)
{
    std::int64_t value = takeOperand();
    while (const auto* op = operatorAt(peek())) {
        if (op->tightness <= tightness)
            break;
        take();
        const auto result = applied(op->mark, value, takeExpression(op->tightness));
        if (!result)
            fail("an expression without a value");
        value = *result;
    }
    return value;
}

TsdlValue TsdlParser::takeValue()
{
    TsdlValue value;
    value.line = peek().line;
    if (peek().kind == Token::Kind::Text) {
        while (peek().kind == Token::Kind::Text) // Join adjacent strings, as in C.
            value.text += take().text;
    } else if (peek().kind == Token::Kind::Word) {
        for (const auto& name : takePath())
            value.text += (value.text.empty() ? "" : ".") + name;
    } else {
        value.number = takeExpression();
    }
    return value;
}

bool truthOf(const TsdlValue& value)
{
    if (value.number)
        return *value.number != 0;
    if (value.text == "true" || value.text == "TRUE")
        return true;
    if (value.text == "false" || value.text == "FALSE")
        return false;
    throw TsdlError(value.line, "\"" + value.text + "\" is neither true nor false");
}

std::int64_t numberOf(const TsdlValue& value)
{
    if (!value.number)
        throw TsdlError(value.line, "\"" + value.text + "\" is not a number");
    return *value.number;
}

ByteOrder TsdlParser::byteOrderOf(const TsdlValue& value) const
{
    if (value.text == "native")
        return m_native;
    if (value.text == "be" || value.text == "network")
        return ByteOrder::Big;
    if (value.text == "le")
        return ByteOrder::Little;
    throw TsdlError(value.line, "\"" + value.text + "\" is not a byte order");
}

void TsdlParser::takeBlock(const OnEntry& onEntry)
{
    expectMark("{");
    m_scopes.emplace_back();
    while (!skipMark("}")) {
        if (skipMark(";") || takeDeclaration())
            continue;
        std::string name;
        for (const auto& part : takePath())
            name += (name.empty() ? "" : ".") + part;
        if (skipMark(":=")) {
            onEntry(name, nullptr, takeType());
        } else {
            expectMark("=");
            const auto value = takeValue();
            onEntry(name, &value, nullptr);
        }
        expectMark(";");
    }
    m_scopes.pop_back();
}

std::vector<std::pair<std::string, TsdlValue>> TsdlParser::takeAttributes()
{
    std::vector<std::pair<std::string, TsdlValue>> attributes;
    takeBlock([&](const std::string& name, const TsdlValue* value, const FieldTypePtr&) {
        if (!value)
            fail("a type where \"" + name + "\" needs a value");
        attributes.emplace_back(name, *value);
    });
    return attributes;
}

} // namespace helio::ctf
