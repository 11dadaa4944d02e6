#include "tests/support/test_program.h"
#include "widgets/code/code_tokenizer.h"

#include <QTest>

using namespace helio;

namespace {

/// Returns the coloured tokens of a line as text, e.g. "k:state s:'1'". The letters are the kinds of tokens: k keyword, s string, n number,
/// c comment.
QString painted(XmlTokenizer& reader, const QString& line)
{
    QStringList parts;
    for (const CodeToken& token : reader.read(line))
        parts << QStringLiteral("%1:%2").arg(QChar("ksnc"[int(token.word)])).arg(line.mid(token.begin, token.length));
    return parts.join(' ');
}

} // namespace

class XmlWordsTest : public QObject {
    Q_OBJECT

private slots:
    void elementsAndValuesHaveColours()
    {
        XmlTokenizer reader;
        QCOMPARE(painted(reader, "  <state id=\"a b\" x='1'/>"), QString("k:state s:\"a b\" s:'1'"));
        QCOMPARE(painted(reader, "</state>text"), QString("k:/state"));
        QCOMPARE(painted(reader, "<?xml version=\"1\"?>"), QString("k:?xml s:\"1\""));
    }

    void aCommentReachesOverLines()
    {
        XmlTokenizer reader;
        QCOMPARE(painted(reader, "<a/> <!-- one <b> two --> <c/>"), QString("k:a/ c:<!-- one <b> two --> k:c/"));
        QCOMPARE(painted(reader, "<a/> <!-- begins"), QString("k:a/ c:<!-- begins"));
        QCOMPARE(painted(reader, "<b x=\"1\"/>"), QString("c:<b x=\"1\"/>"));
        QCOMPARE(painted(reader, "ends --> <c/>"), QString("c:ends --> k:c/"));
        QCOMPARE(painted(reader, "<!---->"), QString("c:<!---->"));
        QCOMPARE(painted(reader, "<d/>"), QString("k:d/"));
    }

    void whatIsNotClosedIsNoHarm()
    {
        XmlTokenizer reader;
        QCOMPARE(painted(reader, "<a x=\"open"), QString("k:a s:\"open"));
        QCOMPARE(painted(reader, "<"), QString());
        QCOMPARE(painted(reader, ""), QString());
        QCOMPARE(painted(reader, "<!-- then <"), QString("c:<!-- then <"));
    }
};

HELIO_TEST(XmlWordsTest)

#include "tst_xml_tokenizer.moc"
