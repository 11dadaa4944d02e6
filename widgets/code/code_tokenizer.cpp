#include "widgets/code/code_tokenizer.h"

#include <QSet>
#include <QStringList>

#include <algorithm>
#include <array>

namespace helio {

namespace {

constexpr auto CommentBegin = QLatin1String("<!--");
constexpr auto CommentEnd = QLatin1String("-->");

bool isOfName(QChar c) { return c.isLetterOrNumber() || c == '_' || c == '-' || c == ':' || c == '.' || c == '/' || c == '?'; }

/// Returns the index after the first `end` in the line at or after `from`; the length of the line if there is none.
int endOf(const QString& line, QLatin1String end, int from)
{
    const auto at = line.indexOf(end, from);
    return int(at < 0 ? line.size() : at + end.size());
}

} // namespace

/// Lexical rules of a programming language, to the extent that colours need them.
struct CodeLanguage {
    QStringList fileExtensions; ///< Extensions of source files in this language.
    QSet<QString> keywords;
    QString lineComment;
    QString blockComment; ///< Token that begins a comment that ends with "*/"; empty if the language has none.
    QString quotes; ///< Characters that begin and end a string.
    QString spanning; ///< Characters of `quotes` for strings that may span lines.
    bool hasCharacters = true; ///< True if ' begins a character literal; false if it has other uses, e.g. lifetimes in Rust.
    bool hasEscapes = true;
    bool hasTriples = false; ///< True if three quotes begin a string that may span lines.
    bool hasDirectives = false; ///< True if lines that begin with # are directives.
    bool ignoresCase = false;
    QString rawPrefix; ///< Character that begins a raw string, e.g. R"x(...)x" in C++ or r#"..."# in Rust; empty if the language has none.
};

namespace {

QSet<QString> words(const char* text)
{
    const QStringList list = QString::fromLatin1(text).split(u' ');
    return {list.begin(), list.end()};
}

const std::array<CodeLanguage, 6>& languages()
{
    static const std::array<CodeLanguage, 6> all{{
        // The values are in the order of CodeLanguage's members.
        {{"c"},
         words("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict "
               "return short "
               "signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Atomic bool"),
         "//",
         "/*",
         "\"",
         "",
         true,
         true,
         false,
         true,
         false,
         ""},
        {{"cpp", "cc", "cxx", "c++", "h", "hh", "hpp", "hxx", "ipp", "tcc", "inl", "cu"},
         words("alignas alignof auto bool break case catch char char8_t char16_t char32_t class co_await co_return co_yield concept const "
               "consteval constexpr "
               "constinit const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern false final "
               "float for friend "
               "goto if inline int long mutable namespace new noexcept nullptr operator override private protected public register "
               "reinterpret_cast "
               "requires restrict return short signed sizeof static static_assert static_cast struct switch template this thread_local "
               "throw true try "
               "typedef typeid typename union unsigned using virtual void volatile wchar_t while"),
         "//",
         "/*",
         "\"",
         "",
         true,
         true,
         false,
         true,
         false,
         "R"},
        {{"rs"},
         words("as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref "
               "return self Self "
               "static struct super trait true type union unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 "
               "u32 u64 u128 usize"),
         "//",
         "/*",
         "\"",
         "\"",
         true,
         true,
         false,
         false,
         false,
         "r"},
        {{"py", "pyx", "pyi"},
         words("and as assert async await break class continue def del elif else except False finally for from global if import in is "
               "lambda None nonlocal "
               "not or pass raise return True try while with yield"),
         "#",
         "",
         "\"'",
         "",
         false,
         true,
         true,
         false,
         false,
         ""},
        {{"go"},
         words("break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package "
               "range return select "
               "struct switch true type var bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 "
               "uint32 uint64 uintptr"),
         "//",
         "/*",
         "\"`",
         "`",
         true,
         true,
         false,
         false,
         false,
         ""},
        {{"f90", "f95", "f03", "f08", "f", "for", "ftn"},
         words("allocatable allocate associate block call case character class close common complex contains continue cycle data "
               "deallocate dimension do "
               "double else elseif end endif enddo entry exit external forall format function go goto if implicit in inout include inquire "
               "integer intent "
               "interface intrinsic kind logical module none null only open operator optional out parameter pointer precision print "
               "private procedure program "
               "public pure read real recursive result return save select stop subroutine target then to type use value where while write"),
         "!",
         "",
         "\"'",
         "",
         false,
         false,
         false,
         true,
         true,
         ""},
    }};
    return all;
}

bool isWordLetter(QChar c) { return c.isLetterOrNumber() || c == u'_'; }

} // namespace

QString roleOf(TokenKind word)
{
    static const char* const roles[] = {"code.keyword", "code.string", "code.number", "code.comment"};
    return QString::fromLatin1(roles[std::size_t(word)]);
}

const CodeLanguage* languageOf(const QString& fileName)
{
    const QString ending = fileName.mid(fileName.lastIndexOf(u'.') + 1).toLower();
    const auto found = std::ranges::find_if(languages(), [&](const CodeLanguage& it) { return it.fileExtensions.contains(ending); });
    return found == languages().end() || !fileName.contains(u'.') ? nullptr : &*found;
}

/// Line that is being read, and the position in it.
struct CodeTokenizer::Line {
    const QString& text;
    std::vector<CodeToken> tokens;
    int at = 0;

    bool isAt(const QString& token) const { return !token.isEmpty() && QStringView(text).mid(at).startsWith(token); }
    bool isEnd() const { return at >= int(text.size()); }
    void add(int end, TokenKind word)
    {
        if (end > at)
            tokens.push_back({at, end - at, word});
        at = end;
    }
};

std::vector<CodeToken> CodeTokenizer::read(const QString& text)
{
    Line line{text, {}, 0};
    if (!m_until.isEmpty())
        close(line);
    else if (m_language.hasDirectives && text.trimmed().startsWith(u'#')) {
        line.at = int(text.indexOf(u'#'));
        line.add(int(std::find_if(text.begin() + line.at + 1, text.end(), [](QChar c) { return !c.isLetter(); }) - text.begin()),
                 TokenKind::Keyword);
    }
    while (!line.isEnd()) {
        if (line.isAt(m_language.lineComment))
            line.add(int(text.size()), TokenKind::Comment);
        else if (line.isAt(m_language.blockComment))
            open(line, 2, QStringLiteral("*/"), TokenKind::Comment, false, true);
        else if (!readString(line))
            readWord(line);
    }
    return std::move(line.tokens);
}

/// Begins a comment or string whose opening token has `length` characters. It ends in this line unless `spans`.
void CodeTokenizer::open(Line& line, int length, const QString& until, TokenKind word, bool isEscaped, bool spans)
{
    m_until = until;
    m_word = word;
    m_isEscaped = isEscaped;
    const int begin = line.at;
    line.at += length;
    close(line);
    if (!line.tokens.empty() && line.tokens.back().begin == begin + length)
        // Remove the token that close() added: the token added below covers the same characters and the opening ones.
        line.tokens.pop_back();
    line.tokens.push_back({begin, line.at - begin, word});
    if (!spans)
        m_until.clear();
}

/// Reads up to the end of the current comment or string, or to the end of the line.
void CodeTokenizer::close(Line& line)
{
    int end = line.at;
    const QStringView text(line.text);
    while (end < int(text.size()) && !text.mid(end).startsWith(m_until))
        end += m_isEscaped && text[end] == u'\\' ? 2 : 1;
    if (end < int(text.size())) {
        end += int(m_until.size());
        m_until.clear();
    }
    line.add(std::min(end, int(text.size())), m_word);
}

bool CodeTokenizer::readString(Line& line)
{
    const QStringView text(line.text);
    const QChar c = text[line.at];
    if (line.isAt(m_language.rawPrefix)) {
        const int hash = line.at + int(m_language.rawPrefix.size());
        int quote = hash;
        while (quote < int(text.size()) && text[quote] == u'#')
            ++quote;
        const int parenthesis = m_language.rawPrefix == u"R" ? int(text.indexOf(u'(', hash)) : -1;
        if (quote < int(text.size()) && text[quote] == u'"') {
            if (m_language.rawPrefix == u"r")
                return open(line, quote + 1 - line.at, u'"' + QString(quote - hash, u'#'), TokenKind::String, false, true), true;
            if (quote == hash && parenthesis > 0)
                return open(line, parenthesis + 1 - line.at, u')' + text.mid(hash + 1, parenthesis - hash - 1).toString() + u'"',
                            TokenKind::String, false, true),
                       true;
        }
    }
    if (m_language.hasTriples && m_language.quotes.contains(c) && line.isAt(QString(3, c)))
        return open(line, 3, QString(3, c), TokenKind::String, true, true), true;
    if (m_language.quotes.contains(c))
        return open(line, 1, QString(c), TokenKind::String, m_language.hasEscapes && c != u'`', m_language.spanning.contains(c)), true;
    if (c != u'\'' || !m_language.hasCharacters)
        return false;
    const int end = line.at + 1 < int(text.size()) ? int(text.indexOf(u'\'', line.at + (text[line.at + 1] == u'\\' ? 3 : 2))) : -1;
    const bool isLetter = end == line.at + 2 || (end > 0 && text[line.at + 1] == u'\\');
    line.at += isLetter ? 0 : 1;
    if (isLetter)
        line.add(end + 1, TokenKind::String);
    return true;
}

void CodeTokenizer::readWord(Line& line) const
{
    const QStringView text(line.text);
    int end = line.at;
    if (!isWordLetter(text[end])) {
        ++line.at;
        return;
    }
    const bool isNumber = text[end].isDigit();
    const auto belongs = [&](int i) {
        const bool isExponent = isNumber && (text[i] == u'+' || text[i] == u'-') && QStringView(u"eEpP").contains(text[i - 1])
            && !text.mid(line.at).startsWith(u"0x");
        const bool isSeparator = isNumber && text[i] == u'\'' && i + 1 < int(text.size()) && text[i + 1].isDigit();
        const bool isPoint = isNumber && text[i] == u'.' && text[i - 1] != u'.' && (i + 1 >= int(text.size()) || text[i + 1] != u'.');
        return isWordLetter(text[i]) || isExponent || isSeparator || isPoint;
    };
    for (++end; end < int(text.size()) && belongs(end); ++end)
        ;
    const QString word = text.mid(line.at, end - line.at).toString();
    if (isNumber)
        line.add(end, TokenKind::Number);
    else if (m_language.keywords.contains(m_language.ignoresCase ? word.toLower() : word))
        line.add(end, TokenKind::Keyword);
    else
        line.at = end;
}

std::vector<CodeToken> XmlTokenizer::read(const QString& line)
{
    std::vector<CodeToken> tokens;
    const auto take = [&](int from, int to, TokenKind word) {
        if (to > from)
            tokens.push_back({from, to - from, word});
        return to;
    };
    const auto takeComment = [&](int from) {
        const int end = endOf(line, CommentEnd, from);
        m_isInComment = !QStringView(line).left(end).endsWith(CommentEnd) || end - from < CommentEnd.size();
        return take(from, end, TokenKind::Comment);
    };
    int at = m_isInComment ? takeComment(0) : 0;
    while (at < line.size()) {
        if (QStringView(line).mid(at).startsWith(CommentBegin)) {
            at = takeComment(at);
        } else if (line[at] == '<') {
            const auto end = std::find_if_not(line.begin() + at + 1, line.end(), isOfName);
            at = take(at + 1, int(end - line.begin()), TokenKind::Keyword);
        } else if (line[at] == '"' || line[at] == '\'') {
            const auto end = line.indexOf(line[at], at + 1);
            at = take(at, int(end < 0 ? line.size() : end + 1), TokenKind::String);
        } else {
            ++at;
        }
    }
    return tokens;
}

} // namespace helio
