#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace helio::ctf {

/// How this room's parser gives up. Never leaves it: parseTsdl() turns it into an Error.
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

constexpr unsigned MaxTypeNesting = 64; ///< Of structures, arrays and variants in each other: real types have four or five.

/// The text is so deep or so large that no reader should try.
struct TsdlLimitError : TsdlError {
    using TsdlError::TsdlError;
};

/// The text is good, but says what this reader does not read: another one may.
struct TsdlUnsupported : TsdlError {
    using TsdlError::TsdlError;
};

struct Token {
    enum class Kind : std::uint8_t { End, Word, Number, Text, Mark };
    Kind kind = Kind::End;
    unsigned line = 1;
    std::size_t at = 0; ///< Its first character in the text.
    std::uint64_t number = 0; ///< Of a Number or a character.
    std::string text; ///< The word, the unescaped string, or the mark: one of "{", ":=", "..."...

    std::uint32_t mark = 0; ///< The mark's characters in one number: the parser compares a mark or two for each token.

    bool isWord(std::string_view word) const { return kind == Kind::Word && text == word; }
    bool isMark(std::string_view other) const { return mark == markOf(other); }

    /// Requires: 1 to 3 characters.
    static constexpr std::uint32_t markOf(std::string_view text)
    {
        std::uint32_t all = 0;
        for (const char c : text)
            all = all << 8 | static_cast<unsigned char>(c);
        return all;
    }
};

/// Hands out a text's tokens one by one, ended by one of kind End again and again. The text must outlive it.
class TsdlLexer {
public:
    explicit TsdlLexer(std::string_view text)
        : m_text(text)
    {
    }

    /// Throws TsdlError.
    Token next();

    /// Goes on at the first line after `from` that begins with a letter, as blocks do; at the text's end where there is none.
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
    char readOne();
    char readCode(int base, std::size_t most);

    std::string_view m_text;
    std::size_t m_at = 0;
    unsigned m_line = 1;
};

} // namespace helio::ctf
