#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace helio {

/// What a part of a source line is, as far as colours show it.
enum class CodeWord : std::uint8_t { Keyword, String, Number, Comment };

/// A part of a line that has a colour of its own, in letters.
struct CodePiece {
    int begin = 0;
    int length = 0;
    CodeWord word = CodeWord::Keyword;
    bool operator==(const CodePiece&) const = default;
};

/// The theme's role: "code.keyword".
QString roleOf(CodeWord word);

struct CodeLanguage;

/// By the file name's ending: C, C++, Rust, Python, Go or Fortran. Null: another one, which stays plain.
const CodeLanguage* languageOf(const QString& fileName);

/// Finds the words of one file, line by line from its first: comments and strings may reach over several. Knows no grammar; what it takes
/// for something else costs a colour, never a letter.
class CodeReader {
public:
    explicit CodeReader(const CodeLanguage& language)
        : m_language(language)
    {
    }

    std::vector<CodePiece> read(const QString& line);

private:
    struct Line;
    void open(Line& line, int length, const QString& until, CodeWord word, bool isEscaped, bool spans);
    bool readString(Line& line);
    void close(Line& line);
    void readWord(Line& line) const;

    const CodeLanguage& m_language;
    QString m_until; ///< What ends the comment or string that the line begins in. Empty: it begins in neither.
    CodeWord m_word = CodeWord::Comment;
    bool m_isEscaped = false; ///< A backslash takes the next letter with it.
};

} // namespace helio
