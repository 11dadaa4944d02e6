#include "app/cli/output/field_output.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/row_selection.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace helio;

namespace {

QString json(const FieldValue& value)
{
    std::string out;
    JsonWriter writer(out);
    writeJson(writer, value);
    return QString::fromStdString(out);
}

QString csv(std::string_view text)
{
    std::string out;
    appendCsv(out, text);
    return QString::fromStdString(out);
}

QString duration(qint64 ns)
{
    std::string out;
    appendDuration(out, ns);
    return QString::fromStdString(out);
}

} // namespace

class OutputTest : public QObject {
    Q_OBJECT

private slots:
    void aFieldIsWrittenAsJson_data()
    {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* what, const FieldValue& value, const QString& expected) {
            QTest::newRow(what) << json(value) << expected;
        };
        row("largest", {std::uint64_t(18'446'744'073'709'551'615u)}, "18446744073709551615");
        row("smallest", {std::int64_t(INT64_MIN)}, "-9223372036854775808");
        row("float", {2.5}, "2.5");
        row("not a number", {std::nan("")}, "\"NaN\"");
        row("infinite", {INFINITY}, "\"Infinity\"");
        row("negative infinite", {-INFINITY}, "\"-Infinity\"");
        row("text", {std::string("a \"b\" \\ c")}, "\"a \\\"b\\\" \\\\ c\"");
        row("control characters", {std::string("a\n\x01\x7f")}, "\"a\\u000a\\u0001\x7f\"");
        row("UTF-8", {std::string("gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\xa7")}, QString::fromUtf8("\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\xa7\""));
        row("not UTF-8", {std::string("\xff\xc3(")}, "\"\\\\xff\\\\xc3(\"");
        row("overlong", {std::string("\xc0\xaf\xe0\x80\xaf")}, "\"\\\\xc0\\\\xaf\\\\xe0\\\\x80\\\\xaf\"");
        row("surrogate", {std::string("\xed\xa0\x80")}, "\"\\\\xed\\\\xa0\\\\x80\"");
        row("cut off", {std::string("\xe2\x82")}, "\"\\\\xe2\\\\x82\"");
        row("enumeration", {EnumValue{1, false, {"A", "B"}}}, "{\"value\":1,\"labels\":[\"A\",\"B\"]}");
        row("large enumeration", {EnumValue{-1, false, {}}}, "{\"value\":18446744073709551615,\"labels\":[]}");
        row("negative enumeration", {EnumValue{-1, true, {}}}, "{\"value\":-1,\"labels\":[]}");
        row("array", {std::vector<FieldValue>{{std::int64_t(1)}, {std::int64_t(2)}}}, "[1,2]");
        row("nothing in it", {std::vector<FieldValue>{}}, "[]");
        row("structure", {std::vector<NamedValue>{{"a", {std::int64_t(1)}}, {"b", {std::string("x")}}}}, "{\"a\":1,\"b\":\"x\"}");
        row("one name twice", {std::vector<NamedValue>{{"a", {std::int64_t(1)}}, {"a", {std::int64_t(2)}}}}, "{\"a\":2}");
        row("cut off by the packet", {}, "null");
    }
    void aFieldIsWrittenAsJson()
    {
        QFETCH(QString, written);
        QFETCH(QString, expected);

        QCOMPARE(written, expected);
    }

    void detailsEscapeTheirSeparators()
    {
        std::string out;
        const std::vector<NamedValue> members{{"a", {std::string("x;y=z\\")}}, {"b", {std::int64_t(-1)}}};
        appendDetails(out, members);

        QCOMPARE(QString::fromStdString(out), QString("a=x\\;y\\=z\\\\;b=-1"));
    }

    void csvIsQuotedWhereItMustBe()
    {
        QCOMPARE(csv("plain text"), "plain text");
        QCOMPARE(csv("a,b"), "\"a,b\"");
        QCOMPARE(csv("say \"yes\""), "\"say \"\"yes\"\"\"");
        QCOMPARE(csv("two\nlines"), "\"two\nlines\"");
        QCOMPARE(csv("ends in\r"), "\"ends in\r\"");
        QCOMPARE(csv("\xff,\x01"), "\"\\xff,\x01\"");
        QCOMPARE(csv(""), "");
    }

    void durationsAreExactInTheirUnit()
    {
        QCOMPARE(duration(0), "0 ns");
        QCOMPARE(duration(999), "999 ns");
        QCOMPARE(duration(1'000), "1.000 us");
        QCOMPARE(duration(1'234'567), "1.234567 ms");
        QCOMPARE(duration(62'000'000'001), "62.000000001 s");
        QCOMPARE(duration(-1'500), "-1.500 us");
        QCOMPARE(duration(INT64_MIN), "-9223372036.854775808 s");
    }

    void aGlobMatchesTheWholeText_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        const auto row = [](const char* pattern, const char* text, bool expected) {
            QTest::addRow("%s / %s", pattern, text) << QByteArray(pattern) << QByteArray(text) << expected;
        };
        row("tid:12", "tid:12", true);
        row("tid:1", "tid:12", false);
        row("tid:*", "tid:12#2", true);
        row("*12", "tid:12", true);
        row("*1*2*", "a1b1c2d", true);
        row("cpu:?", "cpu:7", true);
        row("cpu:?", "cpu:12", false);
        row("cpu:[0-3]", "cpu:2", true);
        row("cpu:[!0-3]", "cpu:2", false);
        row("cpu:[02]", "cpu:2", true);
        row("a[", "a[", true);
        row("*", "", true);
        row("", "", true);
        row("", "x", false);
        row("kworker/0:*", "kworker/0:1H", true);
    }
    void aGlobMatchesTheWholeText()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArray, text);
        QFETCH(bool, expected);

        QCOMPARE(matchesGlob(pattern.toStdString(), text.toStdString()), expected);
    }

    void anEvilGlobEnds()
    {
        std::string pattern;
        for (int i = 0; i < 50; ++i)
            pattern += "a*";

        QVERIFY(!matchesGlob(pattern + "b", std::string(2'000, 'a')));
    }
};

HELIO_TEST(OutputTest)
#include "tst_output.moc"
