#include "core/query/filters/expression.h"
#include "core/query/rows/row_lookup.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

QString errorOf(const QByteArray& text)
{
    const auto parsed = Expression::parse(text.toStdString());
    return parsed ? QStringLiteral("parsed") : QString::fromStdString(parsed.error().what);
}

Row worker()
{
    Row row;
    row.id = "tid:1234#2";
    row.label = "worker-0";
    row.tid = 1234;
    row.pid = 1200;
    return row;
}

} // namespace

class ExpressionTest : public QObject {
    Q_OBJECT

private slots:
    void anyTextCanBeQuoted()
    {
        for (const char* name : {"web", "a\"b", "\\", "a\\\"b\\d", "two\nlines\tand a tab", "\xc3\xa4", "\\x41", "\\n"}) {
            const auto parsed = Expression::parse("name == " + quotedText(name));
            QVERIFY2(parsed, name);
            const Row row;
            QVERIFY2(matches(**parsed, {&row, {name}, ""}), name);
        }
    }

    void anErrorNamesItsColumn_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("error");
        test::addRow("nothing", QByteArray(""), "column 1: the expression is empty");
        test::addRow("blanks", QByteArray("  "), "column 1: the expression is empty");
        test::addRow("no value", QByteArray("cpu =="), "column 7: expected a value after ==");
        test::addRow("no value before )", QByteArray("(cpu == )"), "column 9: expected a value after ==");
        test::addRow("no field", QByteArray("== 3"), "column 1: expected a field before ==");
        test::addRow("nothing after and", QByteArray("cpu == 3 &&"), "column 12: expected a condition at the end");
        test::addRow("nothing between", QByteArray("a && || b"), "column 6: expected a condition before ||");
        test::addRow("two conditions", QByteArray("cpu == 3 tid == 4"), "column 10: expected && or || here");
        test::addRow("two words", QByteArray("sched switch"), "column 7: expected && or || here");
        test::addRow("not closed", QByteArray("!(cpu == 3"), "column 2: missing ) for this (");
        test::addRow("not opened", QByteArray("cpu == 3)"), "column 9: unmatched )");
        test::addRow("open text", QByteArray("name == \"sched"), "column 9: missing closing \" for this text");
        test::addRow("one =", QByteArray("cpu = 3"), "column 5: write == to compare");
        test::addRow("one &", QByteArray("a & b"), "column 3: write &&");
        test::addRow("single quotes", QByteArray("name == 'a'"), "column 9: write text in double quotes");
        test::addRow("unquoted", QByteArray("comm == bash"), "column 9: \"bash\" is not a number or a time; write text in double quotes");
        test::addRow("unquoted thread", QByteArray("thread == 12"), "column 11: thread is a text field; put its value in double quotes");
        test::addRow("unquoted name", QByteArray("name == sched_switch"), "column 9: name is a text field; put its value in double quotes");
        test::addRow("text for a number", QByteArray("cpu == \"3\""), "column 8: cpu is a number and cannot be compared with text");
        test::addRow("too large", QByteArray("x == 18446744073709551616"), "column 6: 18446744073709551616 is not a 64-bit number");
        test::addRow("too small", QByteArray("x == -9223372036854775809"), "column 6: -9223372036854775809 is not a 64-bit number");
        test::addRow("unknown unit", QByteArray("x > 10parsec"),
                     "column 5: \"10parsec\" is not a number or a time; write text in double quotes");
        test::addRow("number first", QByteArray("3 == cpu"), "column 1: expected a field name before ==, and the number after it");
        test::addRow("text first", QByteArray("\"a\" == x"), "column 1: expected a field name before ==, without quotes");
        test::addRow("pattern without quotes", QByteArray("name =~ sched"), "column 9: expected text in double quotes after =~");
        test::addRow("number contained", QByteArray("x contains 3"), "column 12: expected text in double quotes after contains");
        for (const char* seconds : {"1740s", "1740.5", "+5"})
            test::addRow(seconds, QByteArray("time < ") + seconds,
                         QString("column 8: \"%1\" is not a time; write nanoseconds since the epoch, HH:MM:SS.nnnnnnnnn (local "
                                 "time) or +1.5s")
                             .arg(seconds));
        test::addRow("time of day elsewhere", QByteArray("x > 12:34:56"), "column 5: a time of day can only be compared with time");
        test::addRow("columns are characters", QByteArray("\xc3\xa4\xc3\xb6 == "), "column 7: expected a value after ==");
        test::addRow("back reference", QByteArray("name =~ \"(a)\\\\1\""),
                     "column 9: the pattern uses a back reference (\\1), which is not supported");
        test::addRow("huge repetition", QByteArray("name =~ \"((a{100}){100}){100}\""),
                     "column 9: invalid pattern: invalid repetition size: {100}");
        test::addRow("look-ahead", QByteArray("name =~ \"a(?=b)\""), "column 9: invalid pattern: invalid perl operator: (?=");
        test::addRow("open class", QByteArray("name =~ \"[a\""), "column 9: invalid pattern: missing ]: [a");
        test::addRow("empty text", QByteArray("\"\""), "column 1: an empty text matches everything");
        test::addRow("field without a name", QByteArray("fields. == 1"), "column 1: fields. is not a field name");
    }
    void anErrorNamesItsColumn()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, error);

        QCOMPARE(errorOf(text), error);
    }

    void whatIsWellFormedIsAccepted_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"sched_switch", "\"two words\"", "name == \"sched_switch\"", "name =~ \"^sched_(switch|wakeup)$\"", "cpu==3&&tid!=0x1f",
              "delay >= 10us", "time < +1.5s || time >= 12:34:56.789012345", "!(a == 1) && !!b", "fields.tid == -1",
              "context.procname contains \"bash\"", "x == 18446744073709551615", "x == -9223372036854775808", "x < 1.5e-6",
              "lttng_ust_statedump:bin_info", "header.flags == 1", "contains contains \"x\"", "worker-0", "kworker/0:1"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatIsWellFormedIsAccepted()
    {
        QFETCH(QByteArray, text);

        QCOMPARE(errorOf(text), QString("parsed"));
    }

    void hostileTextIsRefusedNotFollowed()
    {
        QVERIFY(errorOf(QByteArray(4'000, '(')).contains("nested parentheses"));
        QVERIFY(errorOf(QByteArray(4'000, '!')).contains("nested parentheses"));
        QVERIFY(errorOf(QByteArray(5'000, 'a')).contains("longer than"));
        QVERIFY(errorOf(QByteArray("name =~ \"") + QByteArray("\\\\pL{1000}").repeated(20) + '"').contains("too large"));
        QCOMPARE(errorOf(QByteArray("a||").repeated(1'300) + 'a'), QString("parsed"));
    }

    void aLongTextIsSearchedToItsEnd()
    {
        const auto expression = Expression::parse("name =~ \"needle$\"");
        QVERIFY(bool(expression));
        const Row row = worker();

        QVERIFY(matches(**expression, {&row, {std::string(1'000'000, 'a') + "needle"}, "host"}));
        QVERIFY(!matches(**expression, {&row, {std::string(1'000'000, 'a') + "needles"}, "host"}));
    }

    /// Property: names of threads are compared as bytes; some are not UTF-8.
    void aTextThatIsNotUtf8IsBytes()
    {
        const Row row = worker();
        const auto isFound = [&](const char* pattern, const char* text) {
            const auto expression = Expression::parse(std::string("name =~ \"") + pattern + '"');
            return expression && matches(**expression, {&row, {text}, "host"});
        };

        QVERIFY(isFound("^caf.$", "caf\xc3\xa9"));
        QVERIFY(!isFound("^caf..$", "caf\xc3\xa9"));
        QVERIFY(isFound("^caf.$", "caf\xe9"));
        QVERIFY(isFound("^a.*z$", "a\xffz"));
        QVERIFY(isFound("\xe9$", "caf\xe9"));
    }

    void anEvilPatternIsMatchedInReasonableTime()
    {
        const auto expression = Expression::parse("name =~ \"^(a+)+$\"");
        QVERIFY(bool(expression));
        const Row row = worker();

        // A backtracking matcher would take exponential time for this text.
        QVERIFY(!matches(**expression, {&row, {std::string(5'000, 'a') + "b"}, "host"}));
        QVERIFY(matches(**expression, {&row, {std::string(5'000, 'a')}, "host"}));
    }

    void aRowIsJudged_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        QTest::newRow("any name held") << QByteArray("name == \"mixwork\"") << true;
        QTest::newRow("last name") << QByteArray("name == \"worker-0\"") << true;
        QTest::newRow("no such name") << QByteArray("name == \"bash\"") << false;
        QTest::newRow("none of the names") << QByteArray("name != \"mixwork\"") << false;
        QTest::newRow("other than all names") << QByteArray("name != \"bash\"") << true;
        QTest::newRow("pattern") << QByteArray("name =~ \"^worker-[0-3]$\"") << true;
        QTest::newRow("escaped pattern") << QByteArray("name =~ \"worker-\\d\"") << true;
        QTest::newRow("contains") << QByteArray("name contains \"mix\"") << true;
        QTest::newRow("contains is exact") << QByteArray("name contains \"MIX\"") << false;
        QTest::newRow("word") << QByteArray("WORKER") << true;
        QTest::newRow("word in the id") << QByteArray("1234") << true;
        QTest::newRow("tid") << QByteArray("tid == 1234") << true;
        QTest::newRow("tid in hex") << QByteArray("tid == 0x4d2") << true;
        QTest::newRow("pid range") << QByteArray("pid >= 1200 && pid < 1201") << true;
        QTest::newRow("missing is false") << QByteArray("cpu == 0") << false;
        QTest::newRow("missing is false for != too") << QByteArray("cpu != 0") << false;
        QTest::newRow("not of missing") << QByteArray("!(cpu == 0)") << true;
        QTest::newRow("host") << QByteArray("host == \"web\"") << true;
        QTest::newRow("fields of a row") << QByteArray("prev_tid == 1") << false;
        QTest::newRow("and binds stronger") << QByteArray("tid == 1234 || tid == 1 && tid == 2") << true;
        QTest::newRow("parentheses") << QByteArray("(tid == 1234 || tid == 1) && tid == 2") << false;
    }
    void aRowIsJudged()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, expected);
        const auto expression = Expression::parse(text.toStdString());
        QVERIFY2(bool(expression), qPrintable(errorOf(text)));
        const Row row = worker();

        QCOMPARE(matches(**expression, {&row, {"mixwork", "worker-0"}, "web"}), expected);
    }

    void fieldsOfASegmentAreNumbersOrTexts_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* text, bool expected) { QTest::newRow(text) << text << expected; };
        row("sector == 18446744073709551615", true);
        row("sector < 1", false);
        row("sector > 5", true);
        row("huge > 18446744073709551615", true); // The value of `huge` exceeds the largest 64-bit integer.
        row("left == -5", true);
        row("share >= 0.5", true);
        row("word > 0", false); // The comparison is false, because the field's value "inf" is a word, not a number.
        row("word == \"inf\"", true);
        row("none == 1", false);
        row("empty == 0", false);
        row("tid == 9", true); // The row has no thread, so that `tid` is the field of the segment.
        row("fields.tid == 9", true);
        row("context.tid == 9", false);
    }
    void fieldsOfASegmentAreNumbersOrTexts()
    {
        QFETCH(QString, text);
        QFETCH(bool, expected);
        const auto expression = Expression::parse(text.toStdString());
        QVERIFY(expression);
        const Row row;
        RowFacts facts{&row, {"read"}, "host"};
        facts.fields = "sector=18446744073709551615;huge=28446744073709551615;left=-5;share=0.75;word=inf;empty=;tid=9";
        QCOMPARE(matches(**expression, facts), expected);
    }

    void onlyThreadsNeedStates()
    {
        QVERIFY((*Expression::parse("cpu == 1 && tid == 4"))->needsStates());
        QVERIFY(!(*Expression::parse("cpu == 1 && fields.tid == 4"))->needsStates());
    }
};

HELIO_TEST(ExpressionTest)
#include "tst_expression.moc"
