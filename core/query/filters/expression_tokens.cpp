#include "core/query/filters/expression_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

namespace helio {
namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool isWordChar(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80
        || std::string_view("_.:/@-+$%*[]{}#~?,;").find(c) != std::string_view::npos;
}

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

} // namespace

Error columnError(std::size_t column, const std::string& what)
{
    return {Error::Kind::Usage, "column " + std::to_string(column) + ": " + what};
}

std::size_t ExpressionTokenizer::column(std::size_t at) const
{
    const auto before = m_text.substr(0, at);
    return 1 + static_cast<std::size_t>(std::count_if(before.begin(), before.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

Result<ExpressionToken> ExpressionTokenizer::next()
{
    while (m_at < m_text.size() && isSpace(m_text[m_at]))
        ++m_at;
    ExpressionToken token{ExpressionToken::Kind::End, {}, column(m_at)};
    if (m_at == m_text.size())
        return token;
    if (m_text[m_at] == '"')
        return quoted(std::move(token));
    if (!isWordChar(m_text[m_at]))
        return symbol(std::move(token));
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && isWordChar(m_text[m_at]))
        ++m_at;
    token.kind = ExpressionToken::Kind::Word;
    token.text = m_text.substr(begin, m_at - begin);
    return token;
}

Result<ExpressionToken> ExpressionTokenizer::quoted(ExpressionToken token)
{
    token.kind = ExpressionToken::Kind::Text;
    for (++m_at; m_at < m_text.size(); ++m_at) {
        const char c = m_text[m_at];
        if (c == '"') {
            ++m_at;
            return token;
        }
        if (c != '\\' || m_at + 1 == m_text.size()) {
            token.text += c;
            continue;
        }
        const char escaped = m_text[++m_at];
        if (escaped == 'n' || escaped == 't') {
            token.text += escaped == 'n' ? '\n' : '\t';
        } else if (escaped == 'x' && m_at + 2 < m_text.size() && hexDigit(m_text[m_at + 1]) >= 0 && hexDigit(m_text[m_at + 2]) >= 0) {
            token.text += static_cast<char>(hexDigit(m_text[m_at + 1]) * 16 + hexDigit(m_text[m_at + 2]));
            m_at += 2;
        } else {
            // Keep the backslash before any other character: it may belong to an escape of a regular expression (\d, \.).
            if (escaped != '"' && escaped != '\\')
                token.text += '\\';
            token.text += escaped;
        }
    }
    return columnError(token.column, "missing closing \" for this text");
}

Result<ExpressionToken> ExpressionTokenizer::symbol(ExpressionToken token)
{
    using Sort = ExpressionToken::Kind;
    static constexpr std::array<std::pair<std::string_view, Sort>, 12> symbols{{{"&&", Sort::And},
                                                                                {"||", Sort::Or},
                                                                                {"==", Sort::Operator},
                                                                                {"!=", Sort::Operator},
                                                                                {"<=", Sort::Operator},
                                                                                {">=", Sort::Operator},
                                                                                {"=~", Sort::Operator},
                                                                                {"<", Sort::Operator},
                                                                                {">", Sort::Operator},
                                                                                {"!", Sort::Not},
                                                                                {"(", Sort::Open},
                                                                                {")", Sort::Close}}};
    for (const auto& [text, kind] : symbols)
        if (m_text.substr(m_at).starts_with(text)) {
            token.kind = kind;
            token.text = text;
            m_at += text.size();
            return token;
        }
    const char c = m_text[m_at];
    if (c == '=')
        return columnError(token.column, "write == to compare");
    if (c == '&' || c == '|')
        return columnError(token.column, std::string("write ") + c + c);
    if (c == '\'')
        return columnError(token.column, "write text in double quotes");
    return columnError(token.column,
                       std::string("the character ") + (c >= ' ' && c < 0x7f ? std::string(1, c) : "here") + " is not allowed");
}

} // namespace helio
