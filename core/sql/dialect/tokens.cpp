#include "core/sql/dialect/tokens.h"

#include <algorithm>

namespace helio::sql {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWordBegin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool isWordPart(char c) { return isWordBegin(c) || isDigit(c) || c == '$'; }
char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Returns the offset behind the word characters from `at` on.
std::size_t endOfWord(std::string_view text, std::size_t at)
{
    while (at < text.size() && isWordPart(text[at]))
        ++at;
    return at;
}

/// Returns the offset behind the quoted text that begins at `at`. In it, the quote `end` is written twice, except for a bracket.
std::size_t endOfQuoted(std::string_view text, std::size_t at, char end)
{
    for (++at;;) {
        at = text.find(end, at);
        if (at == std::string_view::npos)
            return text.size();
        ++at;
        if (end == ']' || at == text.size() || text[at] != end)
            return at;
        ++at;
    }
}

/// Returns the offset behind the number that begins at `at`.
std::size_t endOfNumber(std::string_view text, std::size_t at)
{
    while (at < text.size()) {
        const bool isExponent =
            (text[at] == 'e' || text[at] == 'E') && at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-');
        if (isExponent && at + 2 < text.size() && isDigit(text[at + 2]))
            at += 2;
        else if (isWordPart(text[at]) || text[at] == '.')
            ++at;
        else
            break;
    }
    return at;
}

} // namespace

bool Token::isWord(std::string_view word) const { return kind == TokenKind::Word && areSameName(text, word); }

void TokenReader::skipBlanks()
{
    while (m_at < m_text.size()) {
        const std::string_view rest = m_text.substr(m_at);
        std::string_view end;
        if (isSpace(rest.front())) {
            ++m_at;
            continue;
        }
        if (rest.starts_with("--"))
            end = "\n";
        else if (rest.starts_with("/*"))
            end = "*/";
        else
            return;
        const std::size_t found = rest.find(end, 2);
        m_at = found == std::string_view::npos ? m_text.size() : m_at + found + end.size();
    }
}

std::optional<Token> TokenReader::next()
{
    skipBlanks();
    if (m_at >= m_text.size())
        return {};
    const std::size_t begin = m_at;
    const char first = m_text[begin];
    const char second = begin + 1 < m_text.size() ? m_text[begin + 1] : '\0';
    TokenKind kind = TokenKind::Punctuation;
    if (first == '\'') {
        kind = TokenKind::Literal;
        m_at = endOfQuoted(m_text, begin, '\'');
    } else if ((first == 'x' || first == 'X') && second == '\'') {
        kind = TokenKind::Literal;
        m_at = endOfQuoted(m_text, begin + 1, '\'');
    } else if (first == '"' || first == '`' || first == '[') {
        kind = TokenKind::QuotedWord;
        m_at = endOfQuoted(m_text, begin, first == '[' ? ']' : first);
    } else if (isDigit(first) || (first == '.' && isDigit(second))) {
        kind = TokenKind::Literal;
        m_at = endOfNumber(m_text, begin);
    } else if (isWordBegin(first)) {
        kind = TokenKind::Word;
        m_at = endOfWord(m_text, begin);
    } else if (first == '?' || ((first == '$' || first == ':' || first == '@' || first == '#') && isWordPart(second))) {
        kind = TokenKind::Variable;
        m_at = endOfWord(m_text, begin + 1);
    } else {
        m_at = begin + 1;
    }
    return Token{kind, m_text.substr(begin, m_at - begin), begin};
}

bool areSameName(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, folded, folded); }

std::string foldedName(std::string_view name)
{
    std::string text(name);
    std::ranges::transform(text, text.begin(), folded);
    return text;
}

std::string nameIn(const Token& token)
{
    if (token.kind != TokenKind::QuotedWord || token.text.size() < 2)
        return std::string(token.text);
    const char end = token.text.back();
    std::string name;
    for (std::size_t i = 1; i + 1 < token.text.size(); ++i) {
        name += token.text[i];
        if (token.text[i] == end && end != ']')
            ++i; // The quote is written twice.
    }
    return name;
}

std::string quotedName(std::string_view name)
{
    std::string text = "\"";
    for (const char c : name)
        text.append(c == '"' ? 2 : 1, c);
    return text + "\"";
}

} // namespace helio::sql
