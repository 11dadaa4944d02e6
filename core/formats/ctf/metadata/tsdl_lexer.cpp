#include "core/formats/ctf/metadata/tsdl_lexer.h"

#include <array>
#include <charconv>

namespace helio::ctf {
namespace {

bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordPart(char c) { return isWordStart(c) || isDigit(c); }
bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0'; }

constexpr std::array<std::string_view, 5> LongMarks{"...", ":=", "->", "<<", ">>"};
constexpr std::string_view ShortMarks = "{}()[]<>;:,.=*+-~/%&|^!";

} // namespace

char TsdlLexer::take()
{
    const char c = m_text[m_at++];
    m_line += c == '\n';
    return c;
}

void TsdlLexer::skipBlanks()
{
    while (m_at < m_text.size()) {
        if (isSpace(peek()))
            take();
        else if (peek() == '/' && peek(1) == '/')
            while (m_at < m_text.size() && peek() != '\n')
                take();
        else if (peek() == '/' && peek(1) == '*')
            skipComment();
        else
            return;
    }
}

void TsdlLexer::skipComment()
{
    const auto end = m_text.find("*/", m_at + 2);
    if (end == std::string_view::npos)
        fail("an unterminated comment");
    while (m_at < end + 2)
        take();
}

Token TsdlLexer::next()
{
    skipBlanks();
    Token token;
    token.line = m_line;
    token.at = m_at;
    if (m_at == m_text.size())
        return token;
    if (peek() == '"' || (peek() == 'L' && peek(1) == '"'))
        readString(token);
    else if (isWordStart(peek()))
        readWord(token);
    else if (isDigit(peek()))
        readNumber(token);
    else if (peek() == '\'')
        readCharacter(token);
    else
        readMark(token);
    return token;
}

void TsdlLexer::resumeAfter(const Token& from)
{
    m_at = from.at;
    m_line = from.line;
    const auto isBegin = [this] { return m_at > 0 && m_text[m_at - 1] == '\n' && isWordStart(peek()); };
    while (m_at < m_text.size()) {
        take();
        if (isBegin())
            return;
    }
}

void TsdlLexer::readWord(Token& token)
{
    const auto begin = m_at;
    while (isWordPart(peek()))
        ++m_at;
    token.kind = Token::Kind::Word;
    token.text = m_text.substr(begin, m_at - begin);
}

void TsdlLexer::readNumber(Token& token)
{
    const auto begin = m_at;
    while (isWordPart(peek()))
        ++m_at;
    token.kind = Token::Kind::Number;
    token.text = m_text.substr(begin, m_at - begin);
    std::string_view digits = token.text;
    while (!digits.empty() && (digits.back() == 'u' || digits.back() == 'U' || digits.back() == 'l' || digits.back() == 'L'))
        digits.remove_suffix(1);
    int base = 10;
    if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        base = 16, digits.remove_prefix(2);
    else if (digits.size() > 2 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B'))
        base = 2, digits.remove_prefix(2);
    else if (digits.size() > 1 && digits[0] == '0')
        base = 8, digits.remove_prefix(1);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.number, base);
    if (error != std::errc() || stop != digits.data() + digits.size())
        fail("\"" + token.text + "\" is not a number");
}

void TsdlLexer::readString(Token& token)
{
    if (peek() == 'L')
        ++m_at;
    take();
    token.kind = Token::Kind::Text;
    while (true) {
        if (m_at == m_text.size())
            throw TsdlError(token.line, "an unterminated string");
        if (peek() == '"')
            break;
        token.text += readEscapedCharacter();
    }
    take();
}

void TsdlLexer::readCharacter(Token& token)
{
    take();
    if (m_at == m_text.size() || peek() == '\'')
        fail("an empty character");
    token.kind = Token::Kind::Number;
    token.number = static_cast<unsigned char>(readEscapedCharacter());
    if (peek() != '\'')
        fail("an unterminated character");
    take();
}

/// Reads one character of a string, which may be an escape sequence. Requires: not at the end of the text.
char TsdlLexer::readEscapedCharacter()
{
    const char c = take();
    if (c != '\\')
        return c;
    if (m_at == m_text.size())
        fail("an unterminated string");
    const char escaped = take();
    switch (escaped) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case 'x': return readCode(16, 2);
    default: break;
    }
    if (escaped < '0' || escaped > '7')
        return escaped; // For quotes, the backslash and escapes that C does not define, the result is the character itself.
    --m_at;
    return readCode(8, 3);
}

char TsdlLexer::readCode(int base, std::size_t most)
{
    unsigned code = 0;
    const auto* first = m_text.data() + m_at;
    const auto* last = first + std::min(most, m_text.size() - m_at);
    const auto [stop, error] = std::from_chars(first, last, code, base);
    if (error != std::errc())
        fail("an invalid escape sequence in a string");
    m_at += static_cast<std::size_t>(stop - first);
    return static_cast<char>(code);
}

void TsdlLexer::readMark(Token& token)
{
    const std::string_view rest = m_text.substr(m_at);
    std::size_t size = ShortMarks.find(rest.front()) != std::string_view::npos ? 1 : 0;
    for (const auto mark : LongMarks) {
        if (mark.front() == rest.front() && rest.starts_with(mark))
            size = mark.size();
    }
    if (size == 0)
        fail(std::string("an unexpected character '") + rest.front() + "'");
    token.kind = Token::Kind::Mark;
    token.text = rest.substr(0, size);
    token.mark = Token::encodeMark(token.text);
    m_at += size;
}

} // namespace helio::ctf
