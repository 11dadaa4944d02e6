#include "app/gui/common/window_text.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

class WindowTextTest : public QObject {
    Q_OBJECT

private slots:
    void aSentenceLeavesPathsAsTheyAre_data()
    {
        QTest::addColumn<QString>("clause");
        QTest::addColumn<QString>("sentence");
        test::addRow("words", "the file is empty", "The file is empty.");
        test::addRow("relative path", "err/text.txt: it is a text", "err/text.txt: it is a text.");
        test::addRow("absolute path", "/tmp/x: no such file", "/tmp/x: no such file.");
        test::addRow("file", "text.txt: no such file.", "text.txt: no such file.");
        test::addRow("nothing", "", "");
    }
    void aSentenceLeavesPathsAsTheyAre()
    {
        QFETCH(QString, clause);
        QFETCH(QString, sentence);
        QCOMPARE(plainSentence(clause), sentence);
    }
};

HELIO_TEST(WindowTextTest)
#include "tst_window_text.moc"
