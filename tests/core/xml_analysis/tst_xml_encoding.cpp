// Analysis files in encodings other than UTF-8, and files with invalid bytes.

#include "core/xml_analysis/file.h"
#include "tests/core/xml_analysis/xml_problems.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;
using namespace helio::test;

namespace {

/// Converts UTF-8 text to UTF-16, with a byte order mark if `hasMark`.
QByteArray utf16(const QByteArray& text, bool isBigEndian, bool hasMark = true)
{
    QByteArray bytes;
    for (const QChar c : (hasMark ? QString(QChar(0xfeff)) : QString()) + QString::fromUtf8(text)) {
        bytes += char(isBigEndian ? c.unicode() >> 8 : c.unicode());
        bytes += char(isBigEndian ? c.unicode() : c.unicode() >> 8);
    }
    return bytes;
}

} // namespace

class XmlEncodingTest : public QObject {
    Q_OBJECT

private slots:
    void anEncodingIsUnderstood_data()
    {
        QTest::addColumn<QByteArray>("text");
        const auto named = [](const QByteArray& encoding, const QByteArray& id) {
            return "<?xml version='1.0'" + encoding + "?>\n<tmfxml>" + "<xyView id=\"" + id
                + "\"><head><analysis id=\"p\"/></head><entry path=\"*\"/></xyView></tmfxml>";
        };
        const QByteArray wide = named(" encoding='UTF-16'", "\xc3\xa9\xf0\x9f\x98\x80");
        QTest::newRow("UTF-8") << named({}, "\xc3\xa9\xf0\x9f\x98\x80");
        QTest::newRow("UTF-8 with a mark") << "\xef\xbb\xbf" + named(" encoding=\"utf-8\"", "\xc3\xa9\xf0\x9f\x98\x80");
        QTest::newRow("UTF-8 that says UTF-16") << wide;
        QTest::newRow("UTF-16, little") << utf16(wide, false);
        QTest::newRow("UTF-16, big") << utf16(wide, true);
        QTest::newRow("UTF-16, little, no mark") << utf16(wide, false, false);
        QTest::newRow("UTF-16, big, no mark") << utf16(wide, true, false);
    }
    void anEncodingIsUnderstood()
    {
        QFETCH(QByteArray, text);
        QCOMPARE(problemsOf(text), QByteArray());
        QCOMPARE(xml::readFile(text.toStdString()).views[0].id, std::string("\xc3\xa9\xf0\x9f\x98\x80"));
    }
    void oneByteACharacterIsUnderstood()
    {
        const auto file = xml::readFile("<?xml version='1.0' encoding = 'ISO-8859-15'?><tmfxml><xyView id='\xe9\xa4'>"
                                        "<head><analysis id='p'/></head><entry path='*'/></xyView></tmfxml>");
        QVERIFY(file.problems.empty());
        QCOMPARE(file.views[0].id, std::string("\xc3\xa9\xe2\x82\xac"));
    }

    void whatIsNoneSaysWhere_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        test::addRow("half a character of UTF-16", QByteArray("\xff\xfe<\0t\0\n\0x", 9),
                     QByteArray("2:1: the text after the declaration is not UTF-16LE\n"));
        test::addRow("no UTF-8", QByteArray("<tmfxml>\n  <!-- \xe9 -->\n</tmfxml>"),
                     QByteArray("2:8: the text after the declaration is not UTF-8\n"));
        test::addRow("UTF-8 that ends too soon", QByteArray("<tmfxml/>\xc3"),
                     QByteArray("1:10: the text after the declaration is not UTF-8\n"));
        test::addRow("unknown encoding", QByteArray("<?xml version=\"1.0\" encoding=\"klingon\"?><tmfxml/>"),
                     QByteArray("1:1: unknown encoding \"klingon\"\n"));
        test::addRow("no name of an encoding", QByteArray("<?xml version=\"1.0\" encoding=\"../../a\"?><tmfxml/>"),
                     QByteArray("1:1: unknown encoding \"../../a\"\n"));
        test::addRow("fault behind UTF-16", utf16("<tmfxml>\n <a/>\xc3\xa9 <b></tmfxml>", false),
                     QByteArray("2:14: the end tag \"</tmfxml>\" does not match its start tag, or one is missing\n"));
    }
    void whatIsNoneSaysWhere()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        QCOMPARE(problemsOf(text), said);
    }
};

HELIO_TEST(XmlEncodingTest)

#include "tst_xml_encoding.moc"
