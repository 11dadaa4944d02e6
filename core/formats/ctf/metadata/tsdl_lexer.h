#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace helio::ctf {

/// Error in metadata. Internal to this folder, because parseTsdl() and parseJsonMetadata() convert it to an Error.
struct TsdlError : std::exception {
    TsdlError(unsigned atLine, std::string why)
        : line(atLine)
        , cause(std::move(why))
    {
    }
    const char* what() const noexcept override { return cause.c_str(); }
    unsigned line;
    std::string cause;
};

constexpr unsigned MaxTypeNesting = 64; ///< Maximum number of nested structures, arrays and variants; real types have four or five levels.

/// Error for text that is nested so deeply or is so large that no reader should read it.
struct TsdlLimitError : TsdlError {
    using TsdlError::TsdlError;
};

/// Error for valid text with a feature that this reader does not support; libbabeltrace2 may support it.
struct TsdlUnsupportedError : TsdlError {
    using TsdlError::TsdlError;
};

struct Token {
    enum class Kind : std::uint8_t { End, Word, Number, Text, Mark };
    Kind kind = Kind::End;
    unsigned line = 1;
    std::size_t at = 0; ///< Offset in bytes of the token's first character in the text.
    std::uint64_t number = 0; ///< Value of a Number; character constants are Numbers as well.
    std::string text; ///< Text of the token: the word, the digits, the unescaped string, or the mark, for example "{" or ":=".

    std::uint32_t mark = 0; ///< Result of encodeMark(text) for a Mark, else 0. Comparing numbers is faster than comparing texts.

    bool isWord(std::string_view word) const { return kind == Kind::Word && text == word; }
    bool isMark(std::string_view other) const { return mark == encodeMark(other); }

    /// Returns the characters of a mark (a punctuation token such as "{" or ":=") as one number. Requires: `text` has 1 to 3 characters.
    static constexpr std::uint32_t encodeMark(std::string_view text)
    {
        std::uint32_t all = 0;
        for (const char c : text)
            all = all << 8 | static_cast<unsigned char>(c);
        return all;
    }
};

/// Splits a text into tokens.
/// Ownership: the text must outlive the lexer.
class TsdlLexer {
public:
    explicit TsdlLexer(std::string_view text)
        : m_text(text)
    {
    }

    /// Returns the next token. At the end of the text, each call returns a token of kind End.
    /// Errors: throws TsdlError.
    Token next();

    /// Continues at the first line after `from` that begins with a letter or underscore, which is where blocks begin; at the end of the
    /// text if there is no such line.
    void resumeAfter(const Token& from);

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    char take();
    [[noreturn]] void fail(std::string what) const { throw TsdlError(m_line, std::move(what)); }
    void skipBlanks();
    void skipComment();
    void readWord(Token& token);
    void readNumber(Token& token);
    void readString(Token& token);
    void readCharacter(Token& token);
    void readMark(Token& token);
    char readEscapedCharacter();
    char readCode(int base, std::size_t most);

    std::string_view m_text;
    std::size_t m_at = 0;
    unsigned m_line = 1;
};

} // namespace helio::ctf
