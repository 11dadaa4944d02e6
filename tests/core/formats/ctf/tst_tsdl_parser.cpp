#include "core/formats/ctf/shape/ctf_metadata.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::ctf;

namespace {

const std::string Prelude = "trace { major = 1; minor = 8; byte_order = le; };\n"
                            "typealias integer { size = 8; } := u8;\n"
                            "stream { };\n";

/// Returns the error for an event with these fields. The fields begin in line 4.
std::string errorOf(const std::string& fields)
{
    const auto metadata = parseTsdl(Prelude + "event { name = e; fields := struct { " + fields + "\n}; };\n", "metadata");
    if (!metadata)
        return metadata.error().what;
    if (metadata->damages.empty())
        return {};
    // The diagnostic's text is "line 4: CAUSE; the event is left out". The part "4: CAUSE" is returned.
    const Diagnostic& damage = metadata->damages.front();
    return damage.file + ':' + damage.what.substr(5, damage.what.rfind("; ") - 5);
}

const StructType& fieldsOf(const Metadata& metadata) { return std::get<StructType>(metadata.streams.at(0).events.at(0).fields->shape); }

Metadata parsed(const std::string& fields)
{
    auto metadata = parseTsdl(Prelude + "event { name = e; fields := struct { " + fields + " }; };", "metadata");
    if (!metadata)
        qFatal("%s", metadata.error().what.c_str());
    return std::move(*metadata);
}

} // namespace

class TsdlParserTest : public QObject {
    Q_OBJECT

private slots:
    void anErrorNamesItsLineAndCause_data()
    {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("error");
        test::addRow("type", "\nu9 x;", "metadata:5: no type is named \"u9\"");
        test::addRow("semicolon", "u8 x", "metadata:5: ';' is missing before '}'");
        test::addRow("structure", "struct nobody x;", "metadata:4: no structure is named \"nobody\"");
        test::addRow("size", "integer { size = 65; } x;", "metadata:4: an integer of 65 bits");
        test::addRow("no size", "integer { } x;", "metadata:4: an integer of 0 bits");
        test::addRow("alignment", "integer { size = 8;\n\n align = 3; } x;", "metadata:6: an alignment of 3 bits");
        test::addRow("base", "integer { size = 8; base = 7; } x;", "metadata:4: not a number base");
        test::addRow("encoding", "integer { size = 8; encoding = latin1; } x;", "metadata:4: \"latin1\" is not an encoding");
        test::addRow("float", "floating_point { exp_dig = 5; mant_dig = 11; } x;",
                     "metadata:4: a floating-point number that is neither single nor double");
        test::addRow("length", "u8 x[n];", "metadata:4: the length \"n\" is not found");
        test::addRow("later length", "u8 x[n]; u8 n;", "metadata:4: the length \"n\" is not found");
        test::addRow("length type", "string n; u8 x[n];", "metadata:4: the length \"n\" is not an integer");
        test::addRow("tag type", "u8 n; variant <n> { u8 a; } x;", "metadata:4: the tag \"n\" is not an enumeration");
        test::addRow("untagged", "variant { u8 a; } x;", "metadata:4: a variant without a tag");
        test::addRow("twice", "u8 x; u8 x;", "metadata:4: two fields named \"x\"");
        test::addRow("string", "\"abc", "metadata:4: an unterminated string");
        test::addRow("comment", "/* abc", "metadata:4: an unterminated comment");
        test::addRow("character", "u8 \x01;", "metadata:4: an unexpected character '\x01'");
        test::addRow("number", "u8 x[12ab];", "metadata:4: \"12ab\" is not a number");
        test::addRow("division", "u8 x[1 / 0];", "metadata:4: an expression without a value");
        test::addRow("array", "u8 x[0x7fffffffffffffff];", "metadata:4: an array of 9223372036854775807 elements");
        test::addRow("enum", "enum { A } x;", "metadata:4: an enumeration without an integer type");
    }
    void anErrorNamesItsLineAndCause()
    {
        QFETCH(QString, fields);
        QFETCH(QString, error);

        QCOMPARE(QString::fromStdString(errorOf(fields.toStdString())), error);
    }

    void typesNestedTooDeeplyAreDeclined()
    {
        std::string nested;
        for (int i = 0; i < 5000; ++i)
            nested += "struct { ";

        QCOMPARE(QString::fromStdString(errorOf(nested)), QString("metadata:4: types nested more than 64 deep"));
    }

    void namedTypesNestedTooDeeplyAreDeclined()
    {
        std::string chain = "struct s0 { u8 x; };";
        for (int i = 1; i < 5000; ++i)
            chain += " struct s" + std::to_string(i) + " { struct s" + std::to_string(i - 1) + " x; };";

        QCOMPARE(QString::fromStdString(errorOf(chain)), QString("metadata:4: types nested more than 64 deep"));
    }

    void aTypeThatDoublesAtEachLevelIsDeclined()
    {
        std::string bomb = "struct s0 { u8 x; };";
        for (int i = 1; i < 60; ++i) {
            const auto below = "struct s" + std::to_string(i - 1);
            bomb += " struct s" + std::to_string(i) + " { " + below + " a; " + below + " b; };";
        }

        QCOMPARE(QString::fromStdString(errorOf(bomb)), QString("metadata:4: a type of more than 1048576 parts"));
    }

    void deepExpressionsAreDeclined()
    {
        QVERIFY(errorOf("u8 x[" + std::string(100'000, '(') + "];").find("nested too deeply") != std::string::npos);
    }

    void expressionsFollowTheRulesOfC()
    {
        const auto metadata = parsed("u8 x[2 + 3 * (4 - 1) << 1 | 0x40];");

        QCOMPARE(std::get<ArrayType>(fieldsOf(metadata).members[0].type->shape).length, std::uint64_t(22 | 0x40));
    }

    void aLengthInTheSameElementLeadsThroughTheArraysName()
    {
        const auto metadata = parsed("struct { u8 n; u8 x[n]; } _items[3];");

        const auto& items = std::get<ArrayType>(fieldsOf(metadata).members[0].type->shape);
        const auto& item = std::get<StructType>(items.element->shape);
        const FieldPath expected{Section::Payload, {"items", "n"}};
        QVERIFY(std::get<SequenceType>(item.members[1].type->shape).length == expected);
    }

    void theTraceBlocksByteOrderHoldsBeforeItToo()
    {
        const auto metadata = parseTsdl("typealias integer { size = 16; } := u16;\n"
                                        "trace { byte_order = be; };\n"
                                        "event { fields := struct { u16 x; }; };",
                                        "metadata");

        QVERIFY(metadata);
        QVERIFY(std::get<IntegerType>(fieldsOf(*metadata).members[0].type->shape).order == ByteOrder::Big);
    }

    void withoutAByteOrderItIsDeclined()
    {
        const auto metadata = parseTsdl("trace { major = 1; };", "metadata");

        QVERIFY(!metadata);
        QCOMPARE(QString::fromStdString(metadata.error().what), QString("metadata:1: no trace block defines the byte order"));
    }

    void aSyntaxErrorIsNamedWhereThereIsNoByteOrderEither_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("error");
        test::addRow("an open block", "typealias integer { size = 8; } := u8;\n\ntrace {\n", "metadata:4: ");
        test::addRow("a bad statement", "trace { major = 1; };\nstream { id == 1; };", "metadata:2: ");
        test::addRow("a bad character", "/* CTF */\n\n@", "metadata:3: ");
    }
    void aSyntaxErrorIsNamedWhereThereIsNoByteOrderEither()
    {
        QFETCH(QString, text);
        QFETCH(QString, error);
        const auto metadata = parseTsdl(text.toStdString(), "metadata");

        QVERIFY(!metadata);
        QVERIFY2(metadata.error().what.starts_with(error.toStdString()), metadata.error().what.c_str());
        QVERIFY2(metadata.error().what.find("byte order") == std::string::npos, metadata.error().what.c_str());
    }

    void ofTwoEventsWithOneIdNeitherIsKept()
    {
        const auto metadata = parseTsdl(Prelude + "event { name = a; id = 1; };\nevent { name = b; id = 1; };", "metadata");

        QVERIFY(metadata);
        QVERIFY(metadata->streams.at(0).events.empty());
        QCOMPARE(metadata->damages.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(metadata->damages[0].what),
                 QString("line 5: more than one event with ID 1; each of them is left out"));
    }

    void unknownAttributesAreIgnored()
    {
        const auto metadata = parseTsdl(Prelude + "event { name = a; model.emf.uri = \"http://x\"; colour = 3; };", "metadata");

        QVERIFY(metadata);
        QCOMPARE(metadata->streams[0].events[0].name, std::string("a"));
    }
};

HELIO_TEST(TsdlParserTest)
#include "tst_tsdl_parser.moc"
