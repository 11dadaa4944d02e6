#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace helio::sql {

/// Kind of a token of SQL.
enum class TokenKind : std::uint8_t {
    Word, ///< A keyword, or an identifier without quotes.
    QuotedWord, ///< An identifier in double quotes, backquotes or brackets.
    Variable, ///< `$name`, `:name`, `@name`, `?` or `?1`.
    Literal, ///< A number, a text in single quotes, or a blob.
    Punctuation, ///< One character of an operator, a parenthesis, a comma or a semicolon.
};

/// A token of SQL. Spaces and comments are no tokens.
struct Token {
    TokenKind kind = TokenKind::Punctuation;
    std::string_view text; ///< Part of the text that was read.
    std::size_t begin = 0; ///< Offset of the first byte in the text.

    std::size_t end() const { return begin + text.size(); }
    bool is(char punctuation) const { return kind == TokenKind::Punctuation && text.front() == punctuation; }
    /// True if the token is the keyword `word`, which must be in capitals. The case of keywords does not matter in SQL.
    bool isWord(std::string_view word) const;
    bool isName() const { return kind == TokenKind::Word || kind == TokenKind::QuotedWord; }
};

/// Splits a text into the tokens of SQLite. Each text can be split: a text without an end quote is one token up to the end.
/// Ownership: refers to the text, which must exist as long as the tokens.
class TokenReader {
public:
    explicit TokenReader(std::string_view text, std::size_t at = 0)
        : m_text(text)
        , m_at(at)
    {
    }

    std::optional<Token> next(); ///< Returns nullopt at the end of the text.

private:
    void skipBlanks();

    std::string_view m_text;
    std::size_t m_at;
};

/// True if two names are the same in SQL, which ignores the case of the letters a to z.
bool areSameName(std::string_view a, std::string_view b);
/// Returns a name with small letters, by which objects are found whatever the case of their names is.
std::string foldedName(std::string_view name);
/// Returns the name that a token contains, without quotes.
std::string nameIn(const Token& token);
/// Returns a name in double quotes, as an identifier of SQL.
std::string quotedName(std::string_view name);

} // namespace helio::sql
