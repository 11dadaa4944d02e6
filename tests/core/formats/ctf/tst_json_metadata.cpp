#include "core/formats/ctf/shape/ctf_metadata.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::ctf;

namespace {

const std::string Prelude =
    "{\"type\": \"preamble\", \"version\": 2}\n"
    "{\"type\": \"field-class-alias\", \"name\": \"u8\", \"field-class\": {\"type\": \"fixed-length-unsigned-integer\","
    " \"length\": 8, \"byte-order\": \"little-endian\"}}\n"
    "{\"type\": \"data-stream-class\"}\n";

std::string errorOf(const std::string& text)
{
    const auto metadata = parseJsonMetadata(text, "metadata");
    return metadata ? "" : metadata.error().what;
}

/// Returns the error for an event with a field x of this field class. The field is in line 4.
std::string errorOfField(const std::string& fieldClass)
{
    return errorOf(Prelude + "{\"type\": \"event-record-class\", \"payload-field-class\": {\"type\": \"structure\", \"member-classes\": ["
                   + "{\"name\": \"x\", \"field-class\": " + fieldClass + "}]}}");
}

/// Replaces single quotes by double quotes: JSON in C++ literals is easier to read with single quotes.
std::string quoted(QString text) { return text.replace('\'', '"').toStdString(); }

} // namespace

class JsonMetadataTest : public QObject {
    Q_OBJECT

private slots:
    void anErrorNamesItsLineAndCause_data()
    {
        QTest::addColumn<QString>("fieldClass");
        QTest::addColumn<QString>("error");
        test::addRow("alias", "'u9'", "no field class is named 'u9'");
        test::addRow("type", "{'type': 'imaginary'}", "the field class 'imaginary' is not supported");
        test::addRow("no type", "{}", "'type' is missing");
        test::addRow("length", "{'type': 'fixed-length-bit-array', 'length': 65}", "an integer of 65 bits");
        test::addRow("text length", "{'type': 'fixed-length-bit-array', 'length': 'x'}", "'length' is not an integer");
        test::addRow("order", "{'type': 'fixed-length-bit-array', 'length': 8, 'byte-order': 'middle'}", "'middle' is not a byte order");
        test::addRow("bit order",
                     "{'type': 'fixed-length-bit-array', 'length': 8, 'byte-order': 'little-endian', 'bit-order': 'middle-out'}",
                     "'middle-out' is not a bit order");
        test::addRow("alignment", "{'type': 'structure', 'minimum-alignment': 3}", "an alignment of 3 bits");
        test::addRow("encoding", "{'type': 'null-terminated-string', 'encoding': 'utf-7'}", "'utf-7' is not an encoding");
        test::addRow("location", "{'type': 'dynamic-length-blob', 'length-field-location': {'path': ['n']}}",
                     "the field location does not exist");
        test::addRow("too high", "{'type': 'dynamic-length-blob', 'length-field-location': {'path': [null, null, 'n']}}",
                     "the field location does not exist");
        test::addRow("array", "{'type': 'static-length-blob', 'length': -1}", "an array of -1 elements");
    }
    void anErrorNamesItsLineAndCause()
    {
        QFETCH(QString, fieldClass);
        QFETCH(QString, error);

        QCOMPARE(QString::fromStdString(errorOfField(quoted(fieldClass))),
                 "metadata:4: CTF 2: " + QString::fromStdString(quoted(error)).replace("order\"s", "order's"));
    }

    void brokenJsonIsReported_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        test::addRow(
            "end", "{'type': 'preamble'",
            "metadata:1: CTF 2: The JSON document has an improper structure: missing or superfluous commas, braces, missing keys, etc.");
        test::addRow(
            "colon", "{'type' 'preamble'}",
            "metadata:1: CTF 2: The JSON document has an improper structure: missing or superfluous commas, braces, missing keys, etc.");
        test::addRow("string", "{'type\n", "metadata:1: CTF 2: A string is opened, but never closed.");
        test::addRow("word", "[nothing]", "metadata:1: CTF 2: \"nothing\" is not a value");
        test::addRow("empty", "", "metadata:1: CTF 2: the metadata does not begin with a preamble");
        test::addRow("version", "{'type': 'preamble', 'version': 3}", "metadata:1: CTF 2: CTF version 3");
        test::addRow("extension", "{'type': 'preamble', 'version': 2, 'extensions': {'my': {}}}",
                     "metadata:1: CTF 2: the extension \"my\" is not supported");
    }
    void brokenJsonIsReported()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);

        QCOMPARE(QString::fromStdString(errorOf(quoted(text))), error);
    }

    void bytesThatAreNotTextAreReported()
    {
        QVERIFY(errorOf("\n{\"type\": \"pre\xff\"}").find("metadata:2: CTF 2: The input is not valid UTF-8") == 0);
        QVERIFY(errorOf("{\"type\": \"pre\tamble\"}").find("metadata:1: CTF 2:") == 0);
        QVERIFY(errorOf(std::string("{\"type\": \0}", 11)).find("metadata:1: CTF 2:") == 0);
    }

    void deepValuesAreDeclined() { QVERIFY(errorOf(std::string(100'000, '[')).find("nested too deeply") != std::string::npos); }

    void anAliasOfItselfIsDeclined()
    {
        const auto loop =
            quoted("{'type': 'field-class-alias', 'name': 'loop', 'field-class': {'type': 'static-length-array', 'length': 2, "
                   "'element-field-class': 'loop'}}");
        const auto event =
            quoted("{'type': 'event-record-class', 'payload-field-class': {'type': 'structure', 'member-classes': [{'name': 'x', "
                   "'field-class': 'loop'}]}}");

        QVERIFY(errorOf(Prelude + loop + event).find("types nested more than 64 deep") != std::string::npos);
    }

    void anAliasThatDoublesAtEachLevelIsDeclined()
    {
        std::string bomb;
        for (int i = 1; i < 40; ++i) {
            const QString below = i == 1 ? QString("u8") : QString("s%1").arg(i - 1);
            bomb += quoted(QString("{'type': 'field-class-alias', 'name': 's%1', 'field-class': {'type': 'structure', 'member-classes': "
                                   "[{'name': 'a', 'field-class': '%2'}, {'name': 'b', 'field-class': '%2'}]}}")
                               .arg(i)
                               .arg(below));
        }
        const auto event = quoted("{'type': 'event-record-class', 'payload-field-class': 's30'}");

        QVERIFY(errorOf(Prelude + bomb + event).find("types of more than") != std::string::npos);
    }

    void twoEventsWithOneIdAreDeclined()
    {
        const auto event = quoted("{'type': 'event-record-class', 'id': 7}");

        QVERIFY(errorOf(Prelude + event + event).find("more than one event record class with ID 7") != std::string::npos);
    }
};

HELIO_TEST(JsonMetadataTest)
#include "tst_json_metadata.moc"
