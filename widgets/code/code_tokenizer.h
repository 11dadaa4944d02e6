#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace helio {

/// Kind of a coloured range in a source line.
enum class TokenKind : std::uint8_t { Keyword, String, Number, Comment };

/// Coloured range of a source line. Begin and length are in QChars.
struct CodeToken {
    int begin = 0;
    int length = 0;
    TokenKind word = TokenKind::Keyword;
    bool operator==(const CodeToken&) const = default;
};

/// Returns the theme role for a kind of token, e.g. "code.keyword".
QString roleOf(TokenKind word);

struct CodeLanguage;

/// Returns the language of a file, from its extension: C, C++, Rust, Python, Go or Fortran; nullptr for other files, which have no colours.
const CodeLanguage* languageOf(const QString& fileName);

/// Finds the coloured ranges of a source file. Lines must be read from the first one on, because comments and strings may span lines. Has
/// only lexical rules: a mistake gives a wrong colour, but never changes the text.
class CodeTokenizer {
public:
    explicit CodeTokenizer(const CodeLanguage& language)
        : m_language(language)
    {
    }

    std::vector<CodeToken> read(const QString& line);

private:
    struct Line;
    void open(Line& line, int length, const QString& until, TokenKind word, bool isEscaped, bool spans);
    bool readString(Line& line);
    void close(Line& line);
    void readWord(Line& line) const;

    const CodeLanguage& m_language;
    QString m_until; ///< Token that ends the comment or string in which the next line begins; empty if the next line begins in neither.
    TokenKind m_word = TokenKind::Comment;
    bool m_isEscaped = false; ///< True if a backslash escapes the next character of the current string.
};

/// Finds the coloured ranges of an XML file, with names of elements as keywords. Lines must be read from the first one on, because comments
/// may span lines. Has only lexical rules: a mistake gives a wrong colour, but never changes the text.
class XmlTokenizer {
public:
    std::vector<CodeToken> read(const QString& line);

private:
    bool m_isInComment = false;
};

} // namespace helio
