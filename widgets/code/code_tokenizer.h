#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace helio {

/// Kind of a coloured range in a source line.
enum class TokenKind : std::uint8_t { Keyword, String, Number, Comment };

/// A coloured range of a source line. Begin and length in letters (QChar).
struct CodeToken {
    int begin = 0;
    int length = 0;
    TokenKind word = TokenKind::Keyword;
    bool operator==(const CodeToken&) const = default;
};

/// Theme role of the colour, e.g. "code.keyword".
QString roleOf(TokenKind word);

struct CodeLanguage;

/// Chooses the language by the file name's extension: C, C++, Rust, Python, Go or Fortran; nullptr for other files, which stay plain.
const CodeLanguage* languageOf(const QString& fileName);

/// Finds the coloured ranges of one file, line by line from the first, because comments and strings may span lines. It knows no grammar: a
/// mistake gives a wrong colour, but never changes the text.
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
    QString m_until; ///< Token that ends the comment or string in which the next line begins; empty if the line begins in neither.
    TokenKind m_word = TokenKind::Comment;
    bool m_isEscaped = false; ///< True if a backslash escapes the letter after it.
};

/// Finds the coloured ranges of XML, line by line from the first, because comments may span lines. Names of elements are keywords. It knows
/// no grammar: a mistake gives a wrong colour, but never changes the text.
class XmlTokenizer {
public:
    std::vector<CodeToken> read(const QString& line);

private:
    bool m_isInComment = false;
};

} // namespace helio
