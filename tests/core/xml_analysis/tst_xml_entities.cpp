// Entities and document types: analysis files must not define them.

#include "core/xml_analysis/file.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/core/xml_analysis/xml_problems.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

class XmlEntitiesTest : public QObject {
    Q_OBJECT

private slots:
    void whatStandsElsewhereIsRefused_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QByteArray>("said");
        const std::string fine =
            xml_text::provider(xml_text::on("e", xml_text::set("a", xml_text::text("&#47;&#x2F;&lt;&gt;&quot;&apos;&amp;b;"))));
        const auto with = [](const std::string& text) {
            return xml_text::provider("\n" + xml_text::on("e", xml_text::set(text, xml_text::integer(1))));
        };
        const QByteArray none = "\": only &amp;, &lt;, &gt;, &quot;, &apos; and character references are supported\n";
        test::addRow("an entity", "<!DOCTYPE t [\n<!ENTITY lol \"ha\">]>" + fine,
                     QByteArray("2:1: the document type \"t\" defines the entity \"lol\": entities are not supported; write their "
                                "text in place\n"));
        test::addRow("a file",
                     "<?xml version=\"1.0\"?>\n<!DOCTYPE\tx PUBLIC \"a[b>\" 'c' [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>" + fine,
                     QByteArray("2:32: the document type \"x\" defines the entity \"f\": entities are not supported; write their "
                                "text in place\n"));
        test::addRow("other definitions", "<!DOCTYPE t [<!ELEMENT t ANY>]>" + fine,
                     QByteArray("1:1: the document type \"t\" has its own definitions, which are not supported\n"));
        test::addRow("unknown", with("&cpus;"), QByteArray("2:81: unknown entity \"cpus" + none));
        test::addRow("unfinished", with("&cpus"), QByteArray("2:81: write a literal \"&\" as &amp;\n"));
        test::addRow("alone", with("a & b"), QByteArray("2:83: write a literal \"&\" as &amp;\n"));
        test::addRow("no character", with("&#0;"), QByteArray("2:81: \"&#0;\" is not a valid character\n"));
        test::addRow("no character at all", with("&#x;"), QByteArray("2:81: \"&#x;\" is not a valid character\n"));
        test::addRow("type alone", "<!DOCTYPE tmfxml SYSTEM \"[tmf].dtd\">" + fine, QByteArray());
        test::addRow("where it means nothing", "<?pi &a;?><!-- &a; <!DOCTYPE [ --><!DOCTYPE a>" + fine, QByteArray());
    }
    void whatStandsElsewhereIsRefused()
    {
        QFETCH(std::string, text);
        QFETCH(QByteArray, said);
        QCOMPARE(problemsOf(text), said);
    }

    void charactersAreReplaced()
    {
        const xml::File file =
            xml::readFile(xml_text::provider(xml_text::on("e", xml_text::set("a", xml_text::text("&#47;&#x2F;&lt;&quot;&amp;b;")))));
        QVERIFY(file.isUsable());
        QCOMPARE(file.programs[0].values[0].constant.text, std::string("//<\"&b;"));
    }

    void entitiesInEntitiesAreRefusedAtOnce()
    {
        std::string bomb = "<!DOCTYPE t [<!ENTITY a0 \"ha\">";
        for (int i = 1; i < 40; ++i)
            bomb += "<!ENTITY a" + std::to_string(i) + " \"&a" + std::to_string(i - 1) + ";&a" + std::to_string(i - 1) + ";\">";
        bomb += "]>";
        QVERIFY(!xml::readFile(bomb + xml_text::provider(xml_text::on("e", xml_text::set("a", xml_text::text("&a39;"))))).isUsable());
        std::string many = "<tmfxml>";
        for (int i = 0; i < 200'000; ++i)
            many += "<!DOCTYPE '<!-- ]]>&amp;&#65";
        QVERIFY(!xml::readFile(many).isUsable());
    }
};

HELIO_TEST(XmlEntitiesTest)

#include "tst_xml_entities.moc"
