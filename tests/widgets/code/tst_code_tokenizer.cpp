// Coloured tokens of source lines.

#include "tests/support/test_program.h"
#include "widgets/code/code_tokenizer.h"

#include <QTest>

using namespace helio;

namespace {

/// Returns the lines with k<...>, s<...>, n<...> and c<...> around keywords, strings, numbers and comments.
QStringList coloured(const QString& file, const QStringList& lines)
{
    CodeTokenizer reader(*languageOf(file));
    QStringList all;
    for (const QString& line : lines) {
        QString text;
        int at = 0;
        for (const CodeToken& token : reader.read(line)) {
            text +=
                line.mid(at, token.begin - at) + QLatin1Char("ksnc"[int(token.word)]) + u'<' + line.mid(token.begin, token.length) + u'>';
            at = token.begin + token.length;
        }
        all << text + line.mid(at);
    }
    return all;
}

} // namespace

class CodeWordsTest : public QObject {
    Q_OBJECT

private slots:
    void wordsOfCAndCpp()
    {
        QCOMPARE(coloured("a.c",
                          {"  #include <x.h>", "int main(void) { return 0x1f; } // \"no\"", "a = '\\'' + b['x']; /* int",
                           "still */ char *s = \"a\\\"/*\";"}),
                 (QStringList{"  k<#include> <x.h>", "k<int> main(k<void>) { k<return> n<0x1f>; } c<// \"no\">",
                              "a = s<'\\''> + b[s<'x'>]; c</* int>", "c<still */> k<char> *s = s<\"a\\\"/*\">;"}));
        QCOMPARE(
            coloured("a.cpp", {"auto x = 1'000'000 + 1.5e-3f - int32;", "R\"x(if )\" \" ", "return)x\"; this", "\"open"}),
            (QStringList{"k<auto> x = n<1'000'000> + n<1.5e-3f> - int32;", "s<R\"x(if )\" \" >", "s<return)x\">; k<this>", "s<\"open>"}));
    }

    void wordsOfRust()
    {
        QCOMPARE(coloured("a.rs", {"fn f<'a>(x: &'a str) -> char { 'x' }", "let s = \"one", "two\"; r#\"a\"b\"#; 0..10"}),
                 (QStringList{"k<fn> f<'a>(x: &'a k<str>) -> k<char> { s<'x'> }", "k<let> s = s<\"one>",
                              "s<two\">; s<r#\"a\"b\"#>; n<0>..n<10>"}));
    }

    void wordsOfPython()
    {
        QCOMPARE(coloured("a.py", {"def f(): # if", "    \"\"\"Doc 'in'", "    end\"\"\"; return 'it\\'s'"}),
                 (QStringList{"k<def> f(): c<# if>", "    s<\"\"\"Doc 'in'>", "s<    end\"\"\">; k<return> s<'it\\'s'>"}));
    }

    void wordsOfGoAndFortran()
    {
        QCOMPARE(coloured("a.go", {"var s = `a\\", "b` // c", "'\\n'"}), (QStringList{"k<var> s = s<`a\\>", "s<b`> c<// c>", "s<'\\n'>"}));
        QCOMPARE(coloured("a.F90", {"  SUBROUTINE f(x) ! \"end\"", "do i = 1, 10; s = 'a\\' // \"b\"; End Do"}),
                 (QStringList{"  k<SUBROUTINE> f(x) c<! \"end\">", "k<do> i = n<1>, n<10>; s = s<'a\\'> // s<\"b\">; k<End> k<Do>"}));
    }

    void otherLanguagesStayPlainAndNothingHarms()
    {
        for (const char* name : {"a.txt", "Makefile", "c", ""})
            QVERIFY(!languageOf(name));
        for (const char* name : {"a.c", "a.cc", "a.rs", "a.py", "a.go", "a.f90"})
            for (const char* line : {"", "'", "'\\", "''", "\"\\", "/*/", "R\"", "R\"(", "r#", "r\"", "#", "\"\"\"", "1'", "0x", "1e", "`",
                                     "\\", "R", "r#\"\"#"}) {
                int end = 0;
                CodeTokenizer reader(*languageOf(name));
                for (const CodeToken& token : reader.read(line)) {
                    QVERIFY(token.begin >= end && token.length > 0);
                    end = token.begin + token.length;
                }
                QVERIFY(end <= int(qstrlen(line)));
            }
    }
};

HELIO_TEST(CodeWordsTest)
#include "tst_code_tokenizer.moc"
