// Checks the writing rules of .github/CONTRIBUTING.md in the source, as far as a program can check them.

#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

namespace {

/// Nouns that are too general to be the name of a type on their own.
const QStringList everydayTypes{"Kind", "Place", "Part", "Step",  "Piece", "Known", "Answer",
                                "Look", "Hand",  "Rest", "Thing", "Way",   "Choice"};

QString topFolderOf(const QString& path) { return path.section('/', 0, std::min<qsizetype>(1, path.count('/') - 1)); }

/// A token of source text: code, a literal or a comment.
struct Token {
    enum Kind { Word, Other, Literal, Comment } kind;
    QString text;
    int line;
    qsizetype column; ///< Column of the token's first character, from 0.
    bool isAlone; ///< True if only white space precedes the token on its line.
};

std::vector<Token> tokensOf(const QString& source)
{
    static const QRegularExpression expression(
        R"re((?<comment>//[^\n]*|/\*.*?\*/)|(?<raw>(?:u8|u|U|L)?R"(?<delimiter>[^()\\\s]{0,16})\(.*?\)\k<delimiter>")|(?<literal>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')|(?<number>\.?\d(?:[\w.]|'[\w])*)|(?<word>\w+)|(?<other>\S))re",
        QRegularExpression::DotMatchesEverythingOption);
    std::vector<Token> tokens;
    int line = 1;
    qsizetype counted = 0;
    auto matches = expression.globalMatch(source);
    while (matches.hasNext()) {
        const auto match = matches.next();
        const qsizetype at = match.capturedStart();
        line += int(QStringView(source).mid(counted, at - counted).count('\n'));
        counted = at;
        const auto kind = match.hasCaptured("comment") ? Token::Comment
            : match.hasCaptured("word")                ? Token::Word
            : match.hasCaptured("other")               ? Token::Other
                                                       : Token::Literal;
        const qsizetype lineBegin = at == 0 ? 0 : source.lastIndexOf('\n', at - 1) + 1;
        tokens.push_back({kind, match.captured(), line, at - lineBegin,
                          at == 0 || QStringView(source).mid(lineBegin, at - lineBegin).trimmed().isEmpty()});
    }
    return tokens;
}

/// Returns the comments that break the rules for wording, each with its line number, for example "12: Of the next."
QStringList unclearComments(const std::vector<Token>& tokens)
{
    // Comments must begin with a sentence or a noun phrase. These first words show that a comment does not.
    static const QRegularExpression opening(
        R"(^(of|what|that|those|who|whose|whom|where|wherever|as|so|such|by|else|nobody|somebody|another one|the same|the next|behind|beside)\b)",
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression vague(
        R"(\b(nobody|somebody|a person|the next but one|the same of|as the next|of theirs|of which there|that one)\b)",
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression marks(R"(^(//+<?|/\*+)\s*)");
    static const QRegularExpression notProse(R"(^(namespace|NOLINT|clang-format|moc_include|IWYU|shellcheck)\b)");
    QStringList found;
    const Token* last = nullptr; // The preceding comment.
    for (const Token& token : tokens) {
        if (token.kind != Token::Comment)
            continue;
        const QString text = QString(token.text).remove(marks).trimmed();
        // A comment directly below another one, in the same column, continues its sentence.
        const bool isBelow = last && token.isAlone && token.line == last->line + 1 && token.column == last->column;
        const bool goesOn = isBelow || (token.isAlone && token.text.startsWith("///<"));
        last = &token;
        if (notProse.match(text).hasMatch())
            continue;
        if ((!goesOn && opening.match(text).hasMatch()) || vague.match(text).hasMatch())
            found << QString("%1: %2").arg(token.line).arg(text);
    }
    return found;
}

/// Line numbers of the types that a file defines outside of functions, classes and unnamed namespaces, by qualified name:
/// "helio::ctf::Reader".
QMap<QString, int> typesOf(const std::vector<Token>& tokens)
{
    QMap<QString, int> found;
    QStringList scopes; // One entry for each open brace: a namespace's name, "" for anything else.
    std::vector<Token> code;
    for (const Token& token : tokens)
        if (token.kind != Token::Comment)
            code.push_back(token);
    const auto text = [&](std::size_t i) { return i < code.size() ? code[i].text : QString(); };
    QString opens; // Name of the namespace that the following brace opens.
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (text(i) == "namespace" && text(i - 1) != "using") {
            opens.clear();
            for (++i; i < code.size() && text(i) != "{" && text(i) != "=" && text(i) != ";"; ++i)
                opens += text(i);
            --i;
            if (text(i + 1) != "{")
                opens.clear();
            else if (opens.isEmpty())
                opens = "(unnamed)";
        } else if (text(i) == "{") {
            scopes << opens;
            opens.clear();
        } else if (text(i) == "}") {
            if (!scopes.isEmpty())
                scopes.removeLast();
        } else if (const bool isEnum = text(i) == "enum"; isEnum || text(i) == "struct" || text(i) == "class") {
            const bool isInside = scopes.contains(QString()) || scopes.contains("(unnamed)") || text(i - 1) == "<" || text(i - 1) == ",";
            if (isEnum && text(i + 1) == "class")
                ++i;
            const QString after = text(i + 2);
            // True for a declaration without enumerators: enum E : int;
            const bool isOfEnum = isEnum && after == ":" && text(i + 4) == ";";
            const bool isDefined = after == "{" || after == "final" || (after == ":" && text(i + 3) != ":" && !isOfEnum);
            if (!isInside && isDefined && code[i + 1].kind == Token::Word && text(i - 1) != "friend")
                found.insert((scopes + QStringList{text(i + 1)}).join("::"), code[i].line);
        }
    }
    return found;
}

/// Text of each source file, by its path from the source folder.
QMap<QString, QString> sources()
{
    QMap<QString, QString> found;
    for (const char* top : {"core", "widgets", "app", "tests"}) {
        QDirIterator it(SOURCE_DIR "/" + QString(top), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            if (file.open(QIODevice::ReadOnly))
                found.insert(QDir(SOURCE_DIR).relativeFilePath(file.fileName()), QString::fromUtf8(file.readAll()));
        }
    }
    return found;
}

/// Returns complaints about comments and type names, keyed by the top folder of the file, such as "core/query".
QMap<QString, QStringList> complaints()
{
    QMap<QString, QStringList> found, definedIn;
    const auto files = sources();
    for (auto file = files.begin(); file != files.end(); ++file) {
        const auto tokens = tokensOf(file.value());
        QStringList& list = found[topFolderOf(file.key())];
        for (const QString& comment : unclearComments(tokens))
            list << file.key() + ':' + comment;
        const auto types = typesOf(tokens);
        for (auto type = types.begin(); type != types.end(); ++type) {
            if (everydayTypes.contains(type.key().section("::", -1)))
                list << QString("%1:%2: the type %3 says nothing by itself").arg(file.key()).arg(type.value()).arg(type.key());
            if (!file.key().startsWith("tests/"))
                definedIn[type.key()] << file.key();
        }
    }
    for (auto type = definedIn.begin(); type != definedIn.end(); ++type)
        if (type.value().size() > 1)
            found[topFolderOf(type.value().last())] << type.key() + " is defined in " + type.value().join(" and ");
    return found;
}

} // namespace

class WordsTest : public QObject {
    Q_OBJECT

private slots:
    void commentsAndTypesFollowTheRules()
    {
        const auto found = complaints();
        QVERIFY(found.size() > 40);
        QStringList wrong;
        for (auto topFolder = found.begin(); topFolder != found.end(); ++topFolder)
            wrong << topFolder.value();
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void anUnclearCommentIsFound_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("count");
        QTest::newRow("opens with a function word") << "int a; ///< Of the next." << 1;
        QTest::newRow("lower case") << "// what it was" << 1;
        QTest::newRow("second line of a sentence") << "/// Returns the time\n/// of the event." << 0;
        QTest::newRow("first line after code") << "/// Time.\nint a; ///< By row." << 1;
        QTest::newRow("second line after code") << "int a; ///< Time in ns\n       ///< of the event." << 0;
        QTest::newRow("second line of a plain comment after code") << "f(); // Time in ns\n     // of the event." << 0;
        QTest::newRow("other comment below one after code") << "f(); // Time.\n// Of it.\ng();" << 1;
        QTest::newRow("actor without a name") << "// Stops if nobody reads." << 1;
        QTest::newRow("in a literal") << "const char* a = \"// Of it\";" << 0;
        QTest::newRow("in a raw literal") << "auto a = R\"x(// Of it)x\"; // Text" << 0;
        QTest::newRow("after a digit separator") << "int a = 1'000; // Where it is." << 1;
        QTest::newRow("a sentence") << "// Guards m_names." << 0;
        QTest::newRow("only a beginning") << "// Offset in bytes." << 0;
        QTest::newRow("end of a namespace") << "} // namespace what" << 0;
    }
    void anUnclearCommentIsFound()
    {
        QFETCH(QString, source);
        QFETCH(int, count);

        QCOMPARE(unclearComments(tokensOf(source)).size(), count);
    }

    void definedTypesAreFound_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QStringList>("types");
        QTest::newRow("all forms") << "namespace helio { struct A {}; class B final : C {}; enum class D : int { x }; }"
                                   << QStringList{"helio::A", "helio::B", "helio::D"};
        QTest::newRow("declared only") << "namespace helio { class A; struct B* f(); }" << QStringList{};
        QTest::newRow("unnamed namespace") << "namespace helio { namespace { struct A {}; } struct B {}; }" << QStringList{"helio::B"};
        QTest::newRow("in a class or a function")
            << "namespace helio { struct A { struct B {}; }; void f() { struct C {}; } }" << QStringList{"helio::A"};
        QTest::newRow("nested namespace") << "namespace helio::ctf { struct A {}; }" << QStringList{"helio::ctf::A"};
        QTest::newRow("outside of its class") << "namespace helio { class A::B { }; class A::C : D { }; }" << QStringList{};
        QTest::newRow("enumeration to come") << "namespace helio { enum class E : int; }" << QStringList{};
        QTest::newRow("template parameter") << "namespace helio { template <class T> struct A {}; }" << QStringList{"helio::A"};
        QTest::newRow("other namespaces") << "namespace fs = std::filesystem; using namespace helio; struct A {};" << QStringList{"A"};
    }
    void definedTypesAreFound()
    {
        QFETCH(QString, source);
        QFETCH(QStringList, types);

        QCOMPARE(typesOf(tokensOf(source)).keys(), types);
    }
};

HELIO_TEST(WordsTest)
#include "tst_words.moc"
